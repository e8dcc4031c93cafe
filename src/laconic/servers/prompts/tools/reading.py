"""Tools that find, read and render prompts."""

from typing import Annotated, Any, Literal

from pydantic import Field

from laconic.kit import Page, Verbatim, Window
from laconic.servers.prompts.models import Prompt, Tag
from laconic.servers.prompts.service import Library, PromptQuery
from laconic.servers.prompts.tools.toolset import VERSIONED, prompts

LINE = Field(ge=1)


@prompts.read(hint="search_prompts", unlisted=["format", "fields", "tag_match", "sort_order"])
async def search_prompts(
    library: Library,
    window: Window = Window(size=50, most=100, offset=True),
    query: Annotated[str | None, 'Words, "phrases", -without, OR, symbols.'] = None,
    tags: Annotated[list[str] | None, "With all of these."] = None,
    tag_match: Literal["all", "any"] = "all",
    sort_by: Literal["created_at", "updated_at", "last_used_at", "title", "relevance"] | None = None,
    sort_order: Literal["asc", "desc"] | None = None,
) -> Page[Prompt]:
    """Find prompts; without query all of them."""
    is_ascending = None if sort_order is None else sort_order == "asc"
    query_ = PromptQuery(query or "", tags or (), tag_match == "any", sort_by, is_ascending)
    return await library.reading.find(window, query_)


@prompts.read(
    hint="search_prompts",
    format="full",
    elsewhere={"arguments": "render_prompt"},
    unlisted=["format", "fields"],
    subject="prompt:{name}",
)
async def get_prompt_template(
    library: Library,
    name: VERSIONED,
    start_line: Annotated[int | None, LINE, "From 1."] = None,
    end_line: Annotated[int | None, LINE, "Included."] = None,
    resolved: Annotated[bool, "Includes replaced by their text."] = False,
) -> Prompt:
    """Read a prompt's raw Jinja2 template and its arguments, as before an edit; render_prompt fills it in."""
    return await library.reading.get(name, start_line, end_line, resolved=resolved)


@prompts.read(hint="search_prompts", format="metadata", unlisted=["format", "fields"])
async def get_prompt_metadata(library: Library, name: VERSIONED) -> Prompt:
    """Read about a prompt without its template: labels, length, who includes it."""
    return await library.reading.metadata(name)


@prompts.read(hint="search_prompts")
async def render_prompt(
    library: Library, name: VERSIONED, arguments: Annotated[dict[str, Any] | None, "Values by name."] = None
) -> Verbatim:
    """Fill in a prompt's template."""
    return Verbatim(await library.templates.render(name, arguments or {}), "prompt")


@prompts.read(unlisted=["limit", "format", "fields"])
async def list_tags(library: Library, window: Window = Window(size=100, most=1000)) -> Page[Tag]:
    """List the tags of prompts, with how many have each."""
    return await library.reading.tags(window)
