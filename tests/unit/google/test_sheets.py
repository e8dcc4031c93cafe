"""Sheets: ranges in every notation, windows over large ones, writes that say what changed."""

import json
from pathlib import Path

import pytest

from laconic.sandbox.google.books.book import new_book, store
from laconic.servers.google.models.sheets import Cell, cell_text
from laconic.servers.google.sheets.ranges import SheetRange, parsed_range
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving
from tests.unit.google.test_accounts import service_key


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Sheet1!A1:B2", SheetRange("Sheet1", 0, 2, 0, 2)),
        ("a1:b2", SheetRange(None, 0, 2, 0, 2)),
        ("Sheet1!$A$5:A", SheetRange("Sheet1", 4, None, 0, 1)),
        ("Sheet1!A:C", SheetRange("Sheet1", 0, None, 0, 3)),
        ("Sheet1!1:2", SheetRange("Sheet1", 0, 2, 0, None)),
        ("'It''s mine'!AA10", SheetRange("It's mine", 9, 10, 26, 27)),
        ("'CO2'", SheetRange("CO2")),
        ("CO2", SheetRange(None, 1, 2, 92, 93)),
        ("Sheet1!R2C3:R4C5", SheetRange("Sheet1", 1, 4, 2, 5)),
        ("Fees", None),
        ("Sheet1!B3:A1", SheetRange("Sheet1", 0, 3, 0, 2)),
        ("Sheet1!A0", None),
        ("Sheet1!nonsense here", None),
    ],
)
def test_a_range_is_read_in_every_notation(text: str, found: SheetRange | None) -> None:
    assert parsed_range(text) == found


@pytest.mark.parametrize(
    "text", ["Sheet1!A1:B2", "Sheet1!A5:A", "'It''s mine'!B2:C3", "'CO2'!A1:A2", "Sheet1!1:2"]
)
def test_what_is_written_is_read_as_the_same_range(text: str) -> None:
    found = parsed_range(text)
    assert found is not None and parsed_range(found.written()) == found


def test_cells_that_would_be_misread_are_quoted() -> None:
    cells: list[Cell] = ["plain", 12, 1.5, True, None, "a\tb", "two\nlines", ' "x"', "", "5%"]
    assert [cell_text(cell) for cell in cells] == [
        *("plain", "12", "1.5", "TRUE", "", '"a\\tb"', '"two\\nlines"', '" \\"x\\""', "", "5%"),
    ]


async def test_a_text_like_a_number_is_told_from_the_number_where_values_are_not_formatted(
    site: GoogleServer, tmp_path: Path
) -> None:
    book = {"spreadsheetId": site.id("Boats and berths")}
    cells = ["12", 12, "TRUE", True, "1e5", "-.5", "007", "12 m", "1,2"]
    answers = {}
    async with serving(site, tmp_path) as client:
        await client.call("sheets_batchUpdateValues", range="Boats!A1", values=[cells], raw=True, **book)
        for render in ("formatted", "unformatted", "formulas"):
            told = await client.call("sheets_batchGetValues", ranges=["Boats!A1:I1"], render=render, **book)
            answers[render] = told.text.splitlines()[-1]
    assert answers["formatted"] == "1 12\t12\tTRUE\tTRUE\t1e5\t-.5\t007\t12 m\t1,2"
    assert answers["unformatted"] == '1 "12"\t12\t"TRUE"\tTRUE\t"1e5"\t"-.5"\t"007"\t12 m\t1,2'
    assert answers["formulas"] == answers["unformatted"]


@pytest.mark.parametrize("mode", ["summary", "full"])
@pytest.mark.parametrize("range", ["Months!A1:Z5000", "Months!A1:ZZ99999", "Months!A3:E20000", "A1:C9999"])
async def test_a_range_may_end_beyond_the_end_of_its_sheet(
    site: GoogleServer, tmp_path: Path, range: str, mode: str
) -> None:
    book = {"spreadsheetId": site.id("Budget 2026"), "ranges": [range]}
    async with serving(site, tmp_path) as client:
        read = await client.call("sheets_batchGetValues", returnMode=mode, **book)
        found = await client.call("sheets_batchGetValues", find="june", **book)
    assert read.text.splitlines()[-1].startswith("8 Total\t11250\t2880") and not read.cursor
    assert found.text.splitlines()[-1].startswith("7 June\t2250\t580")


async def test_a_range_that_begins_beyond_the_end_of_its_sheet_is_answered_with_the_sizes(
    site: GoogleServer, tmp_path: Path
) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    async with serving(site, tmp_path) as client:
        told = [
            await client.call("sheets_batchGetValues", ranges=[range], **book)
            for range in ("Months!A2000:B9000", "Months!ZZ1:ZZ", "Months!A2000:B", "Months!A2000:B2001")
        ]
        full = await client.call("sheets_batchUpdateValues", range="Months!A1001", values=[["x"]], **book)
    assert all(one.failed and "Months (1000 x 26)" in one.text for one in told)
    assert full.text.endswith("sheets_appendValues adds rows below the last one.")


async def test_a_sheet_with_a_title_like_a_cell_is_read_and_no_cell_is_written_in_its_place(
    site: GoogleServer, tmp_path: Path
) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    added = [{"addSheet": {"properties": {"title": "Q1"}}}]
    async with serving(site, tmp_path) as client:
        await client.call("sheets_edit", requests=added, **book)
        await client.call("sheets_batchUpdateValues", range="'Q1'!A1", values=[["Rent", 5]], **book)
        read = await client.call("sheets_batchGetValues", ranges=["Q1"], **book)
        before = len(site.asked)
        written = await client.call("sheets_batchUpdateValues", range="Q1", values=[["x"]], **book)
        appended = await client.call("sheets_appendValues", range="Q1", values=[["x"]], **book)
        assert not [one for one in site.asked[before:] if one.startswith(("PUT", "POST"))]
        cell = await client.call("sheets_batchUpdateValues", range="Q2", values=[["x"]], **book)
        quoted = await client.call("sheets_appendValues", range="'Q1'", values=[["Fuel", 6]], **book)
    assert read.text == "1 row:\nQ1!A:Z\n1 Rent\t5"
    advice = (
        "'Q1' is a sheet, and a cell of Months as well. Pass 'Q1'!A1 for the sheet, Months!Q1 for the cell."
    )
    assert advice in written.text and advice in appended.text
    assert cell.text == "Wrote 1 cell: Months!Q2."
    assert quoted.text == "Added 1 row at 'Q1'!A2:B2 after the table 'Q1'!A1:B1."


async def test_many_cells_of_the_first_sheet_are_written_in_two_requests(
    site: GoogleServer, tmp_path: Path
) -> None:
    data = [{"range": f"G{number}", "values": [[number]]} for number in range(1, 31)]
    async with serving(site, tmp_path) as client:
        await client.call("drive_listFiles")  # signs in
        before = len(site.asked)
        done = await client.call("sheets_batchUpdateValues", spreadsheetId=site.id("Budget 2026"), data=data)
    assert done.text.startswith("Wrote 30 cells: Months!G1,")
    assert [one.split(" ")[0] for one in site.asked[before:]] == ["GET", "POST"]


async def test_named_ranges_sheets_and_formulas_are_read(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    async with serving(site, tmp_path) as client:
        named = await client.call("sheets_batchGetValues", ranges=["Fees"], **book)
        notes = await client.call("sheets_batchGetValues", ranges=["Notes & plans"], **book)
        formulas = await client.call("sheets_batchGetValues", ranges=["Months!E8"], render="formulas", **book)
        numbered = await client.call("sheets_batchGetValues", ranges=["Months!R2C1:R2C2"], **book)
        several = await client.call("sheets_batchGetValues", ranges=["Months!A2:A3", "Months!E2:E3"], **book)
    assert named.text.startswith("6 rows:\nMonths!B:B\n2 1500\n3 1650\n")
    assert "2 Fees rise in July\tAlice\t2026-07-01" in notes.text
    assert formulas.text.endswith("8 =SUM(E2:E7)")
    assert numbered.text.endswith("2 January\t1500")
    assert several.text == "4 rows:\nMonths!A:A\n2 January\n3 February\nMonths!E:E\n2 900\n3 1005"


async def test_a_range_of_indices_is_read_and_written(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    grid = {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 2}
    below = {"startRowIndex": 40, "endRowIndex": 41, "startColumnIndex": 0, "endColumnIndex": 2}
    async with serving(site, tmp_path) as client:
        read = await client.call("sheets_batchGetValues", ranges=[grid], **book)
        as_text = await client.call("sheets_batchGetValues", ranges=[json.dumps(grid)], **book)
        wrote = await client.call("sheets_batchUpdateValues", range=below, values=[[1, 2]], **book)
        absent = await client.call("sheets_batchGetValues", ranges=[{"sheetId": 99}], **book)
        odd = await client.call("sheets_batchGetValues", ranges=[{"sheetId": 0, "rows": 5}], **book)
    assert read.text.endswith("2 January\t1500") and as_text.text == read.text
    assert wrote.text == "Wrote 2 cells: Months!A41:B41."
    for told in (absent, odd):
        assert told.failed and "Sheets (rows x columns): Months" in told.text, told.text


async def test_a_wrong_sheet_is_answered_with_the_sheets_and_their_sizes(
    site: GoogleServer, tmp_path: Path
) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    sheets = "Sheets (rows x columns): Months (1000 x 26), 'Notes & plans' (1000 x 26). Named ranges: Fees."
    async with serving(site, tmp_path) as client:
        bounded = await client.call("sheets_batchGetValues", ranges=["Sheet1!A1:B2"], **book)
        whole = await client.call("sheets_batchGetValues", ranges=["Month"], **book)
        write = await client.call("sheets_batchUpdateValues", range="Sheet1!A1", values=[[1]], **book)
        append = await client.call("sheets_appendValues", range="Sheet1!A1", values=[[1]], **book)
        past = await client.call("sheets_batchUpdateValues", range="Months!A2000", values=[[1]], **book)
        wide = await client.call("sheets_batchUpdateValues", range="Months!A1:B1", values=[[1, 2, 3]], **book)
    for told in (bounded, whole, write, append, past, wide):
        assert told.failed and sheets in told.text, told.text
    assert "Did you mean 'Months'?" in whole.text
    assert "exceeds grid limits" in past.text and "but tried writing to column [C]" in wide.text
    assert wide.text.endswith("Pass a range with a place for every value, or only its first cell.")


async def test_ids_of_sheets_are_told_where_requests_need_them(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    async with serving(site, tmp_path) as client:
        grid = await client.call("sheets_batchGetValues", ranges=[{"sheetId": 77}], **book)
        about = await client.call("sheets_getSpreadsheet", **book)
        wrong = await client.call("sheets_edit", requests=[{"deleteSheet": {"sheetId": 77}}], **book)
    for told in (about, wrong, grid):
        assert "Months (1000 x 26, sheetId 0), 'Notes & plans' (1000 x 26, sheetId 101)." in told.text, (
            told.text
        )


async def test_one_row_and_one_cell_are_counted_as_one(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    async with serving(site, tmp_path) as client:
        added = await client.call("sheets_appendValues", range="Months!A1", values=[["May"]], **book)
        wrote = await client.call("sheets_batchUpdateValues", range="Months!H1", values=[[1]], **book)
    assert added.text.startswith("Added 1 row at ") and wrote.text == "Wrote 1 cell: Months!H1."


def large(site: GoogleServer, rows: int, *, gap: int = 0) -> str:
    """A sheet of so many rows, perhaps with empty ones before the last."""
    id = site.id("Boats and berths")
    book = new_book(site.app.state, id, "Large")
    sheet = book["sheets"][0]
    sheet["properties"]["gridProperties"] |= {"rowCount": rows + gap + 10, "columnCount": 4}
    sheet["rows"] = [[f"row {n}", n, n * 2] for n in range(1, rows)]
    sheet["rows"] += [[] for _ in range(gap)] + [["last", 1, 2]]
    store(site.app.state)[id] = book
    return id


async def test_a_large_sheet_is_read_in_pages_to_its_end(site: GoogleServer, tmp_path: Path) -> None:
    id, texts, cursor = large(site, 2_500), list[str](), ""
    async with serving(site, tmp_path) as client:
        while True:
            more = {"cursor": cursor} if cursor else {"ranges": ["Sheet1"], "limit": 1000}
            reply = await client.send(
                "sheets_batchGetValues", {"spreadsheetId": id, **more, "budget": 90_000}
            )
            texts += [line for line in reply.text.splitlines() if "\t" in line]
            cursor = reply.cursor
            if not cursor:
                break
    assert [line.split(" ")[0] for line in texts] == [str(n) for n in range(1, 2_501)]
    assert texts[-1] == "2500 last\t1\t2"


async def test_empty_rows_do_not_hide_what_comes_after_them(site: GoogleServer, tmp_path: Path) -> None:
    id = large(site, 60, gap=9_000)
    async with serving(site, tmp_path) as client:
        first = await client.call("sheets_batchGetValues", spreadsheetId=id, returnMode="full")
        rest = await client.call("sheets_batchGetValues", spreadsheetId=id, cursor=first.cursor)
    assert "59 row 59" in first.text and "9060 last" in rest.text and not rest.cursor


@pytest.mark.parametrize("limit", [4, 8, 20])
async def test_no_cursor_leads_to_a_page_without_rows(site: GoogleServer, tmp_path: Path, limit: int) -> None:
    book, pages = {"spreadsheetId": site.id("Budget 2026")}, list[int]()
    async with serving(site, tmp_path) as client:
        reply = await client.call("sheets_batchGetValues", limit=limit, **book)
        while True:
            pages.append(sum("\t" in line for line in reply.text.splitlines()))
            if not reply.cursor:
                break
            reply = await client.call("sheets_batchGetValues", cursor=reply.cursor, **book)
    assert pages == {4: [4, 4], 8: [8], 20: [8]}[limit]


async def test_sheets_are_read_page_by_page_without_any_right_to_drive(
    site: GoogleServer, tmp_path: Path
) -> None:
    key = service_key(site, tmp_path, delegated=["alice@harbour.example"])
    accounts = {"alice": {"key": key, "subject": "alice@harbour.example"}}
    book = {"spreadsheetId": site.id("Budget 2026")}
    async with serving(site, tmp_path, accounts=accounts, services=["sheets"]) as client:
        first = await client.call("sheets_batchGetValues", limit=5, **book)
        rest = await client.call("sheets_batchGetValues", cursor=first.cursor, **book)
        found = await client.call("sheets_batchGetValues", find="may", **book)
    assert "5 April" in first.text and "8 Total" in rest.text and not rest.cursor
    assert found.text.endswith("6 May\t2100\t540\t240\t1320")


async def test_an_ordinary_sheet_is_read_with_three_requests(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Budget 2026")
    async with serving(site, tmp_path) as client:
        read = await client.call("sheets_batchGetValues", spreadsheetId=id)
    assert read.text.startswith("8 rows:\n")
    assert site.asked == [
        f"GET v4/spreadsheets/{id}",
        f"GET drive/v3/files/{id}",
        f"GET v4/spreadsheets/{id}/values:batchGet",
    ]


async def test_rows_with_a_word_are_found_in_a_large_sheet(site: GoogleServer, tmp_path: Path) -> None:
    id = large(site, 12_000)
    async with serving(site, tmp_path) as client:
        found = await client.call("sheets_batchGetValues", spreadsheetId=id, find="ROW 11998")
        none = await client.call("sheets_batchGetValues", spreadsheetId=id, find="nowhere")
        many = await client.call("sheets_batchGetValues", spreadsheetId=id, find="row 1", limit=2)
        more = await client.call(
            "sheets_batchGetValues", spreadsheetId=id, find="row 1", cursor=many.cursor, limit=2
        )
    assert found.text == "1 row:\nSheet1!A:D\n11998 row 11998\t11998\t23996"
    assert 'find="nowhere"' in none.text and none.text.startswith("No rows match")
    assert "1 row 1\t" in many.text and "10 row 10\t" in many.text
    assert "11 row 11\t" in more.text and "12 row 12\t" in more.text


async def test_values_are_written_as_if_typed_or_as_they_are(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    values = [["=1+1", "2026-05-01", "5%", True, None, "'007"]]
    async with serving(site, tmp_path) as client:
        await client.call("sheets_batchUpdateValues", range="Months!H1:M1", values=[["old"] * 6], **book)
        typed = await client.call("sheets_batchUpdateValues", range="Months!H1:M1", values=values, **book)
        seen = await client.call("sheets_batchGetValues", ranges=["Months!H1:M1"], **book)
        raw = [{"range": "Months!H2", "values": [["=1+1"]]}, {"range": "Months!H3", "values": [["5%"]]}]
        both = await client.call("sheets_batchUpdateValues", data=raw, raw=True, **book)
        kept = await client.call("sheets_batchGetValues", ranges=["Months!H2:H3"], **book)
        nothing = await client.call("sheets_batchUpdateValues", **book)
        half = await client.call("sheets_batchUpdateValues", data=raw, range="Months!A1", **book)
    assert typed.text == "Wrote 5 cells: Months!H1:M1."
    assert seen.text.endswith("1 2\t2026-05-01\t5%\tTRUE\told\t007")
    assert both.text == "Wrote 2 cells: Months!H2, Months!H3."
    assert kept.text.endswith("2 =1+1\n3 5%")
    assert "Pass range and values, or data." in nothing.text and half.text == nothing.text


async def test_rows_are_appended_once_per_key(site: GoogleServer, tmp_path: Path) -> None:
    call = {
        "spreadsheetId": site.id("Budget 2026"),
        "range": "Months!A1",
        "values": [["July", 1], ["August", 2]],
    }
    async with serving(site, tmp_path) as client:
        first = await client.call("sheets_appendValues", idempotencyKey="k1", **call)
        again = await client.call("sheets_appendValues", idempotencyKey="k1", **call)
        other = await client.call("sheets_appendValues", idempotencyKey="k2", **call)
    assert first.text == "Added 2 rows at Months!A9:B10 after the table Months!A1:E8."
    assert again.text.startswith(first.text)
    assert "Months!A11:B12" in other.text
    assert len([one for one in site.asked if one.endswith(":append")]) == 2


async def test_a_batch_is_checked_and_done_as_a_whole(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    add = {"addSheet": {"properties": {"title": "New"}}}
    freeze = {
        "updateSheetProperties": {
            "properties": {"gridProperties": {"frozenRowCount": 1}},
            "fields": "gridProperties.frozenRowCount",
        }
    }
    async with serving(site, tmp_path) as client:
        dry = await client.call("sheets_edit", requests=[add], dryRun=True, **book)
        wrong = await client.call("sheets_edit", requests=[add, {"deleteSheet": {"sheetId": 99}}], **book)
        unknown = await client.call("sheets_edit", requests=[{"addShet": {}}], **book)
        deep = await client.call(
            "sheets_edit", requests=[add, {"sortRange": {"range": {"sheetID": 0}}}], **book
        )
        before = await client.call("sheets_getSpreadsheet", **book)
        done = await client.call("sheets_edit", requests=[freeze, add], **book)
        after = await client.call("sheets_getSpreadsheet", **book)
    assert dry.text.startswith("1 request would be sent; nothing was. Names and types fit; only Google")
    assert "Invalid requests[1].deleteSheet: No grid with id: 99" in wrong.text
    assert "Did you mean 'addSheet'?" in unknown.text
    assert "requests[1].sortRange: Unknown argument 'range.sheetID'. Did you mean 'sheetId'?" in deep.text
    assert "New" not in before.text and '"done":2' in done.text and "'New'" in after.text


async def test_a_file_that_is_no_spreadsheet_is_told(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        told = await client.call("sheets_getSpreadsheet", spreadsheetId=site.id("Pier plan.txt"))
        made = await client.call("sheets_createSpreadsheet", title="Crew", sheets=["People", "Shifts"])
        new = await client.call("sheets_getSpreadsheet", spreadsheetId=made.text.split()[1].rstrip(":"))
    assert "This operation is not supported for this document" in told.text
    assert "The file is of another type. drive_getFile says which. drive_exportFile reads it." in told.text
    assert "People (1000 x 26, sheetId 100), Shifts (1000 x 26, sheetId 201)." in new.text
