"""Classic tools that read what may be long: first what it is, or all of it."""

from typing import Annotated, Any, Literal

from laconic.kit import Link, Progress
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.conversions import read_bytes
from laconic.servers.google.drive.reading import read_text
from laconic.servers.google.drive.sources import open_source
from laconic.servers.google.drive.types import MEDIA, is_text
from laconic.servers.google.models.texts import SpreadsheetRead, ValuesRead
from laconic.servers.google.reading.documents import ReturnMode
from laconic.servers.google.reading.spreadsheets import read_ranges, read_spreadsheet
from laconic.servers.google.tools.ids import FileId
from laconic.servers.google.tools.toolset import CLASSIC, google

_BOOK = "file:{spreadsheetId}"
_OPTIONS: Any = {"hint": "drive_listFiles", "tags": [CLASSIC], "json": "response_format", "fields": None}


@google.read(name="drive_exportFile", subject="file:{fileId}", **_OPTIONS)
async def drive_export_file(
    access: Access,
    progress: Progress,
    file_id: FileId,
    mime_type: Annotated[str, "Such as text/markdown or application/pdf."],
    supports_all_drives: bool = True,
    return_mode: ReturnMode = "summary",
) -> Any:
    """Read a Google file as another type: a small text whole, of others first what they are."""
    if not is_text(MEDIA.get(mime_type, mime_type)):
        return await read_bytes(access, await open_source(access, file_id, mime_type), return_mode)
    return await read_text(access, file_id, mime_type, return_mode, 0, None, progress)


@google.read(name="sheets_getSpreadsheet", subject=_BOOK, **_OPTIONS)
async def sheets_get_spreadsheet(
    access: Access,
    spreadsheet_id: FileId,
    ranges: list[str] | None = None,
    include_grid_data: bool = False,
    return_mode: ReturnMode = "summary",
) -> SpreadsheetRead | tuple[SpreadsheetRead, Link]:
    """Show a spreadsheet's sheets and named ranges, or all its properties, perhaps with cells."""
    return await read_spreadsheet(access, spreadsheet_id, return_mode, ranges, cells=include_grid_data)


@google.read(name="sheets_batchGetValues", subject=_BOOK, **_OPTIONS)
async def sheets_batch_get_values(
    access: Access,
    spreadsheet_id: FileId,
    ranges: list[str],
    major_dimension: Literal["ROWS", "COLUMNS"] | None = None,
    value_render_option: Literal["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"] | None = None,
    return_mode: ReturnMode = "summary",
) -> ValuesRead | tuple[ValuesRead, Link]:
    """Read the values of ranges: few at once, of many first how many there are."""
    return await read_ranges(
        access, spreadsheet_id, return_mode, ranges, major_dimension, value_render_option
    )
