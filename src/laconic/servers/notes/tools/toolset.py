"""The toolset of the notes server, and what its tools share."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated

from pydantic import AfterValidator

from laconic.kit import Caller, Diagnosis, Home, Toolset
from laconic.library.authors import author_of
from laconic.library.opening import opened_shelf
from laconic.servers.notes.models import Type
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.service import Notes
from laconic.servers.notes.settings import NotesSettings
from laconic.servers.notes.store import KINDS
from laconic.stores import By

__all__ = ["TYPE", "Id", "Tags", "notes"]

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


@notes.factory
async def open_notes(section: NotesSettings, home: Home) -> AsyncIterator[Notes]:
    """Open the user's library."""
    async with opened_shelf(home, KINDS, section.trash_days) as shelf:
        service = Notes(shelf, Pages(section.reach))
        yield service
        await service.close()


@notes.checkup
async def library(service: Notes) -> Diagnosis:
    """Say how the library is."""
    return await service.diagnosis()


@notes.each_call
async def author(caller: Caller) -> By:
    """Say who makes a change."""
    return author_of(caller, "mcp")
