"""The practice Sheets: what names cells follows them, formulas are repeated, protections are kept."""

from typing import Any

import pytest

from tests.google_server import GoogleServer

ROWS = {"sheetId": 0, "dimension": "ROWS"}
COLUMNS = {"sheetId": 0, "dimension": "COLUMNS"}


@pytest.fixture
def site(served: GoogleServer) -> GoogleServer:
    served.reset()
    return served


class Book:
    """A spreadsheet with a sheet, Sheet1, and another one whose formulas are about the first."""

    def __init__(self, site: GoogleServer, cells: list[list[Any]], others: list[list[Any]]) -> None:
        self.site = site
        self.path = f"/v4/spreadsheets/{site.ask('POST', '/v4/spreadsheets', {}).json()['spreadsheetId']}"
        self.send(addSheet={"properties": {"title": "It's two"}})
        self.write("Sheet1!A1", cells)
        self.write("'It''s two'!A1", others)

    def send(self, **request: Any) -> Any:
        reply = self.site.ask("POST", f"{self.path}:batchUpdate", {"requests": [request]})
        assert reply.status_code == 200, reply.text
        return reply.json()["replies"][0]

    def refused(self, **request: Any) -> str:
        reply = self.site.ask("POST", f"{self.path}:batchUpdate", {"requests": [request]})
        assert reply.status_code == 400, reply.text
        return str(reply.json()["error"]["message"])

    def write(self, range: str, values: list[list[Any]]) -> None:
        path = f"{self.path}/values/{range}"
        assert (
            self.site.ask("PUT", path, {"values": values}, valueInputOption="USER_ENTERED").status_code == 200
        )

    def read(self, range: str, render: str = "FORMULA") -> Any:
        path = f"{self.path}/values/{range}"
        return self.site.ask("GET", path, valueRenderOption=render).json().get("values")

    @property
    def sheet(self) -> Any:
        return self.site.ask("GET", self.path).json()["sheets"][0]


CHANGES: list[tuple[dict[str, Any], str, str, str]] = [  # a request, and formulas of both sheets after it
    (
        {"insertDimension": {"range": {**ROWS, "startIndex": 0, "endIndex": 2}}},
        "E3",
        "=SUM(A3:A6)+$B$4",
        "A6",
    ),
    (
        {"insertDimension": {"range": {**ROWS, "startIndex": 2, "endIndex": 3}}},
        "E1",
        "=SUM(A1:A5)+$B$2",
        "A5",
    ),
    (
        {"insertDimension": {"range": {**ROWS, "startIndex": 4, "endIndex": 5}}},
        "E1",
        "=SUM(A1:A4)+$B$2",
        "A4",
    ),
    (
        {"insertDimension": {"range": {**COLUMNS, "startIndex": 1, "endIndex": 2}}},
        "F1",
        "=SUM(A1:A4)+$C$2",
        "A4",
    ),
    ({"deleteDimension": {"range": {**ROWS, "startIndex": 2, "endIndex": 4}}}, "E1", "=SUM(A1:A2)+$B$2", ""),
    (
        {"deleteDimension": {"range": {**ROWS, "startIndex": 1, "endIndex": 2}}},
        "E1",
        "=SUM(A1:A3)+#REF!",
        "A3",
    ),
    (
        {"deleteDimension": {"range": {**COLUMNS, "startIndex": 1, "endIndex": 2}}},
        "D1",
        "=SUM(A1:A4)+#REF!",
        "A4",
    ),
    (
        {"moveDimension": {"source": {**ROWS, "startIndex": 1, "endIndex": 2}, "destinationIndex": 6}},
        "E1",
        "=SUM(A1:A3)+$B$6",
        "A3",
    ),
]


@pytest.mark.parametrize(("request_", "cell", "formula", "other"), CHANGES)
def test_formulas_follow_the_cells_that_they_name(
    site: GoogleServer, request_: dict[str, Any], cell: str, formula: str, other: str
) -> None:
    text = '=Sheet1!A4&"A4"&A4&LOG10(1)'
    first: list[list[Any]] = [[1, 10, "", "", "=SUM(A1:A4)+$B$2"], [2, 20], [3, 30], [4, 40]]
    book = Book(site, first, [[text]])
    book.send(**request_)
    assert book.read(f"Sheet1!{cell}") == [[formula]]
    followed = f"Sheet1!{other}" if other else "#REF!"
    assert book.read("'It''s two'!A1") == [[text.replace("Sheet1!A4", followed)]]
    shown = book.read(f"Sheet1!{cell}", "FORMATTED_VALUE")
    assert (shown == [["#REF!"]]) == ("#REF!" in formula)


def test_ranges_follow_their_cells_and_go_with_them(site: GoogleServer) -> None:
    grid = {"sheetId": 0, "startRowIndex": 2, "endRowIndex": 4, "startColumnIndex": 0, "endColumnIndex": 2}
    rule = {"booleanRule": {"condition": {"type": "BLANK"}, "format": {}}}
    book = Book(site, [[1, 2] for _ in range(6)], [])
    book.send(addNamedRange={"namedRange": {"name": "Fees", "range": grid}})
    book.send(mergeCells={"range": grid, "mergeType": "MERGE_ALL"})
    book.send(setBasicFilter={"filter": {"range": grid}})
    book.send(addConditionalFormatRule={"rule": {"ranges": [grid], **rule}})
    book.send(addProtectedRange={"protectedRange": {"range": grid}})

    def ranges() -> list[tuple[int, int]]:
        sheet = book.sheet
        names = site.ask("GET", book.path).json().get("namedRanges", [])
        rules = [one["ranges"][0] for one in sheet.get("conditionalFormats", [])]
        kept = [sheet["basicFilter"]] if "basicFilter" in sheet else []
        found = [*names, *sheet.get("protectedRanges", []), *kept]
        grids = [*(one["range"] for one in found), *sheet.get("merges", []), *rules]
        return [(one["startRowIndex"], one["endRowIndex"]) for one in grids]

    assert ranges() == [(2, 4)] * 5
    book.send(insertDimension={"range": {**ROWS, "startIndex": 2, "endIndex": 5}})
    assert ranges() == [(5, 7)] * 5
    book.send(deleteDimension={"range": {**ROWS, "startIndex": 0, "endIndex": 6}})
    assert ranges() == [(0, 1)] * 5
    book.send(deleteDimension={"range": {**ROWS, "startIndex": 0, "endIndex": 1}})
    assert ranges() == []


def test_a_formula_that_is_repeated_is_about_the_cells_beside_each(site: GoogleServer) -> None:
    book = Book(site, [[1, 2], [3, 4]], [])
    grid = {"sheetId": 0, "endRowIndex": 2, "startColumnIndex": 2, "endColumnIndex": 4}
    cell = {"userEnteredValue": {"formulaValue": '=A1+$B1&"A1"'}}
    book.send(repeatCell={"range": grid, "cell": cell, "fields": "userEnteredValue"})
    assert book.read("Sheet1!C1:D2") == [
        ['=A1+$B1&"A1"', '=B1+$B1&"A1"'],
        ['=A2+$B2&"A1"', '=B2+$B2&"A1"'],
    ]


def test_cells_are_merged_as_a_whole_by_rows_and_by_columns(site: GoogleServer) -> None:
    book = Book(site, [[1]], [])
    grid = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 3}

    def merged(kind: str) -> list[tuple[int, int]]:
        book.send(mergeCells={"range": grid, "mergeType": kind})
        ends = ("startRowIndex", "endRowIndex"), ("startColumnIndex", "endColumnIndex")
        rows, columns = ([one[end] - one[start] for one in book.sheet["merges"]] for start, end in ends)
        return list(zip(rows, columns, strict=True))

    assert merged("MERGE_ALL") == merged("MERGE_ALL") == [(2, 3)]
    assert merged("MERGE_ROWS") == [(1, 3)] * 2 and merged("MERGE_COLUMNS") == [(2, 1)] * 3
    part = {**grid, "endRowIndex": 1}
    words = "You must select all cells in a merged range to merge or unmerge them."
    assert words in book.refused(mergeCells={"range": part, "mergeType": "MERGE_ALL"})
    assert words in book.refused(unmergeCells={"range": part})
    book.send(unmergeCells={"range": grid})
    assert not book.sheet.get("merges")


def test_protected_ranges_are_kept_changed_and_deleted(site: GoogleServer) -> None:
    book = Book(site, [[1]], [])
    grid = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1}
    name = book.send(addNamedRange={"namedRange": {"name": "Head", "range": grid}})["addNamedRange"]
    id = name["namedRange"]["namedRangeId"]
    made = book.send(addProtectedRange={"protectedRange": {"namedRangeId": id, "warningOnly": True}})
    one = made["addProtectedRange"]["protectedRange"]
    assert one["range"] == grid and one["protectedRangeId"] == 1
    new = {"protectedRangeId": 1, "description": "Titles"}
    book.send(updateProtectedRange={"protectedRange": new, "fields": "description"})
    assert book.sheet["protectedRanges"] == [{**one, "description": "Titles"}]
    again = {"protectedRange": {"protectedRangeId": 1, "range": grid}}
    assert "already exists" in book.refused(addProtectedRange=again)
    book.send(deleteProtectedRange={"protectedRangeId": 1})
    assert not book.sheet.get("protectedRanges")
    assert "No protected range with ID: 1" in book.refused(deleteProtectedRange={"protectedRangeId": 1})


def test_rows_are_sorted_and_compared_by_columns_of_their_range_alone(site: GoogleServer) -> None:
    book = Book(site, [["b", 1], ["a", 2]], [])
    right = {"sheetId": 0, "startColumnIndex": 1, "endColumnIndex": 2}
    assert "The column 0 is outside of the range." in book.refused(
        sortRange={"range": right, "sortSpecs": [{"dimensionIndex": 0}]}
    )
    compared = [{**COLUMNS, "startIndex": 1, "endIndex": 3}]
    assert "The column 2 is outside of the range." in book.refused(
        deleteDuplicates={"range": right, "comparisonColumns": compared}
    )
