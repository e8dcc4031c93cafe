"""The tool that reads a document of Docs."""

from typing import Annotated

from laconic.kit import Link
from laconic.servers.google.api.access import Access
from laconic.servers.google.models.texts import TextRead
from laconic.servers.google.reading.documents import ReturnMode, read_document
from laconic.servers.google.tools.ids import FileId
from laconic.servers.google.tools.toolset import LONG, SHARED, google


@google.read(
    name="docs_getDocument",
    hint="drive_listFiles",
    json="response_format",
    fields=None,
    subject="file:{documentId}",
    tags=[SHARED, LONG],
)
async def docs_get_document(
    access: Access,
    document_id: FileId,
    return_mode: ReturnMode = "summary",
    section: Annotated[str | None, "Only this one, by its heading, path or number."] = None,
) -> TextRead | tuple[TextRead, Link]:
    """Read a document as markdown: a small one whole, of a large one first its outline."""
    return await read_document(access, document_id, return_mode, section)
