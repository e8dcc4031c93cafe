"""The tools of the prompts server: what the model sees."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from pydantic import Field

from laconic.kit import Caller, Guard, Home, Page, Toolset, Verbatim, Versioned, Window, exactly_one
from laconic.servers.prompts.models import Address, Argument, Edit, Edited, Name, Prompt, Saved
from laconic.servers.prompts.service import Library, PromptQuery
from laconic.servers.prompts.settings import PromptsSettings
from laconic.servers.prompts.store import KIND
from laconic.servers.prompts.templates.judge import Judge
from laconic.stores import By, Database, Shelf

prompts = Toolset(
    "prompts", "A library of prompt templates by name.", provides=(Library,), settings=PromptsSettings
)

NAME = Annotated[Address, "Such as code-review, code-review@3 or code-review@production."]
Tags = list[Annotated[str, Field(max_length=50)]]
VERSION = Versioned("version", int)


@prompts.factory
async def open_library(section: PromptsSettings, home: Home) -> AsyncIterator[Library]:
    """Open the user's library."""
    database = Database(home.database, [Shelf.schema])
    library = Library(Shelf(database, [KIND]), Judge(section.limits), home.changes.of(home.data))
    yield library
    await library.close()
    await database.close()


@prompts.each_call
async def author(caller: Caller) -> By:
    """Say who makes a change."""
    return By(caller.name, "mcp")


@prompts.read(hint="search_prompts", unlisted=["fields"])
async def search_prompts(
    library: Library,
    window: Window = Window(size=50, most=100, offset=True),
    query: Annotated[str | None, 'Words, "phrases", -without, OR, symbols.'] = None,
    tags: Annotated[Tags | None, "Keep only these."] = None,
    tag_match: Literal["all", "any"] = "all",
    sort_by: Literal["created_at", "updated_at", "last_used_at", "title", "relevance"] | None = None,
    sort_order: Literal["asc", "desc"] | None = None,
) -> Page[Prompt]:
    """Find prompts; without query all of them."""
    is_ascending = None if sort_order is None else sort_order == "asc"
    return await library.find(
        window, PromptQuery(query or "", tags or (), tag_match == "any", sort_by, is_ascending)
    )


@prompts.read(hint="search_prompts", format="full", unlisted=["format", "fields"], subject="prompt:{name}")
async def get_prompt_template(
    library: Library,
    name: NAME,
    start_line: Annotated[int | None, Field(ge=1), "From 1."] = None,
    end_line: Annotated[int | None, Field(ge=1), "Included."] = None,
) -> Prompt:
    """Read a prompt's raw Jinja2 template and its arguments, as before an edit; render_prompt fills it in."""
    return await library.get(name, start_line, end_line)


@prompts.read(hint="search_prompts")
async def render_prompt(
    library: Library, name: NAME, arguments: Annotated[dict[str, Any] | None, "Values by name."] = None
) -> Verbatim:
    """Fill in a prompt's template."""
    return Verbatim(await library.render(name, arguments or {}), "prompt")


@prompts.create(hint="search_prompts", unlisted=["format", "fields"])
async def create_prompt(
    library: Library,
    by: By,
    name: Annotated[Name, "Lower-case words joined by hyphens, unique."],
    content: Annotated[str, "Jinja2."],
    title: Annotated[str | None, Field(max_length=500), "For people."] = None,
    description: Annotated[str | None, Field(max_length=2000), "What it is for."] = None,
    arguments: Annotated[list[Argument] | None, "Left out: from the template."] = None,
    tags: Annotated[Tags | None, "Words with hyphens."] = None,
) -> Saved:
    """Keep a new prompt; returns its id and version.

    A name in use, or an argument that the template does not use, is refused.
    """
    return await library.create(
        name, content, by, title=title, description=description, arguments=arguments, tags=tags or ()
    )


@prompts.update(
    hint="search_prompts",
    guard=VERSION,
    subject="prompt:{name}",
    rules=[exactly_one("old_str", "edits")],
    replays=True,
    idempotent=False,
    because="the second replacement finds nothing, or something else",
    unlisted=["version", "idempotency_key", "format", "fields"],
)
async def edit_prompt_template(
    library: Library,
    by: By,
    guard: Guard,
    name: NAME,
    old_str: Annotated[str | None, "Must occur exactly once."] = None,
    new_str: Annotated[str | None, "Empty deletes."] = None,
    edits: Annotated[list[Edit] | None, Field(min_length=1, max_length=100), "Several, all or none."] = None,
    arguments: Annotated[list[Argument] | None, "All of them; left out, they follow the template."] = None,
    merge_arguments: Annotated[bool, "Keep those not given."] = False,
    dry_run: Annotated[bool, "Only show the diff."] = False,
) -> Edited:
    """Replace text in a prompt's template, and show the diff.

    An old_str that occurs nowhere or more than once is refused, with the lines.
    """
    wanted = edits or [Edit(old_str=old_str or "", new_str=new_str or "")]
    return await library.edit(
        name, wanted, by, guard=guard, arguments=arguments, merge=merge_arguments, dry_run=dry_run
    )
