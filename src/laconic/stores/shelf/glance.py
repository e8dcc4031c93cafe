"""A glance at a library: whether its items have changed, learned from the file without opening a database.

A server that only lists what it listed before starts without SQLAlchemy, and creates no file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from laconic.stores.database.address import file_of

__all__ = ["revision_of"]


def revision_of(address: str, kinds: Sequence[str]) -> int | None:
    """Return what `Desk.revision` would return; 0 if there is no file yet, None if only a desk can tell."""
    file = file_of(address)
    if file is None:
        return None
    if not file.is_file():
        return 0
    places = ", ".join("?" for _ in kinds)
    query = f"SELECT coalesce(sum(number), 0) FROM shelf_revisions WHERE kind IN ({places})"
    address = f"{file.absolute().as_uri()}?mode=rw"  # a connection that only reads leaves its files behind
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=0.1)) as db:
            db.execute("PRAGMA query_only = ON")
            return int(db.execute(query, list(kinds)).fetchone()[0])
    except sqlite3.Error:  # it is locked, damaged, or from before there were revisions
        return None
