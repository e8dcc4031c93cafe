"""Tools that create, change and link notes and bookmarks."""

from typing import Annotated

from pydantic import Field

from laconic.kit import UNSET, Guard, Part, Unset, Versioned, at_least_one, exactly_one, together
from laconic.library import limits
from laconic.library.expecting import Expected
from laconic.library.records import ItemType
from laconic.servers.notes.changes import NoteChange
from laconic.servers.notes.models import ContentEdit, ContentSaved, Linked, Type
from laconic.servers.notes.service import Notes
from laconic.servers.notes.tools.toolset import TYPE, Id, Tags, notes
from laconic.stores import By

TITLE = Field(max_length=limits.TITLE)
DESCRIPTION = Field(max_length=limits.DESCRIPTION)
CONTENT = Field(max_length=512_000)
VERSION = Versioned("version", int)


class ContentReplacement(Part):
    """One replacement of several."""

    old_str: str
    new_str: str


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
    rules=[exactly_one("old_str", "edits"), together("old_str", "new_str")],
    replays=True,
    idempotent=False,
    because="the second replacement finds nothing, or something else",
    elsewhere=dict.fromkeys(
        ("content", "title", "description", "url", "tags", "add_tags", "remove_tags"), "update_item"
    ),
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
    return await notes.edit(id, wanted, by, expected=Expected(guard.expected), dry_run=dry_run)


@notes.update(
    hint="search_items",
    guard=VERSION,
    subject="item:{id}",
    rules=[at_least_one("title", "description", "url", "content", "tags", "add_tags", "remove_tags")],
    elsewhere=dict.fromkeys(("old_str", "new_str", "edits"), "edit_content"),
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
    target_type: Annotated[ItemType | None, "Not needed."] = None,
) -> Linked:
    """Link two items, both ways; a link that exists is left as it is."""
    return await notes.relate(source_id, target_id, by, description)
