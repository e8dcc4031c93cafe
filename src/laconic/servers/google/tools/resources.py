"""Resources: documents, parts of files and ranges by address; read_on reads them, too."""

from typing import Annotated, Any

from laconic.kit import Verbatim
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.reading import slice_of
from laconic.servers.google.reading.documents import document_content, document_part, document_structure
from laconic.servers.google.sheets.reading import values_text
from laconic.servers.google.tools.toolset import google

_MARKDOWN = "text/markdown"
_OPTIONS: Any = {"hint": "drive_listFiles", "subject": "file:{id}"}


@google.resource("gdrive://docs/{id}/content", mime=_MARKDOWN, name="document", **_OPTIONS)
async def document(access: Access, id: str) -> Verbatim:
    """A document as markdown."""
    return await document_content(access, id)


@google.resource("gdrive://docs/{id}/chunk/{start}-{end}", mime=_MARKDOWN, name="document_part", **_OPTIONS)
async def document_chunk(
    access: Access,
    id: str,
    start: Annotated[int, "A character."],
    end: Annotated[int, "The character after."],
    at: Annotated[str | None, "The version, as another part named it."] = None,
) -> Verbatim:
    """A part of a document as markdown, in whole blocks; parts that meet join to the document."""
    return await document_part(access, id, start, end, at)


@google.resource("gdrive://docs/{id}/structure", name="document_structure", **_OPTIONS)
async def structure(access: Access, id: str) -> str:
    """The headings of a document, each after the characters of its section."""
    return await document_structure(access, id)


@google.resource("gdrive://files/{id}/content/{start}-{end}", name="file_part", **_OPTIONS)
async def file_part(
    access: Access, id: str, start: Annotated[int, "A byte."], end: Annotated[int, "The byte after."]
) -> Verbatim:
    """A part of a file's text, in whole lines; parts that meet join to the text."""
    return await slice_of(access, id, start, end)


@google.resource("gdrive:///{id}", name="file_text", **_OPTIONS)
async def file_text(access: Access, id: str) -> Verbatim:
    """A file's text; of more than a million bytes, the first, and where the rest is."""
    return await slice_of(access, id, 0, None)


@google.resource("gdrive://sheets/{id}/values/{+range}", name="sheet_values", **_OPTIONS)
async def sheet_values(
    access: Access,
    id: str,
    range: str,
    at: Annotated[str | None, "The version, as a part before named it."] = None,
) -> Verbatim:
    """The values of a range, one row per line, cells between tabs; of very many, the first rows."""
    return await values_text(access, id, range, at)
