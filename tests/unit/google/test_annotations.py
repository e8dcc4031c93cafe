"""Annotations are proven by what calls do to the practice Google."""

import json
from pathlib import Path
from typing import Any

from tests.google_samples import SAMPLES
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving


def state(site: GoogleServer) -> str:
    """Everything that the practice Google keeps, except what only counts requests."""
    stored = site.app.state.stored()
    tables = {name: rows for name, rows in stored["tables"].items() if name not in ("codes", "operations")}
    return json.dumps(tables, sort_keys=True)


async def test_tools_that_only_read_change_nothing_and_the_others_do(
    site: GoogleServer, tmp_path: Path
) -> None:
    elsewhere = {"drive_downloadFile"}  # changes the workspace, not Google
    async with serving(site, tmp_path) as client:
        tools = {tool["name"]: tool for tool in await client.tools() if not tool["name"].startswith("tools_")}
        assert {*SAMPLES, "read_on"} == set(tools)
        grants = dict(site.app.state.rows("grants"))
        for name, arguments in SAMPLES.items():
            site.reset()
            site.app.state.rows("grants").update(grants)
            before = state(site)
            reply = await client.send(name, arguments)
            assert not reply.failed, reply.text
            reads = tools[name]["annotations"]["readOnlyHint"]
            assert (state(site) == before) == (reads or name in elsewhere), name
            assert tools[name]["annotations"]["openWorldHint"]


async def test_idempotent_operations_leave_the_same_state_twice(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    grid = {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 7, "startColumnIndex": 0, "endColumnIndex": 4}
    cell = {"userEnteredValue": {"numberValue": 5}}
    samples: dict[str, dict[str, Any]] = {
        "sheets_values_update": {**book, "range": "Months!H1", "values": [[1]], "valueInputOption": "RAW"},
        "sheets_repeatCell": {
            **book,
            "range": {**grid, "startColumnIndex": 7, "endColumnIndex": 8},
            "cell": cell,
            "fields": "userEnteredValue",
        },
        "sheets_sortRange": {
            **book,
            "range": grid,
            "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "ASCENDING"}],
        },
        "sheets_updateSheetProperties": {
            **book,
            "properties": {"sheetId": 0, "title": "M"},
            "fields": "title",
        },
        "drive_files_update": {"fileId": book["spreadsheetId"], "starred": True},
    }
    changing = ("version", "modifiedTime", "revisions", "headRevisionId", "changes")

    def settled() -> str:
        tables = json.loads(state(site))
        tables.pop("changes", None)
        for row in tables["files"]:
            for name in changing:
                row.pop(name, None)
        return json.dumps(tables)

    async with serving(site, tmp_path, tools={"google": "full"}) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}
        for name, arguments in samples.items():
            assert hints[name]["idempotentHint"], name
            assert not (await client.send(name, arguments)).failed
            once = settled()
            assert not (await client.send(name, arguments)).failed
            assert settled() == once, name
        assert not hints["sheets_moveDimension"]["idempotentHint"]
        assert (
            hints["sheets_deleteSheet"]["destructiveHint"] and hints["sheets_values_clear"]["destructiveHint"]
        )
