"""Each classic tool for spreadsheets does over HTTP what its name says: the state afterwards is looked at."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from tests.google_server import GoogleServer

GRID = {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 3, "startColumnIndex": 0, "endColumnIndex": 2}
SOURCE = {
    "sourceSheetId": 0,
    "sourceStartRowIndex": 0,
    "sourceEndRowIndex": 2,
    "sourceStartColumnIndex": 0,
    "sourceEndColumnIndex": 2,
}
PLACE = {
    "destinationSheetId": 0,
    "destinationStartRowIndex": 10,
    "destinationEndRowIndex": 12,
    "destinationStartColumnIndex": 5,
    "destinationEndColumnIndex": 7,
}
ROWS = {"sheetId": 0, "dimension": "ROWS", "startIndex": 1, "endIndex": 3}
RED = {"red": 1.0}


class Book:
    """A spreadsheet as the practice Google shows it to anybody who asks."""

    def __init__(self, site: GoogleServer) -> None:
        self.site, self.id = site, site.id("Budget 2026")

    def values(self, range: str) -> list[list[Any]]:
        answer = self.site.ask("GET", f"/v4/spreadsheets/{self.id}/values/{range}").json()
        return list(answer.get("values", []))

    def sheet(self, place: int = 0) -> dict[str, Any]:
        answer = self.site.ask("GET", f"/v4/spreadsheets/{self.id}", includeGridData="true").json()
        return dict(answer["sheets"][place])

    def named(self) -> list[str]:
        answer = self.site.ask("GET", f"/v4/spreadsheets/{self.id}").json()
        return [one["name"] for one in answer.get("namedRanges", [])]

    def format(self, row: int, column: int) -> dict[str, Any]:
        cell = self.sheet()["data"][0]["rowData"][row]["values"][column]
        return dict(cell.get("userEnteredFormat", {}))

    def size(self) -> tuple[int, int]:
        grid = self.sheet()["properties"]["gridProperties"]
        return grid["rowCount"], grid["columnCount"]

    def dimension(self, kind: str, place: int) -> dict[str, Any]:
        return dict(self.sheet()["data"][0][f"{kind}Metadata"][place])


Case = tuple[str, dict[str, Any], Callable[[Book], bool]]
CASES: list[Case] = [
    (
        "sheets_repeatCell",
        {"range": "Months!a1:b1", "bold": True, "backgroundColor": RED, "numberFormatPattern": "0.00"},
        lambda book: (
            book.format(0, 1)["textFormat"]["bold"]
            and book.format(0, 0)["backgroundColorStyle"] == {"rgbColor": RED}
            and book.format(0, 0)["numberFormat"] == {"type": "NUMBER", "pattern": "0.00"}
            and book.format(1, 0).get("textFormat") is None
        ),
    ),
    (
        "sheets_updateBorders",
        {"range": "Months!A1:B2", "style": "SOLID", "width": 2, "top": True},
        lambda book: (
            book.format(0, 0)["borders"]["top"]["style"] == "SOLID_MEDIUM"
            and "left" not in book.format(0, 0)["borders"]
        ),
    ),
    (
        "sheets_mergeCells",
        {"range": "A1:B2", "mergeType": "MERGE_ALL"},
        lambda book: book.sheet()["merges"][0]["endColumnIndex"] == 2,
    ),
    (
        "sheets_addConditionalFormatRule",
        {
            "range": "Fees",
            "condition": {"type": "NUMBER_GREATER", "value": "1600"},
            "format": {"backgroundColor": RED, "textFormat": {"bold": True}},
        },
        lambda book: (
            (rule := book.sheet()["conditionalFormats"][0])["ranges"][0]["startColumnIndex"] == 1
            and rule["booleanRule"]["condition"]["values"] == [{"userEnteredValue": "1600"}]
            and rule["booleanRule"]["format"]["backgroundColorStyle"] == {"rgbColor": RED}
        ),
    ),
    (
        "sheets_appendValues",
        {"range": "Months!A1", "values": [["July", "7"]]},
        lambda book: book.values("Months!A9:B9") == [["July", "7"]],
    ),
    ("sheets_clearValues", {"range": "Months!A2:B2"}, lambda book: book.values("Months!A2:B2") == []),
    (
        "sheets_batchUpdateValues",
        {"data": [{"range": "Months!H1", "values": [["=1+1"]]}]},
        lambda book: book.values("Months!H1") == [["2"]],
    ),
    (
        "sheets_batchClearValues",
        {"ranges": ["Months!A2", "Months!B3"]},
        lambda book: book.values("Months!A2") == [] == book.values("Months!B3"),
    ),
    (
        "sheets_addSheet",
        {"title": "New", "gridRowCount": 5, "frozenRowCount": 1, "tabColorRed": 1, "index": 1},
        lambda book: (
            (new := book.sheet(1)["properties"])["title"] == "New"
            and new["gridProperties"]["rowCount"] == 5
            and new["gridProperties"]["frozenRowCount"] == 1
            and new["tabColorStyle"] == {"rgbColor": {"red": 1}}
        ),
    ),
    ("sheets_deleteSheet", {"sheetId": 0}, lambda book: book.sheet()["properties"]["title"] != "Months"),
    (
        "sheets_updateSheetProperties",
        {"sheetId": 0, "title": "Jahr", "frozenColumnCount": 2, "tabColorBlue": 0.5},
        lambda book: (
            (new := book.sheet()["properties"])["title"] == "Jahr"
            and new["gridProperties"]["frozenColumnCount"] == 2
            and new["gridProperties"]["rowCount"] == 1000
            and new["tabColorStyle"] == {"rgbColor": {"blue": 0.5}}
        ),
    ),
    ("sheets_insertDimension", ROWS, lambda book: book.values("Months!A4") == [["January"]]),
    ("sheets_deleteDimension", ROWS, lambda book: book.values("Months!A2") == [["March"]]),
    (
        "sheets_moveDimension",
        {**ROWS, "destinationIndex": 5},
        lambda book: book.values("Months!A2:A5") == [["March"], ["April"], ["January"], ["February"]],
    ),
    (
        "sheets_updateDimensionProperties",
        {**ROWS, "pixelSize": 77, "hiddenByUser": True},
        lambda book: book.dimension("row", 1)["pixelSize"] == 77 and book.dimension("row", 2)["hiddenByUser"],
    ),
    (
        "sheets_appendDimension",
        {"sheetId": 0, "dimension": "COLUMNS", "length": 3},
        lambda book: book.size() == (1000, 29),
    ),
    (
        "sheets_insertRange",
        {**GRID, "shiftDimension": "ROWS"},
        lambda book: book.values("Months!A4:C4") == [["January", "1500", "460"]],
    ),
    (
        "sheets_deleteRange",
        {**GRID, "shiftDimension": "ROWS"},
        lambda book: book.values("Months!A2:C2") == [["March", "1800", "380"]],
    ),
    (
        "sheets_copyPaste",
        {**SOURCE, **PLACE, "pasteType": "PASTE_VALUES"},
        lambda book: book.values("Months!F11:G12") == [["Month", "Fees"], ["January", "1500"]],
    ),
    (
        "sheets_cutPaste",
        {**SOURCE, "destinationSheetId": 0, "destinationRowIndex": 10, "destinationColumnIndex": 5},
        lambda book: (
            book.values("Months!F11:G12") == [["Month", "Fees"], ["January", "1500"]]
            and book.values("Months!A1:B1") == []
        ),
    ),
    (
        "sheets_addNamedRange",
        {"name": "Start", **GRID},
        lambda book: book.named() == ["Fees", "Start"],
    ),
    ("sheets_deleteNamedRange", {"namedRangeId": "fees"}, lambda book: book.named() == []),
    (
        "sheets_sortRange",
        {**GRID, "endRowIndex": 7, "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "ASCENDING"}]},
        lambda book: book.values("Months!A2:A3") == [["April"], ["February"]],
    ),
    (
        "sheets_setBasicFilter",
        GRID,
        lambda book: book.sheet()["basicFilter"]["range"]["endRowIndex"] == 3,
    ),
    (
        "sheets_findReplace",
        {"find": "January", "replacement": "First", "sheetId": 0},
        lambda book: book.values("Months!A2") == [["First"]],
    ),
    (
        "sheets_textToColumns",
        {**GRID, "endColumnIndex": 1, "delimiterType": "CUSTOM", "delimiter": "nu"},
        lambda book: book.values("Months!A2:B2") == [["Ja", "ary"]],
    ),
    (
        "sheets_createSpreadsheet",
        {"title": "Crew", "locale": "de_DE"},
        lambda book: book.site.row("Crew")["mimeType"].endswith("spreadsheet"),
    ),
]


@pytest.mark.parametrize(("name", "arguments", "holds"), CASES, ids=[case[0] for case in CASES])
async def test_it_does_what_its_name_says(
    site: GoogleServer,
    classic: TestClient,
    name: str,
    arguments: dict[str, Any],
    holds: Callable[[Book], bool],
) -> None:
    book = Book(site)
    which = {} if name == "sheets_createSpreadsheet" else {"spreadsheetId": book.id}
    done = await classic.send(name, {**which, **arguments})
    assert not done.failed, done.text
    assert book.id not in done.text
    assert holds(book), done.text


async def test_tools_that_undo_or_tidy(site: GoogleServer, classic: TestClient) -> None:
    book = Book(site)
    one = {"spreadsheetId": book.id}
    messy = [["  a  b "], ["x"], ["x"]]
    column = {**GRID, "startRowIndex": 0, "endRowIndex": 3, "startColumnIndex": 7, "endColumnIndex": 8}
    compared = [{"sheetId": 0, "dimension": "COLUMNS", "startIndex": 7, "endIndex": 8}]
    await classic.call("sheets_mergeCells", range="Months!A1:B3", mergeType="MERGE_ALL", **one)
    await classic.call("sheets_unmergeCells", **one, **{**GRID, "startRowIndex": 0})
    await classic.call("sheets_setBasicFilter", **one, **GRID)
    await classic.call("sheets_clearBasicFilter", sheetId=0, **one)
    await classic.call("sheets_batchUpdateValues", data=[{"range": "Months!H1:H3", "values": messy}], **one)
    trimmed = await classic.call("sheets_trimWhitespace", **one, **column)
    fewer = await classic.call("sheets_deleteDuplicates", comparisonColumns=compared, **one, **column)
    fitted = await classic.call("sheets_autoResizeDimensions", **one, **{**ROWS, "dimension": "COLUMNS"})
    sheet = book.sheet()
    assert not sheet.get("merges") and "basicFilter" not in sheet
    assert book.values("Months!H1:H3") == [["a b"], ["x"]]
    assert trimmed.text == '{"cellsChangedCount":1}' and fewer.text == '{"duplicatesRemovedCount":1}'
    assert not fitted.failed and book.dimension("column", 1)["pixelSize"] > 0


async def test_values_of_several_ranges_are_read_as_they_are_asked_for(
    site: GoogleServer, classic: TestClient
) -> None:
    book = Book(site)
    one = {"spreadsheetId": book.id, "ranges": ["Months!A1:B2", "Fees"]}
    text = await classic.call("sheets_batchGetValues", **one)
    data = await classic.call("sheets_batchGetValues", response_format="json", **one)
    columns = await classic.call(
        "sheets_batchGetValues",
        majorDimension="COLUMNS",
        valueRenderOption="FORMULA",
        response_format="json",
        **{**one, "ranges": ["Months!A1:B2"]},
    )
    none = await classic.call("sheets_batchGetValues", **{**one, "ranges": ["Sheet1!A1"]})
    [first, fees] = json.loads(data.text)["valueRanges"]
    assert first["values"] == book.values("Months!A1:B2") == [["Month", "Fees"], ["January", "1500"]]
    assert fees["values"] == book.values("Fees") and len(fees["values"]) > 1
    assert "Month\tFees\nJanuary\t1500" in text.text
    assert json.loads(columns.text)["valueRanges"][0]["values"] == [["Month", "January"], ["Fees", 1500]]
    assert none.failed and "Sheets (rows x columns): Months" in none.text


async def test_a_spreadsheet_is_summed_up_and_read_with_its_cells(
    site: GoogleServer, classic: TestClient
) -> None:
    one = {"spreadsheetId": Book(site).id}
    about = await classic.call("sheets_getSpreadsheet", **one)
    cells = {"ranges": ["Months!A1:B1"], "includeGridData": True, "returnMode": "full"}
    whole = await classic.call("sheets_getSpreadsheet", **cells, response_format="json", **one)
    assert "Months" in about.text and "Notes & plans" in about.text and "Fees" in about.text
    [row] = json.loads(whole.text)["sheets"][0]["data"][0]["rowData"]
    assert [cell["formattedValue"] for cell in row["values"]] == ["Month", "Fees"]
