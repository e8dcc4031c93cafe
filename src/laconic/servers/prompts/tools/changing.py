"""Tools that create and change prompts."""

from typing import Annotated

from pydantic import Field

from laconic.kit import UNSET, Guard, Unset, exactly_one, together
from laconic.library.limits import DESCRIPTION, TITLE
from laconic.servers.prompts.models import Argument, Edit, Edited, Name, Saved, at_most
from laconic.servers.prompts.service import Library, PromptChanges
from laconic.servers.prompts.store import Expected
from laconic.servers.prompts.tools.toolset import NAME, VERSION, prompts
from laconic.stores import By

Title = Annotated[str, at_most(TITLE)]
Description = Annotated[str, at_most(DESCRIPTION)]


@prompts.create(hint="search_prompts", unlisted=["idempotency_key", "format", "fields"])
async def create_prompt(
    library: Library,
    by: By,
    name: Annotated[Name, "Lower-case words joined by hyphens, unique."],
    content: Annotated[str, "Jinja2."],
    title: Annotated[Title | None, "For people."] = None,
    description: Annotated[Description | None, "What it is for."] = None,
    arguments: Annotated[list[Argument] | None, "Left out: from the template."] = None,
    tags: Annotated[list[str] | None, "Words with hyphens."] = None,
) -> Saved:
    """Keep a new prompt; returns its id and version.

    A name in use, or an argument that the template does not use, is refused.
    """
    return await library.editing.create(
        name, content, by, title=title, description=description, arguments=arguments, tags=tags or ()
    )


@prompts.update(
    hint="search_prompts",
    guard=VERSION,
    subject="prompt:{name}",
    rules=[exactly_one("old_str", "edits"), together("old_str", "new_str")],
    replays=True,
    idempotent=False,
    because="the second replacement finds nothing, or something else",
    elsewhere=dict.fromkeys(
        ("title", "description", "tags", "add_tags", "remove_tags", "new_name"), "update_prompt_metadata"
    ),
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
    expected = Expected(guard.expected)
    return await library.editing.edit(
        name, wanted, by, expected=expected, arguments=arguments, merge=merge_arguments, dry_run=dry_run
    )


@prompts.update(
    hint="search_prompts",
    guard=VERSION,
    elsewhere=dict.fromkeys(("content", "arguments", "old_str", "new_str", "edits"), "edit_prompt_template"),
    unlisted=["version", "format", "fields"],
)
async def update_prompt_metadata(
    library: Library,
    by: By,
    guard: Guard,
    name: NAME,
    new_name: Annotated[Name | None, "Unique."] = None,
    title: Annotated[Title | Unset | None, "null clears."] = UNSET,
    description: Annotated[Description | Unset | None, "null clears."] = UNSET,
    tags: Annotated[list[str] | None, "Replaces all."] = None,
    add_tags: Annotated[list[str] | None, "Keeps the others."] = None,
    remove_tags: Annotated[list[str] | None, "Keeps the others."] = None,
) -> Saved:
    """Change a prompt's title, description, tags or name, not its template; a name in use is refused."""
    wanted = PromptChanges(
        name=new_name,
        title=title,
        description=description,
        tags=tags,
        add_tags=add_tags or (),
        remove_tags=remove_tags or (),
    )
    return await library.editing.change(name, wanted, by, expected=Expected(guard.expected))
