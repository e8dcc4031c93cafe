"""Tools for Sheets: structure, values, and batches of changes."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from laconic.kit import About, BadArguments, CamelPart, Link, Page, Problem, Progress, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.models.sheets import Cell, SheetRow
from laconic.servers.google.models.texts import SpreadsheetRead
from laconic.servers.google.reading.documents import ReturnMode
from laconic.servers.google.reading.spreadsheets import read_spreadsheet, summed_up
from laconic.servers.google.sheets import reading, writing
from laconic.servers.google.sheets.ranges import range_text
from laconic.servers.google.tools.ids import FileId
from laconic.servers.google.tools.toolset import LONG, SEARCH, google

_Range = Annotated[
    str, BeforeValidator(range_text), "A1 such as Sheet1!A2:C, a sheet, a named range, or a GridRange."
]
_ROWS = "Rows; null leaves a cell."
_BOOK = "file:{spreadsheetId}"
_PAGE = Window(size=100, most=2000)
_Raw = Annotated[bool, "Store texts as they are: no formulas, dates, numbers."]


class RangeValues(CamelPart):
    """Values for one range."""

    range: Annotated[str, BeforeValidator(range_text)]
    values: list[list[Cell]]


@google.read(
    name="sheets_getSpreadsheet",
    hint="drive_listFiles",
    json="response_format",
    fields=None,
    subject=_BOOK,
    tags=[LONG],
)
async def sheets_get_spreadsheet(
    access: Access,
    spreadsheet_id: FileId,
    return_mode: Annotated[ReturnMode, "full: all its properties."] = "summary",
) -> SpreadsheetRead | tuple[SpreadsheetRead, Link]:
    """Show a spreadsheet's sheets with their sizes, and its named ranges."""
    return await read_spreadsheet(access, spreadsheet_id, return_mode)


@google.read(
    name="sheets_batchGetValues",
    deadline=SEARCH,
    hint="drive_listFiles",
    json="response_format",
    subject=_BOOK,
    unlisted=["format", "fields"],
    tags=[LONG],
)
async def sheets_batch_get_values(
    access: Access,
    progress: Progress,
    about: About,
    spreadsheet_id: FileId,
    ranges: Annotated[list[_Range] | None, "Left out: the first sheet."] = None,
    find: Annotated[str | None, "Only rows with this in a cell."] = None,
    render: Literal["formatted", "unformatted", "formulas"] = "formatted",
    return_mode: Annotated[ReturnMode, "full: pages of rows; else only if they are few."] = "summary",
    window: Window = _PAGE,
) -> Page[SheetRow]:
    """Read rows of one or more ranges, of any size."""
    if find:
        return await reading.find_rows(access, spreadsheet_id, ranges or [], render, find, window, progress)
    is_asked = return_mode == "full" or window.position is not None or window.count != _PAGE.size
    page = await reading.read_values(access, spreadsheet_id, ranges or [], render, window, ahead=is_asked)
    return page if is_asked else await summed_up(access, spreadsheet_id, page, about)


@google.update(name="sheets_batchUpdateValues", hint="drive_listFiles", subject=_BOOK, unlisted=["data"])
async def sheets_batch_update_values(
    access: Access,
    spreadsheet_id: FileId,
    range: Annotated[str | None, BeforeValidator(range_text), "A1, a named range, or a GridRange."] = None,
    values: Annotated[list[list[Cell]] | None, _ROWS] = None,
    data: Annotated[list[RangeValues] | None, "Several ranges at once."] = None,
    raw: _Raw = False,
) -> str:
    """Write values, formulas and dates as if typed; data takes several {range, values} at once."""
    parts = [(one.range, one.values) for one in data or []]
    if range is not None and values is not None:
        parts.insert(0, (range, values))
    if not parts or (range is None) != (values is None):
        raise BadArguments([Problem("range", "Pass range and values, or data.")])
    return await writing.write_values(access, spreadsheet_id, parts, raw=raw)


@google.create(name="sheets_appendValues", hint="drive_listFiles", subject=_BOOK)
async def sheets_append_values(
    access: Access,
    spreadsheet_id: FileId,
    range: Annotated[str, BeforeValidator(range_text), "Where the table is."],
    values: Annotated[list[list[Cell]], _ROWS],
    raw: _Raw = False,
    insert: Annotated[bool, "New rows; else those below are overwritten."] = True,
) -> str:
    """Add rows after a table. Repeating adds them again, unless with the same key."""
    return await writing.append_values(access, spreadsheet_id, range, values, raw=raw, insert=insert)


@google.create(name="sheets_createSpreadsheet")
async def sheets_create_spreadsheet(
    access: Access, title: str, sheets: Annotated[list[str] | None, "Titles."] = None
) -> str:
    """Create a spreadsheet."""
    tabs = [{"properties": {"title": one}} for one in sheets or []]
    done = await access.call("sheets_create", properties={"title": title}, sheets=tabs or None)
    return f"Created {done['spreadsheetId']}: {done.get('spreadsheetUrl', '')}"


@google.update(
    hint="sheets_getSpreadsheet",
    subject=_BOOK,
    idempotent=False,
    because="a request may add or move",
    destructive=True,
)
async def sheets_edit(
    access: Access,
    spreadsheet_id: FileId,
    requests: Annotated[
        list[dict[str, Any]], Field(min_length=1), "Such as {addSheet: {properties: {title}}}."
    ],
    dry_run: Annotated[bool, "Only check."] = False,
) -> Any:
    """Change structure, formats or charts by requests, all or none; tools_find finds their kinds."""
    return await writing.edit(access, spreadsheet_id, requests, dry_run=dry_run)
