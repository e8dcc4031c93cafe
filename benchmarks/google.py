"""The Google server: tokens, requests, memory for large things, and added time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlencode

import httpx2

from benchmarks.google_docs import document_tables
from benchmarks.google_server import GRANT
from benchmarks.google_slides import deck_table
from benchmarks.google_start import starts
from benchmarks.harness import Measured, interleaved, timed
from benchmarks.practice import beside_bare, call, got, served
from benchmarks.programs import ROOT
from benchmarks.report import Result, Table, figures
from laconic.kit import Endpoint, Settings
from laconic.kit.testing import count_tokens, tool_tokens
from laconic.servers.google.api.quotas import QUOTAS
from laconic.servers.google.catalogue.index import entries
from laconic.servers.google.tools import google

__all__ = ["run"]

_GET: Final = "sheets_batchGetValues"
_PEERS: Final = (
    "26,322 and 25,808"  # of the two best-known servers for the same APIs, as their lists were measured
)
_TABLE: Final = [[f"Item {row}", row, row * 2, row * 3, f"note {row}", True] for row in range(1, 21)]
_CELLS: Final = [[row * 10 + column for column in range(10)] for row in range(50)]


async def run(quick: bool) -> Result:
    """Measure everything on the practice instance."""
    documents = [await table for table in document_tables(_token, quick)]
    tables = [
        await _lists(),
        await _tasks(),
        *documents,
        await deck_table(),
        _memory(2_000 if quick else 200_000, 5 if quick else 300),
    ]
    rounds, calls = (2, 5) if quick else (15, 30)
    table, found, baseline = await _time(rounds, calls)
    started = starts(1 if quick else 7)
    return Result("google", [*tables, started, table], figures=figures(found, baseline))


async def _lists() -> Table:
    rows = []
    for profile in ("lean", "classic", "full"):
        endpoint = Endpoint([google], settings=Settings(sandbox=True, tools={"google": profile}))
        tools = endpoint.listing.tools
        rows.append([profile, str(len(tools)), f"{sum(map(tool_tokens, tools)):,}"])
        await endpoint.close()
    caption = f"Tokens of the tool lists; those of the best-known servers for these APIs are {_PEERS}."
    return Table(caption, ["profile", "tools", "tokens"], rows)


def _steps(ids: Mapping[str, str]) -> Mapping[str, list[tuple[str, dict[str, Any]]]]:
    budget = {"spreadsheetId": ids["Budget 2026"]}
    return {
        "find a file and read a range": [
            ("drive_listFiles", {"name": "Budget"}),
            (_GET, {**budget, "ranges": ["Months!A1:E8"]}),
        ],
        "fill a table of 20 x 6": [
            ("sheets_batchUpdateValues", {**budget, "range": "Months!H1", "values": _TABLE})
        ],
        "update 500 cells": [
            ("sheets_batchUpdateValues", {**budget, "range": "Months!H40", "values": _CELLS})
        ],
        "who can see this folder": [("drive_listPermissions", {"fileId": ids["Harbour"]})],
    }


async def _tasks() -> Table:
    """Count answers beside the compact JSON of the same requests, as the practice instance sent it."""
    endpoint = Endpoint([google], settings=Settings(sandbox=True))
    practice = endpoint.supplies.home("google").sandbox
    ids = {row["name"]: row["id"] for row in practice.state.rows("files").values()}
    rows = []
    for what, steps in _steps(ids).items():
        practice.seen.clear()
        text = "\n".join([await call(endpoint, tool, **given) for tool, given in steps])
        asked = [one for one in practice.seen if one.path != "token"]
        raw = await _raw(practice, asked)
        mine, theirs = count_tokens(text), count_tokens(raw)
        rows.append(
            [
                what,
                str(len(steps)),
                str(len(asked)),
                f"{theirs:,}",
                f"{mine:,}",
                f"{100 * mine / theirs:.0f} %",
            ]
        )
    await endpoint.close()
    caption = (
        "Common tasks: calls, HTTP requests, and tokens beside the APIs' own compact JSON without masks."
    )
    return Table(caption, ["task", "calls", "requests", "raw tokens", "tokens", "of it"], rows)


async def _raw(practice: Any, asked: list[Any]) -> str:
    transport = httpx2.ASGITransport(app=practice)
    async with httpx2.AsyncClient(transport=transport, base_url="https://google.sandbox/") as client:
        head = {"authorization": await _token(client)}
        texts = []
        for one in asked:
            query = {**one.query, "fields": ["*"]} if one.path.startswith("drive/") else {**one.query}
            if not one.path.startswith("drive/"):
                query.pop("fields", None)
            body = one.body.replace(
                b'"valueInputOption"', b'"includeValuesInResponse":true,"valueInputOption"'
            )
            reply = await client.request(one.method, one.path, params=query, content=body, headers=head)
            texts.append(json.dumps(reply.json(), separators=(",", ":")))
    return "\n".join(texts)


async def _token(client: httpx2.AsyncClient) -> str:
    form = {"grant_type": "refresh_token", "client_id": "practice", "refresh_token": "practice-refresh-token"}
    return f"Bearer {(await client.post('token', data=form)).json()['access_token']}"


def _memory(rows: int, megabytes: int) -> Table:
    """Read, search and download large things in a process of its own, and tell by how much it grew."""
    found = []
    with served("benchmarks.google_server", str(rows), str(megabytes)) as url, TemporaryDirectory() as folder:
        for what in ("read", "search", "read a file", "search a file", "download"):
            command = [sys.executable, "-m", "benchmarks.google_reader", url, folder, what]
            done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
            grown, took = done.stdout.split()
            found.append([what, f"{float(grown):.1f}", f"{float(took):.1f}"])
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.md"))
    caption = (
        f"A sheet of {rows:,} rows and an export of {megabytes} MB: by how much the server's process grows "
        f"beyond a small call, in MB, and seconds. {size / 1e6:,.0f} MB were written."
    )
    return Table(caption, ["", "MB more", "s"], found)


async def _time(rounds: int, calls: int) -> tuple[Table, Mapping[str, Measured], dict[str, str]]:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(served("benchmarks.google_server", "10", "1"))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        endpoint = Endpoint([google], settings=reading_settings(url, folder))
        stack.push_async_callback(endpoint.close)
        bare = await stack.enter_async_context(httpx2.AsyncClient(base_url=url))
        bare.headers["authorization"] = await _token(bare)
        asked = {"q": "trashed = false", "orderBy": "modifiedTime desc", "corpora": "allDrives"}
        asked |= {"supportsAllDrives": "true", "includeItemsFromAllDrives": "true", "pageSize": "50"}
        files = f"/drive/v3/files?{urlencode({**asked, 'fields': entries()['drive_files_list'].fields})}"
        budget = (await bare.get("/drive/v3/files?q=name = 'Budget 2026'")).json()["files"][0]["id"]
        cells = f"/v4/spreadsheets/{budget}/values:batchGet?ranges=Months!A1:E8"
        book = {"spreadsheetId": budget, "ranges": ["Months!A1:E8"]}
        found = await interleaved(
            {
                "list bare": partial(timed, partial(got, bare, files), calls),
                "list": partial(timed, partial(call, endpoint, "drive_listFiles"), calls),
                "values bare": partial(timed, partial(got, bare, cells), calls),
                "values": partial(timed, partial(call, endpoint, _GET, **book), calls),
            },
            rounds,
        )
    baseline = {"list": "list bare", "values": "values bare"}
    return beside_bare(found, baseline), found, baseline


def reading_settings(url: str, folder: Path) -> Settings:
    """Return the settings that lead to a practice instance; Google's limits per minute are not kept here."""
    QUOTAS.clear()
    key = folder / "key.json"
    content = {"type": "authorized_user", "client_id": "desktop", "client_secret": "desktop-secret"}
    key.write_text(json.dumps({**content, "refresh_token": GRANT}))
    roots = dict.fromkeys(("drive", "docs", "sheets", "slides", "oauth", "consent"), url)
    section = {**roots, "accounts": {"work": {"key": str(key)}}, "workspace": str(folder)}
    return Settings(sections={"google": section}, deadline=600)
