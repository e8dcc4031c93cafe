"""One large thing in a process of its own: `python -m benchmarks.google_reader URL FOLDER WHAT`.

Prints by how many megabytes the process grew beyond a small call, and how many seconds it took.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.google import reading_settings
from laconic.kit import Endpoint
from laconic.kit.peer import SilentPeer
from laconic.servers.google.tools import google

_GET = "sheets_batchGetValues"


def memory(line: str) -> float:
    """Return how many megabytes the process has now (VmRSS), or had at most (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    return next(int(one.split()[1]) for one in status.splitlines() if one.startswith(line)) / 1024


def forget_largest() -> None:
    """Let the system count again how much the process has at most."""
    Path("/proc/self/clear_refs").write_text("5")


async def called(endpoint: Endpoint, tool: str, **given: Any) -> str:
    answer = await endpoint.call_tool(tool, given, SilentPeer())
    assert answer.failure is None, answer.text
    return answer.text


async def read_all(endpoint: Endpoint, id: str) -> None:
    """Read a sheet to its end, page by page."""
    more: dict[str, Any] = {"limit": 2000, "budget": 1_000_000}
    while more:
        text = await called(endpoint, _GET, spreadsheetId=id, **more)
        _, _, rest = text.partition("Pass cursor '")
        cursor = rest.partition("'")[0]
        more = {"cursor": cursor, "budget": 1_000_000} if cursor else {}


async def main(url: str, folder: Path, what: str) -> None:
    endpoint = Endpoint([google], settings=reading_settings(url, folder))
    listed = await called(endpoint, "drive_listFiles")
    ids = {line.split("\t")[1]: line.split("\t")[0] for line in listed.splitlines() if line.count("\t") > 2}
    sheet, document = ids["Boats and berths"], ids["Minutes October"]
    await called(endpoint, _GET, spreadsheetId=sheet, limit=2)
    await called(endpoint, "drive_exportFile", fileId=ids["Pier plan.txt"])
    forget_largest()
    before, began = memory("VmRSS"), time.perf_counter()
    match what:
        case "read":
            await read_all(endpoint, sheet)
        case "search":
            await called(endpoint, _GET, spreadsheetId=sheet, find="row 199999")
        case "read a file":
            await called(endpoint, "drive_exportFile", fileId=document, returnMode="full", start=1_000_000)
        case "search a file":
            await called(endpoint, "drive_exportFile", fileId=document, find="not in it")
        case "download":
            await called(endpoint, "drive_downloadFile", fileId=document, path="large.md")
    print(memory("VmHWM") - before, time.perf_counter() - began)
    await endpoint.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
