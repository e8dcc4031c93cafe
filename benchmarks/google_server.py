"""The practice Google as a process: `python -m benchmarks.google_server ROWS MB` prints its port.

It has a sheet of so many rows, `Boats and berths`, and a document whose export has so many megabytes.
"""

from __future__ import annotations

import asyncio
import sys

from benchmarks.practice import serve
from laconic.sandbox.google import PracticeGoogle, practice_google
from laconic.sandbox.google.books.book import new_book

__all__ = ["GRANT"]

GRANT = "benchmark"  # a refresh token of the practice account


def large(rows: int, megabytes: int) -> PracticeGoogle:
    """Return a practice Google with large things in it."""
    app = practice_google()
    files = {row["name"]: row for row in app.state.rows("files").values()}
    book = new_book(app.state, files["Boats and berths"]["id"], "Large")
    sheet = book["sheets"][0]
    sheet["properties"]["gridProperties"] |= {"rowCount": rows, "columnCount": 6}
    sheet["rows"] = [[f"row {n}", n, n * 2, "some words", n % 7, True] for n in range(1, rows + 1)]
    files["Minutes October"]["exports"] = megabytes * 1_000_000
    scope = "https://www.googleapis.com/auth/drive"
    grant = {"id": GRANT, "email": app.account[0], "scope": scope, "client": "desktop"}
    app.state.rows("grants")[GRANT] = grant  # type: ignore[index]  # by text
    return app


if __name__ == "__main__":
    asyncio.run(serve(large(int(sys.argv[1]), int(sys.argv[2]))))
