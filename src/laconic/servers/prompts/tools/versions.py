"""Tools for the past of prompts; those that move or restore one are not listed unless a person wants it."""

from datetime import datetime
from typing import Annotated

from laconic.kit import Guard, Page, Window
from laconic.servers.prompts.models import Address, Prompt, PromptComparison, PromptVersion, Saved
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import Expected
from laconic.servers.prompts.tools.toolset import NAME, VERSION, VERSIONED, prompts
from laconic.stores import By
from laconic.stores.shelf.names import label_name

FROM = Annotated[Address, "Such as code-review@3; without a version, the one before."]
TO = Annotated[str | None, "A version or label; left out: the newest."]


@prompts.read(hint="search_prompts", unlisted=["limit", "format", "fields"])
async def list_prompt_versions(
    library: Library, name: NAME, window: Window = Window(size=25, most=100)
) -> Page[PromptVersion]:
    """List who changed what of a prompt and when, newest first."""
    return await library.versions.page(name, window)


@prompts.read(hint="list_prompt_versions", unlisted=["format", "fields"])
async def compare_prompt_versions(library: Library, name: FROM, to: TO = None) -> PromptComparison:
    """Show what changed between two versions of a prompt, as a diff."""
    return await library.versions.compare(name, to)


@prompts.update(
    hint="list_prompt_versions",
    guard=VERSION,
    idempotent=False,
    because="the second time that version is no longer an earlier one",
    unlisted=["version", "format", "fields"],
)
async def restore_prompt_version(
    library: Library, by: By, guard: Guard, name: NAME, to: Annotated[str, "A version or label."]
) -> Saved:
    """Make a prompt what it was in an earlier version, as a new version."""
    return await library.versions.revert(name, to, by, expected=Expected(guard.expected))


@prompts.update(hint="list_prompt_versions")
async def label_prompt_version(
    library: Library,
    name: VERSIONED,
    label: Annotated[str, "Such as production; it moves there."],
) -> str:
    """Put a label on the version that the name means."""
    number = await library.versions.label(name, label)
    return f"{name.partition('@')[0]}@{label_name(label)} is version {number}."


@prompts.update(hint="search_prompts", format="shelved", unlisted=["format", "fields"])
async def archive_prompt(
    library: Library, by: By, name: NAME, at: Annotated[datetime | None, "Left out: now."] = None
) -> Prompt:
    """Archive a prompt: it is no longer found and keeps its name; only a person can bring it back."""
    return await library.shelving.archive(name, by, at)
