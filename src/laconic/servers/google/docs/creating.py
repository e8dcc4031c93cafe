"""Creating: a new document, perhaps with markdown in it, perhaps in a folder."""

from __future__ import annotations

from typing import Final

from laconic.kit import Failure
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.editing import write
from laconic.servers.google.models.docs import DocEdit

_MEDIA: Final = "application/vnd.google-apps.document"


async def create_document(access: Access, title: str, markdown: str | None, folder: str | None) -> str:
    """Create a document.

    Raises:
        Failure: it was not created, or could not be filled; then it says which one is there.
    """
    id = await _created(access, title, folder)
    await access.kept.known.forget(id)  # a practice instance that began again has the same ids
    try:
        told = await write(access, id, DocEdit(replace=markdown), None) if markdown else ""
    except Failure as failure:
        state = {True: "", False: ", but is empty", None: ", and may be empty"}[failure.changed]
        failure.message = f"The document {id} was created{state}: {failure.message}"
        if state:
            failure.says_changed = failure.changed = True
            failure.advice = "Fill it with docs_writeMarkdown, or delete it."
        raise
    lost = told.partition(" done.")[2]
    return f"Created {id}: https://docs.google.com/document/d/{id}/edit.{lost}"


async def _created(access: Access, title: str, folder: str | None) -> str:
    if not folder:
        return str((await access.call("docs_create", title=title, fields="documentId"))["documentId"])
    given = {"name": title, "mimeType": _MEDIA, "parents": [folder], "fields": "id"}
    return str((await access.run("drive_files_create", given))["id"])  # where it belongs, or not at all
