"""Rubbish: what callers pass by mistake is understood, or refused in words, never a bug."""

from pathlib import Path
from typing import Any

import pytest

from tests.google_samples import BUDGET, DECK
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

TABLE = "cost_table"


async def test_the_address_of_a_page_is_as_good_as_an_id(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Budget 2026")
    async with serving(site, tmp_path) as client:
        book = await client.call(
            "sheets_getSpreadsheet", spreadsheetId=f"https://docs.google.com/spreadsheets/d/{id}/edit#gid=0"
        )
        file = await client.call("drive_getFile", fileId=f"https://drive.google.com/open?id={id}")
        folder = f"https://drive.google.com/drive/folders/{site.id('Harbour')}?usp=sharing"
        who = await client.call("drive_listPermissions", fileId=folder)
        inside = await client.call("drive_listFiles", folder=folder, name="Budget")
        page = f"https://docs.google.com/spreadsheets/d/{id}/edit#gid=0"
        given = {"spreadsheetId": page, "range": "Months!A2"}
        cell = await client.send("tools_read", {"tool": "sheets_values_get", "arguments": given})
        made = await client.call("drive_createFile", name="Drafts", type="folder", folder=folder)
        moved = await client.call("drive_updateFile", fileId=made.text.split()[1], folder=folder)
    assert (
        book.text.startswith("'Budget 2026'. Sheets") and f"id: {id}" in file.text and "owns it" in who.text
    )
    assert '"January"' in cell.text
    assert "Budget 2026" in inside.text and not made.failed and not moved.failed


@pytest.mark.parametrize("operation", [False, True])
async def test_who_changes_a_file_by_its_address_is_told_that_what_was_read_is_old(
    site: GoogleServer, tmp_path: Path, operation: bool
) -> None:
    id = site.id("Pier plan.txt")
    site.app.blobs.put(id, b"a line of the plan\n" * 4_000)
    change = {"fileId": f"https://drive.google.com/file/d/{id}/view", "starred": True}
    async with serving(site, tmp_path) as client:
        read = await client.call("drive_exportFile", fileId=id, returnMode="full")
        if operation:
            await client.send("tools_write", {"tool": "drive_files_update", "arguments": change})
        else:
            await client.send("drive_updateFile", change)
        handle = read.text.split("handle='")[1].split("'")[0]
        told = await client.send("read_on", {"handle": handle, "lines": "1-2"})
    assert told.failed and "was changed since it was kept" in told.text


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("sheets_edit", {"requests": []}, "Invalid requests"),
        ("sheets_edit", {"requests": [{"addSheet": 5}]}, "Invalid requests[0].addSheet: expected an object."),
        ("sheets_edit", {"requests": [{"addSheet": {}, "deleteSheet": {}}]}, "expected one key"),
        ("sheets_batchGetValues", {"ranges": ["Months!A0"]}, "There is no range 'Months!A0'."),
        ("sheets_batchGetValues", {"ranges": ["''"]}, "There is no range"),
        (
            "sheets_batchUpdateValues",
            {"range": "Months!A1", "values": [["a", {"b": 1}]]},
            "Invalid values[0][1]",
        ),
        (
            "drive_listFiles",
            {"type": "spreadsheets"},
            "Unknown type 'spreadsheets'. Did you mean spreadsheet?",
        ),
        ("drive_listFiles", {"modifiedAfter": "yesterday"}, "Expected: date, such as 2026-01-31."),
        ("drive_createFile", {"name": ""}, "Invalid name"),
        ("drive_createFile", {"name": "x", "content": "a", "path": "b"}, "Pass content or path, not both."),
        ("drive_deleteFile", {"fileId": "root", "permanent": True}, "The root folder cannot be deleted."),
        ("drive_getFile", {"fileId": "../../about"}, "only dots"),
        ("slides_edit", {"requests": [{"moveSlides": {"slides": [], "to": 1}}]}, "slides must be numbers"),
        ("slides_edit", {"requests": [{"moveSlides": {"slides": [1], "to": True}}]}, "to must be a number"),
        ("slides_edit", {"requests": [{"addSlides": {"markdown": "# x", "at": "1"}}]}, "at must be a number"),
        (
            "slides_edit",
            {"requests": [{"replaceText": {"find": "a", "replace": "b", "slides": {"a": 1}}}]},
            "slides must be numbers or object ids",
        ),
        (
            "slides_edit",
            {"requests": [{"fillTable": {"table": TABLE, "rows": [["a"]], "row": "x"}}]},
            "row must be a number from 0 on.",
        ),
        (
            "slides_edit",
            {"requests": [{"setText": {"object": TABLE, "text": "a", "row": 0, "column": 1.5}}]},
            "column must be a number from 0 on.",
        ),
    ],
)
async def test_what_cannot_be_meant_is_refused_and_changes_nothing(
    site: GoogleServer, tmp_path: Path, tool: str, given: dict[str, Any], words: str
) -> None:
    about = {"slides_edit": DECK}.get(tool, BUDGET if tool.startswith("sheets") else {})
    async with serving(site, tmp_path) as client:
        told = await client.send(tool, {**about, **given})
    assert told.failed and words in told.text, told.text
    assert "not known" not in told.text and told.error["code"] != "INTERNAL_ERROR"


async def test_empty_cells_and_a_wrong_conversion_are_told(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        empty = await client.call(
            "sheets_batchGetValues", spreadsheetId=site.id("Budget 2026"), ranges=["Months!Z900:Z950"]
        )
        wrong = await client.call("drive_createFile", name="x", type="presentation", content="# Title")
    assert "These cells are empty." in empty.text
    assert "The conversion of this type is not supported." in wrong.text and "not known" not in wrong.text
