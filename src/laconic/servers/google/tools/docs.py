"""Tools for Docs: create, find, write markdown, and edit by text and heading."""

from typing import Annotated, Any

from pydantic import Field

from laconic.kit import BadArguments, Page, Problem, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.creating import create_document
from laconic.servers.google.docs.editing import edit, find, send_raw, write
from laconic.servers.google.models.docs import DocEdit, DocPlace
from laconic.servers.google.tools.ids import FileId, not_both
from laconic.servers.google.tools.toolset import google

_FILE = "file:{documentId}"
_Markdown = Annotated[str, Field(max_length=2_000_000)]  # twice what fits a document
_Tab = Annotated[str | None, "Title or id."]
_DryRun = Annotated[bool, "Only show the diff."]
_Suggest = Annotated[bool, "As suggestions."]


@google.create(name="docs_createDocument")
async def docs_create_document(
    access: Access, title: str, markdown: _Markdown | None = None, folder: str | None = None
) -> str:
    """Create a document."""
    return await create_document(access, title, markdown, folder)


@google.read(
    name="docs_find", hint="drive_listFiles", json="response_format", unlisted=["format", "fields", "tab"]
)
async def docs_find(
    access: Access,
    document_id: FileId,
    text: Annotated[str, Field(min_length=1)],
    tab: _Tab = None,
    window: Window = Window(size=20, most=200),
) -> Page[DocPlace]:
    """Find the places of a text in a document, whatever the case, with section and indices."""
    return await find(access, document_id, text, tab, window)


@google.update(
    name="docs_writeMarkdown",
    hint="drive_listFiles",
    subject=_FILE,
    destructive=True,
    idempotent=False,
    because="append adds again",
    unlisted=["suggest"],
    rules=[not_both("section", "append")],
)
async def docs_write_markdown(
    access: Access,
    document_id: FileId,
    markdown: _Markdown,
    section: Annotated[str | None, "Only this heading's part."] = None,
    append: Annotated[bool | None, "At the end."] = None,
    tab: _Tab = None,
    suggest: _Suggest = False,
    dry_run: _DryRun = False,
) -> str:
    """Replace a document, or a section, by markdown; only what differs is touched."""
    given = DocEdit(section=section, after=markdown) if append else DocEdit(section=section, replace=markdown)
    return await write(access, document_id, given, tab, suggest=suggest, dry_run=dry_run)


@google.update(
    name="docs_edit",
    hint="drive_listFiles",
    subject=_FILE,
    destructive=True,
    idempotent=False,
    because="an edit may insert",
    unlisted=["requests", "segment"],
    rules=[not_both("edits", "requests")],
)
async def docs_edit(
    access: Access,
    document_id: FileId,
    edits: Annotated[
        list[DocEdit] | None,
        Field(min_length=1),
        'Each: find (with nth if it occurs often, or a section to look in) and replace ("" deletes), before, '
        "after, style (bold, code, heading 2, plain, a URL, …) or comment; without find, markdown for the "
        "section, or for all.",
    ] = None,
    requests: Annotated[
        list[dict[str, Any]] | None, "Raw ones of the API instead.", Field(min_length=1)
    ] = None,
    tab: _Tab = None,
    segment: Annotated[str | None, "header, footer, footnote, body, or an id."] = None,
    suggest: _Suggest = False,
    dry_run: _DryRun = False,
) -> Any:
    """Change a document by what is there: all edits, in any order, or none. API `requests` do instead."""
    if requests is not None:
        return await send_raw(access, document_id, requests, suggest=suggest, dry_run=dry_run)
    if not edits:
        raise BadArguments([Problem("edits", "Pass edits, or requests.")])
    return await edit(access, document_id, edits, tab, segment, suggest=suggest, dry_run=dry_run)
