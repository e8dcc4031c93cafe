"""The tools of the notes server: what the model sees."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from laconic.kit import (
    UNSET,
    Caller,
    Guard,
    Home,
    Page,
    Part,
    Toolset,
    Unset,
    Versioned,
    Window,
    at_least_one,
    exactly_one,
)
from laconic.library.expecting import Expected
from laconic.library.opening import opened_shelf
from laconic.servers.notes.changes import NoteChange
from laconic.servers.notes.models import (
    Content,
    ContentEdit,
    ContentSaved,
    ContentTag,
    Hit,
    Linked,
    Type,
)
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.service import ContentQuery, Notes
from laconic.servers.notes.settings import NotesSettings
from laconic.servers.notes.store import KINDS
from laconic.stores import By

notes = Toolset(
    "notes",
    "Notes and bookmarks.",
    provides=(Notes,),
    settings=NotesSettings,
    instructions=files("laconic.servers.notes").joinpath("instructions.md").read_text(encoding="utf-8"),
)

Id = Annotated[str, AfterValidator(lambda id: id.strip().lower())]
Tags = list[str]  # the shelf checks them: a length for each would be listed six times
TYPE = Annotated[Type | None, "Not needed: an id is enough."]
TITLE = Field(max_length=500)
DESCRIPTION = Field(max_length=2000)
CONTENT = Field(max_length=512_000)
VERSION = Versioned("version", int)


class ContentReplacement(Part):
    """One replacement of several."""

    old_str: str
    new_str: str


@notes.factory
async def open_notes(section: NotesSettings, home: Home) -> AsyncIterator[Notes]:
    """Open the user's library."""
    async with opened_shelf(home, KINDS, section.trash_days) as shelf:
        service = Notes(shelf, Pages(section.reach))
        yield service
        await service.close()


@notes.each_call
async def author(caller: Caller) -> By:
    """Say who makes a change."""
    return By(caller.name, "mcp")


@notes.read(hint="search_items", unlisted=["fields", "format", "sort_order"])
async def search_items(
    notes: Notes,
    window: Window = Window(size=50, most=100, offset=True),
    query: Annotated[str | None, 'Words, "phrases", -without, OR, symbols.'] = None,
    type: Type | None = None,
    tags: Annotated[Tags | None, "Keep only these."] = None,
    tag_match: Literal["all", "any"] = "all",
    sort_by: Literal["created_at", "updated_at", "last_used_at", "title", "relevance"] | None = None,
    sort_order: Literal["asc", "desc"] | None = None,
) -> Page[Content]:
    """Find notes and bookmarks; without query all of them."""
    types: tuple[Type, ...] = ("note", "bookmark") if type is None else (type,)
    is_ascending = None if sort_order is None else sort_order == "asc"
    wanted = ContentQuery(
        types, query or "", tags or (), tag_match == "any", sort=sort_by, ascending=is_ascending
    )
    return await notes.find(window, wanted)


@notes.read(
    hint="search_items",
    was="get_content",
    format="full",
    unlisted=["format", "fields", "type"],
    subject="item:{id}",
)
async def get_item(
    notes: Notes,
    id: Id,
    include_content: bool = True,
    start_line: Annotated[int | None, Field(ge=1), "From 1."] = None,
    end_line: Annotated[int | None, Field(ge=1), "Included."] = None,
    type: TYPE = None,
) -> Content:
    """Read a note or bookmark, or some of its lines, and what it is linked with."""
    return await notes.get(id, start_line, end_line, with_content=include_content)


@notes.read(hint="search_items", fields=None, unlisted=["format", "limit", "type", "cursor"])
async def search_in_content(
    notes: Notes,
    id: Id,
    query: Annotated[str, Field(min_length=1), "A text as it is written."],
    window: Window = Window(size=50, most=500),
    fields: Annotated[
        list[Literal["content", "title", "description"]] | None, Field(min_length=1), "Default: content."
    ] = None,
    case_sensitive: bool = False,
    context_lines: Annotated[int, Field(ge=0, le=10), "Before and after."] = 2,
    type: TYPE = None,
) -> Page[Hit]:
    """Find a text in one item, with the lines around each place."""
    return await notes.search_in(
        id,
        window,
        query,
        fields=fields or ("content",),
        case_sensitive=case_sensitive,
        context=context_lines,
    )


@notes.create(unlisted=["format", "fields"])
async def create_note(
    notes: Notes,
    by: By,
    title: Annotated[str, TITLE],
    content: Annotated[str | None, CONTENT, "Markdown."] = None,
    description: Annotated[str | None, DESCRIPTION] = None,
    tags: Annotated[Tags | None, "Words with hyphens."] = None,
) -> ContentSaved:
    """Keep a new note; returns its id and version."""
    return await notes.create_note(title, by, content=content, description=description, tags=tags or ())


@notes.create(
    open_world=True, because="it reads the page if it is asked to", unlisted=["format", "fields", "content"]
)
async def create_bookmark(
    notes: Notes,
    by: By,
    url: str,
    title: Annotated[str | None, TITLE] = None,
    description: Annotated[str | None, DESCRIPTION] = None,
    tags: Annotated[Tags | None, "Words with hyphens."] = None,
    fetch: Annotated[bool, "Take what is not given from the page, with its text."] = False,
    content: Annotated[str | None, CONTENT, "The text of the page."] = None,
) -> ContentSaved:
    """Keep a new bookmark; returns its id and version. A url that has one is refused with its id."""
    return await notes.create_bookmark(
        url, by, title=title, description=description, content=content, tags=tags or (), fetch=fetch
    )


@notes.update(
    hint="search_items",
    guard=VERSION,
    subject="item:{id}",
    rules=[exactly_one("old_str", "edits")],
    replays=True,
    idempotent=False,
    because="the second replacement finds nothing, or something else",
    unlisted=["version", "idempotency_key", "format", "fields", "type"],
)
async def edit_content(
    notes: Notes,
    by: By,
    guard: Guard,
    id: Id,
    old_str: Annotated[str | None, CONTENT, "Must occur exactly once."] = None,
    new_str: Annotated[str | None, CONTENT, "Empty deletes."] = None,
    edits: Annotated[
        list[ContentReplacement] | None, Field(min_length=1, max_length=100), "Several, all or none."
    ] = None,
    dry_run: Annotated[bool, "Only show the diff."] = False,
    type: TYPE = None,
) -> ContentEdit:
    """Replace text in the content of an item, and show the diff.

    An old_str that occurs nowhere or more than once is refused, with the lines.
    """
    wanted = [(edit.old_str, edit.new_str) for edit in edits or ()] or [(old_str or "", new_str or "")]
    return await notes.edit(id, wanted, by, version=guard.expected, dry_run=dry_run)


@notes.update(
    hint="search_items",
    guard=VERSION,
    subject="item:{id}",
    rules=[at_least_one("title", "description", "url", "content", "tags", "add_tags", "remove_tags")],
    unlisted=["version", "format", "fields", "type"],
)
async def update_item(
    notes: Notes,
    by: By,
    guard: Guard,
    id: Id,
    title: Annotated[str | Unset | None, TITLE, "null clears."] = UNSET,
    description: Annotated[str | Unset | None, DESCRIPTION, "null clears."] = UNSET,
    url: Annotated[str | None, "Of a bookmark."] = None,
    content: Annotated[str | Unset | None, CONTENT, "All of it; edit_content changes a part."] = UNSET,
    tags: Annotated[Tags | None, "Replaces all."] = None,
    add_tags: Annotated[Tags | None, "Keeps the others."] = None,
    remove_tags: Tags | None = None,
    type: TYPE = None,
) -> ContentSaved:
    """Change the title, description, tags, url or whole content of an item; what is left out stays."""
    change = NoteChange(
        title=title,
        description=description,
        content=content,
        url=url if url is not None else UNSET,
        tags=tags,
        add_tags=add_tags or (),
        remove_tags=remove_tags or (),
    )
    return await notes.update(id, change, by, expected=Expected(guard.expected))


@notes.update(hint="search_items", unlisted=["format", "fields", "source_type", "target_type"])
async def create_relationship(
    notes: Notes,
    by: By,
    source_id: Id,
    target_id: Annotated[Id, "Of an item, or of a prompt."],
    description: Annotated[str | None, Field(max_length=500)] = None,
    source_type: Annotated[Type | None, "Not needed."] = None,
    target_type: Annotated[Literal["note", "bookmark", "prompt"] | None, "Not needed."] = None,
) -> Linked:
    """Link two items, both ways; a link that exists is left as it is."""
    return await notes.relate(source_id, target_id, by, description)


@notes.read(unlisted=["format", "fields", "limit"])
async def list_content_tags(notes: Notes, window: Window = Window(size=200, most=1000)) -> Page[ContentTag]:
    """List the tags of notes and bookmarks, those of most items first."""
    return await notes.tags(window)
