"""Resources: parts of files and ranges by address; read_on reads them, too."""

from typing import Annotated

from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.reading import slice_of
from laconic.servers.google.sheets.reading import values_text
from laconic.servers.google.tools.toolset import google


@google.resource("gdrive://files/{id}/content/{start}-{end}", name="file_part", hint="drive_listFiles")
async def file_part(
    access: Access, id: str, start: Annotated[int, "A byte."], end: Annotated[int, "The byte after."]
) -> str:
    """A part of a file's text."""
    return await slice_of(access, id, start, end)


@google.resource("gdrive:///{id}", name="file_text", hint="drive_listFiles")
async def file_text(access: Access, id: str) -> str:
    """A file's text, up to a million bytes."""
    return await slice_of(access, id, 0, None)


@google.resource("gdrive://sheets/{id}/values/{+range}", name="sheet_values", hint="drive_listFiles")
async def sheet_values(access: Access, id: str, range: str) -> str:
    """The values of a range, one row per line, cells between tabs."""
    return await values_text(access, id, range)
