"""The toolset of the prompts server, and what its tools share."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated, Final

from laconic.kit import Caller, Diagnosis, Home, Profile, Toolset, Versioned
from laconic.library.authors import author_of
from laconic.library.opening import opened_shelf
from laconic.servers.prompts.kept import KeptList
from laconic.servers.prompts.models import Address
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.settings import PromptsSettings
from laconic.servers.prompts.source import Source
from laconic.servers.prompts.store import KIND
from laconic.servers.prompts.templates.judge import Judge
from laconic.stores import By

__all__ = ["NAME", "VERSION", "VERSIONED", "prompts"]

_KEEPING: Final = (
    "archive_prompt",
    "restore_prompt_version",
    "label_prompt_version",
)  # for people, as a rule

NAME = Annotated[Address, "Such as code-review."]  # also where it is changed, if that is the newest version
VERSIONED = Annotated[Address, "Such as code-review, or code-review@3."]
VERSION = Versioned("version", int)

prompts = Toolset(
    "prompts",
    "A library of prompt templates by name.",
    provides=(Library, Source),
    prompt_source=Source,
    prompt_list="laconic.servers.prompts.kept:first_prompts",
    settings=PromptsSettings,
    profiles={
        "usual": Profile(lambda spec: spec.name not in _KEEPING),
        "all": Profile(lambda spec: True),
    },
    default="usual",
    instructions=files("laconic.servers.prompts").joinpath("instructions.md").read_text(encoding="utf-8"),
)


@prompts.factory
async def open_library(section: PromptsSettings, home: Home) -> AsyncIterator[tuple[Library, Source]]:
    """Open the user's library."""
    async with opened_shelf(home, [KIND], section.trash_days) as shelf:
        library = Library(shelf, Judge(section.limits), home.changes.of(home.data))
        try:
            yield library, Source(library, shelf, KeptList(home.database, home.cache))
        finally:
            await library.close()


@prompts.checkup
async def library(service: Library) -> Diagnosis:
    """Say how the library is."""
    return await service.diagnosis()


@prompts.each_call
async def author(caller: Caller) -> By:
    """Say who makes a change."""
    return author_of(caller, "mcp")
