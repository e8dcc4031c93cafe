"""The library, opened for one command; everything slow to import is imported here."""

from __future__ import annotations

import getpass
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from laconic.cli.library.opening import address_of, done
from laconic.cli.parameters import chosen

if TYPE_CHECKING:
    from laconic.servers.prompts.service import Library
    from laconic.stores import By

__all__ = ["AsJson", "author", "in_library"]

T = TypeVar("T")
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]


def author() -> By:
    """Return who makes a change: the user of this terminal."""
    from laconic.stores import By

    try:
        return By(getpass.getuser(), "cli")
    except (KeyError, OSError):  # a user without a name
        return By(source="cli")


def in_library(work: Callable[[Library], Awaitable[T]], database: str | None = None) -> T:
    """Do work in the user's library; an error of the library is a failure in words."""
    return done(_opened(work, database))


async def _opened(work: Callable[[Library], Awaitable[T]], database: str | None) -> T:
    from laconic.kit import Changes
    from laconic.kit.settings import read_section
    from laconic.servers.prompts.service import Library
    from laconic.servers.prompts.settings import PromptsSettings
    from laconic.servers.prompts.store import KIND
    from laconic.servers.prompts.templates.judge import Judge
    from laconic.stores import Database, Shelf

    section = read_section("prompts", chosen().sections.get("prompts", {}), PromptsSettings)
    opened = Database(address_of(database)[0], [Shelf.schema])
    library = Library(Shelf(opened, [KIND]), Judge(section.limits), Changes())
    try:
        return await work(library)
    finally:
        await library.close()
        await opened.close()
