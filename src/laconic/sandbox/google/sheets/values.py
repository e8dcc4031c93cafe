"""Values: reading, writing, appending and clearing ranges."""

from __future__ import annotations

from typing import Any

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.books.a1 import Area, area_of, column_name, written
from laconic.sandbox.google.books.book import Row, book_of, cell_at, grow, put
from laconic.sandbox.google.books.cells import entered, is_empty
from laconic.sandbox.google.books.rendering import rendered
from laconic.sandbox.google.drive.files import file_of
from laconic.sandbox.google.refusals import GoogleRefusal

__all__ = ["HANDLERS", "opened"]

_LETTERS = 50_000  # of a cell


def opened(asked: AskedGoogle, least: str = "reader") -> Row:
    """Return the spreadsheet that a request is about."""
    row = file_of(asked, asked.given["spreadsheetId"], least)
    return book_of(asked.state, row["id"])


def _range(book: Row, asked: AskedGoogle, text: str) -> Row:
    area = area_of(book, text)
    if area.top >= area.bounds[0] or area.left >= area.bounds[1]:
        raise exceeds(area)
    clipped = Area(
        area.sheet,
        area.top,
        min(area.end_row, area.bounds[0]),
        area.left,
        min(area.end_column, area.bounds[1]),
    )
    given = asked.given
    option = given.get("valueRenderOption", "FORMATTED_VALUE")
    rows = rendered(book, clipped, option, given.get("dateTimeRenderOption", "SERIAL_NUMBER"))
    major = given.get("majorDimension", "ROWS")
    if major == "COLUMNS":
        width = max(map(len, rows), default=0)
        rows = [[row[place] if place < len(row) else "" for row in rows] for place in range(width)]
    found: Row = {"range": written(clipped), "majorDimension": major}
    return {**found, "values": rows} if rows else found


def exceeds(area: Area) -> GoogleRefusal:
    """Return the refusal of a place outside its sheet."""
    rows, columns = area.bounds
    text = f"Range ({written(area)}) exceeds grid limits. Max rows: {rows}, max columns: {columns}"
    return GoogleRefusal(400, "badRequest", text)


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    return AnsweredGoogle(_range(opened(asked), asked, asked.given["range"]))


def _batch_get(asked: AskedGoogle) -> AnsweredGoogle:
    book = opened(asked)
    found = [_range(book, asked, one) for one in asked.given.get("ranges", [])]
    return AnsweredGoogle({"spreadsheetId": book["id"], "valueRanges": found})


def write(book: Row, area: Area, values: list[list[Any]], option: str | None, major: str = "ROWS") -> Row:
    """Write values from the first cell of a place on, and return what was changed."""
    _check_values(values, option)
    if major == "COLUMNS":
        height = max(map(len, values), default=0)
        values = [[one[place] if place < len(one) else None for one in values] for place in range(height)]
    _check_fits(area, values)
    cells = 0
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            if value is None:
                continue
            kept = entered(value) if option == "USER_ENTERED" else value
            put(area.sheet, area.top + down, area.left + across, kept)
            cells += 1
    width = max(map(len, values), default=0)
    done = Area(area.sheet, area.top, area.top + max(len(values), 1), area.left, area.left + max(width, 1))
    return {
        **{"spreadsheetId": book["id"], "updatedRange": written(done), "updatedRows": len(values)},
        **{"updatedColumns": width, "updatedCells": cells},
    }


def _check_values(values: list[list[Any]], option: str | None) -> None:
    if option not in ("RAW", "USER_ENTERED"):
        raise GoogleRefusal(400, "badRequest", "'valueInputOption' is required but not specified")
    if any(isinstance(value, str) and len(value) > _LETTERS for row in values for value in row):
        text = f"Your input contains more than the maximum of {_LETTERS} characters in a single cell."
        raise GoogleRefusal(400, "badRequest", text)


def _check_fits(area: Area, values: list[list[Any]]) -> None:
    for place, row in enumerate(values):
        for across, value in enumerate(row):
            if isinstance(value, list | dict):
                raise GoogleRefusal(400, "badRequest", f"Invalid values[{place}][{across}]: list_value")
    height, width = len(values), max(map(len, values), default=0)
    if area.top + height > area.bounds[0] or area.left + width > area.bounds[1]:
        raise exceeds(Area(area.sheet, area.top, area.top + height, area.left, area.left + width))
    is_single = area.end_row - area.top == 1 and area.end_column - area.left == 1
    if is_single:
        return
    if area.right is not None and area.left + width > area.right:
        name = column_name(area.right)
        text = f"Requested writing within range [{written(area)}], but tried writing to column [{name}]"
        raise GoogleRefusal(400, "badRequest", text)
    if area.bottom is not None and area.top + height > area.bottom:
        text = (
            f"Requested writing within range [{written(area)}], but tried writing to row [{area.bottom + 1}]"
        )
        raise GoogleRefusal(400, "badRequest", text)


def _update(asked: AskedGoogle) -> AnsweredGoogle:
    book = opened(asked, "writer")
    area = area_of(book, asked.given["range"])
    body = asked.body
    done = write(
        book,
        area,
        body.get("values", []),
        asked.given.get("valueInputOption"),
        body.get("majorDimension", "ROWS"),
    )
    _touch(asked)
    return AnsweredGoogle(done)


def _batch_update(asked: AskedGoogle) -> AnsweredGoogle:
    book, done = opened(asked, "writer"), []
    option = asked.body.get("valueInputOption")
    for place, one in enumerate(asked.body.get("data", [])):
        try:
            area = area_of(book, one.get("range", ""))
            _check_values(one.get("values", []), option)
            _check_fits(area, one.get("values", []))
        except GoogleRefusal as refusal:
            raise GoogleRefusal(400, refusal.reason, f"Invalid data[{place}]: {refusal.message}") from None
    for one in asked.body.get("data", []):
        area = area_of(book, one["range"])
        done.append(write(book, area, one.get("values", []), option, one.get("majorDimension", "ROWS")))
    _touch(asked)
    totals = {
        f"totalUpdated{what}": sum(one[f"updated{what}"] for one in done)
        for what in ("Rows", "Columns", "Cells")
    }
    sheets = len({one["updatedRange"].rpartition("!")[0] for one in done})
    found = {"spreadsheetId": book["id"], **totals, "totalUpdatedSheets": sheets, "responses": done}
    return AnsweredGoogle(found)


def _append(asked: AskedGoogle) -> AnsweredGoogle:
    book = opened(asked, "writer")
    area = area_of(book, asked.given["range"])
    table = _table(area)
    values = asked.body.get("values", [])
    _check_values(values, asked.given.get("valueInputOption"))
    start = table.end_row if table else area.top
    left = table.left if table else area.left
    width = max(map(len, values), default=0)
    grow(area, start + len(values), left + width)
    if asked.given.get("insertDataOption") == "INSERT_ROWS" and start < len(area.sheet["rows"]):
        area.sheet["rows"][start:start] = [[] for _ in values]
    place = Area(area.sheet, start, start + max(len(values), 1), left, left + max(width, 1))
    done = write(
        book, place, values, asked.given.get("valueInputOption"), asked.body.get("majorDimension", "ROWS")
    )
    _touch(asked)
    found: Row = {"spreadsheetId": book["id"], "updates": done}
    return AnsweredGoogle({**found, "tableRange": written(table)} if table else found)


def _table(area: Area) -> Area | None:
    """Return the table that begins in a place: filled rows from its first filled row on."""
    rows = area.sheet["rows"]
    last = min(area.end_row, len(rows))
    filled = [
        row
        for row in range(area.top, last)
        if any(not is_empty(cell) for cell in rows[row][area.left : area.end_column])
    ]
    if not filled:
        return None
    top, bottom = filled[0], filled[0]
    while bottom < len(rows) and any(not is_empty(cell) for cell in rows[bottom]):
        bottom += 1
    columns = [
        c
        for c in range(area.bounds[1])
        if any(not is_empty(cell_at(area.sheet, r, c)) for r in range(top, bottom))
    ]
    return Area(area.sheet, top, bottom, columns[0], columns[-1] + 1)


def _cleared(area: Area) -> str:
    for row in range(area.top, min(area.end_row, len(area.sheet["rows"]))):
        cells = area.sheet["rows"][row]
        for column in range(area.left, min(area.end_column, len(cells))):
            cells[column] = ""
    return written(area)


def _clear(asked: AskedGoogle) -> AnsweredGoogle:
    book = opened(asked, "writer")
    done = _cleared(area_of(book, asked.given["range"]))
    _touch(asked)
    return AnsweredGoogle({"spreadsheetId": book["id"], "clearedRange": done})


def _batch_clear(asked: AskedGoogle) -> AnsweredGoogle:
    book = opened(asked, "writer")
    areas = [area_of(book, one) for one in asked.body.get("ranges", [])]
    _touch(asked)
    return AnsweredGoogle({"spreadsheetId": book["id"], "clearedRanges": [_cleared(one) for one in areas]})


def _touch(asked: AskedGoogle) -> None:
    row = file_of(asked, asked.given["spreadsheetId"], "writer")
    row["version"] += 1
    row |= {"modifiedTime": asked.now, "lastModifyingUser": asked.person.public}


HANDLERS = {
    "sheets_values_append": _append,
    "sheets_values_batchClear": _batch_clear,
    "sheets_values_batchGet": _batch_get,
    "sheets_values_batchUpdate": _batch_update,
    "sheets_values_clear": _clear,
    "sheets_values_get": _get,
    "sheets_values_update": _update,
}
