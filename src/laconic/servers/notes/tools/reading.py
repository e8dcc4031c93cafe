"""Tools that find and read notes and bookmarks."""

from typing import Annotated, Literal

from pydantic import Field

from laconic.kit import Page, Window
from laconic.servers.notes.models import Content, ContentTag, Hit, Type
from laconic.servers.notes.service import ContentQuery, Notes
from laconic.servers.notes.tools.toolset import TYPE, Id, Tags, notes


@notes.read(hint="search_items", unlisted=["fields", "format", "sort_order"])
async def search_items(
    notes: Notes,
    window: Window = Window(size=50, most=100, offset=True),
    query: Annotated[str | None, 'Words, "phrases", -without, OR, symbols.'] = None,
    type: Type | None = None,
    tags: Annotated[Tags | None, "With all of these."] = None,
    tag_match: Literal["all", "any"] = "all",
    sort_by: Literal["created_at", "updated_at", "last_used_at", "title", "relevance"] | None = None,
    sort_order: Literal["asc", "desc"] | None = None,
) -> Page[Content]:
    """Find notes and bookmarks; without query all of them."""
    types: tuple[Type, ...] = ("note", "bookmark") if type is None else (type,)
    is_ascending = None if sort_order is None else sort_order == "asc"
    wanted = ContentQuery(query or "", tags or (), tag_match == "any", sort_by, is_ascending, types=types)
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


@notes.read(unlisted=["format", "fields", "limit"])
async def list_content_tags(notes: Notes, window: Window = Window(size=200, most=1000)) -> Page[ContentTag]:
    """List the tags of notes and bookmarks, those of most items first."""
    return await notes.tags(window)
