"""An operation of every kind is called over HTTP, through the tools that call the others."""

from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.catalogue.operations import operation
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving
from tests.unit.google.test_annotations import state

BOOK, PAPER, FILE = "Budget 2026", "Minutes October", "Pier plan.txt"
FIRST = {"sheetId": 0, "dimension": "ROWS", "startIndex": 20, "endIndex": 21}
KINDS: list[tuple[str, str, str, dict[str, Any], str]] = [  # tool, operation, file, arguments, in the answer
    ("tools_read", "drive_about_get", "", {}, "alice@harbour.example"),
    ("tools_read", "drive_files_list", "", {"pageSize": 2}, '"nextPageToken"'),
    ("tools_read", "drive_revisions_list", FILE, {}, '"revisions"'),
    ("tools_write", "drive_drives_create", "", {"requestId": "1", "name": "Boats"}, '"Boats"'),
    ("tools_write", "drive_files_update", FILE, {"starred": True}, "Pier plan.txt"),
    ("tools_write", "drive_permissions_create", FILE, {"type": "anyone", "role": "reader"}, "anyone"),
    ("tools_delete", "drive_files_delete", FILE, {}, ""),
    ("tools_read", "sheets_values_get", BOOK, {"range": "Months!A1"}, '"values"'),
    (
        "tools_write",
        "sheets_values_update",
        BOOK,
        {"range": "Months!H1", "values": [[7]], "valueInputOption": "RAW"},
        '"updatedCells":1',
    ),
    ("tools_delete", "sheets_values_clear", BOOK, {"range": "Months!A2"}, "Months!A2"),
    ("tools_write", "sheets_addSheet", BOOK, {"properties": {"title": "New"}}, '"New"'),
    ("tools_write", "sheets_insertDimension", BOOK, {"range": FIRST}, ""),
    ("tools_delete", "sheets_deleteDimension", BOOK, {"range": FIRST}, ""),
    ("tools_read", "docs_get", PAPER, {}, '"body"'),
    ("tools_write", "docs_insertText", PAPER, {"location": {"index": 1}, "text": "Ahoy. "}, ""),
    (
        "tools_delete",
        "docs_deleteContentRange",
        PAPER,
        {"range": {"startIndex": 1, "endIndex": 3}},
        "",
    ),
    ("tools_write", "slides_create", "", {"title": "Deck"}, '"presentationId"'),
]


@pytest.mark.parametrize(("tool", "name", "file", "arguments", "words"), KINDS, ids=[one[1] for one in KINDS])
async def test_an_operation_of_every_kind_does_its_work(
    site: GoogleServer, tmp_path: Path, tool: str, name: str, file: str, arguments: dict[str, Any], words: str
) -> None:
    ids = [one for one in operation(name).entry.takes if one in ("fileId", "spreadsheetId", "documentId")]
    given = {**arguments, **({ids[0]: site.id(file)} if file else {})}
    async with serving(site, tmp_path) as client:
        before = state(site)
        reply = await client.send(tool, {"tool": name, "arguments": given})
    assert not reply.failed, reply.text
    assert words in reply.text
    assert (state(site) == before) == (tool == "tools_read"), name
    method = operation(name).facts["method"]
    assert [one.split(" ")[0] for one in site.asked] == [method]


async def test_an_export_is_a_text_or_told_where_to_go(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:

        async def exported(file: str, media: str) -> str:
            given = {"fileId": site.id(file), "mimeType": media}
            told = await client.send("tools_read", {"tool": "drive_files_export", "arguments": given})
            return told.text

        table, paper = await exported(BOOK, "text/csv"), await exported(PAPER, "text/markdown")
        picture, wrong = await exported(BOOK, "application/pdf"), await exported(BOOK, "image/png")
        site.row(PAPER)["exports"] = 2_000_000
        long = await exported(PAPER, "text/plain")
    assert "January,1500,380" in table and "# Minutes of the harbour council" in paper
    assert "application/pdf is not text. Use drive_downloadFile." in picture
    assert "A spreadsheet cannot become 'image/png'." in wrong
    assert "It has 2,000,000 bytes. drive_exportFile reads it in parts." in long


@pytest.mark.parametrize(
    ("tool", "name", "arguments"),
    [
        ("tools_read", "sheets_values_get", {"range": "Sheet1!A1"}),
        ("tools_write", "sheets_values_append", {"range": "Sheet1!A1", "values": [["x"]]}),
        ("tools_delete", "sheets_values_clear", {"range": "Sheet1!A1"}),
        ("tools_delete", "sheets_deleteSheet", {"sheetId": 77}),
    ],
)
async def test_a_wrong_sheet_is_answered_with_the_sheets_whatever_the_operation(
    site: GoogleServer, tmp_path: Path, tool: str, name: str, arguments: dict[str, Any]
) -> None:
    more = {"valueInputOption": "RAW"} if name.endswith("append") else {}
    given = {"spreadsheetId": site.id(BOOK), **arguments, **more}
    async with serving(site, tmp_path) as client:
        told = await client.send(tool, {"tool": name, "arguments": given})
    assert told.failed and "Sheets (rows x columns): Months (1000 x 26" in told.text
