"""The library, opened for one command; everything slow to import is imported here."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from laconic.cli.configuration.options import help_of
from laconic.cli.configuration.workspace import Places
from laconic.cli.parameters import chosen

if TYPE_CHECKING:
    from laconic.servers.prompts.service import Library
    from laconic.stores import By

__all__ = ["AsJson", "DatabaseOption", "author", "in_library"]

T = TypeVar("T")
DatabaseOption = Annotated[
    str | None, typer.Option("--database", metavar="ADDRESS", help=help_of("database"))
]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]


def author() -> By:
    """Return who makes a change: the user of this terminal."""
    from laconic.stores import By

    try:
        return By(getpass.getuser(), "cli")
    except (KeyError, OSError):  # a user without a name
        return By(source="cli")


def in_library(work: Callable[[Library], Awaitable[T]], database: str | None = None) -> T:
    """Do work in the user's library; what is wrong with its file is one line, and exit status 1."""
    from laconic.stores import StoreError

    try:
        return asyncio.run(_opened(work, database))
    except StoreError as error:
        typer.echo(f"laconic: {error}", err=True)
        raise typer.Exit(1) from None


async def _opened(work: Callable[[Library], Awaitable[T]], database: str | None) -> T:
    from laconic.kit import Changes
    from laconic.kit.settings import read_section
    from laconic.servers.prompts.service import Library
    from laconic.servers.prompts.settings import PromptsSettings
    from laconic.servers.prompts.store import KIND
    from laconic.servers.prompts.templates.judge import Judge
    from laconic.stores import Database, Shelf

    options = chosen(database=database)
    section = read_section("prompts", options.sections.get("prompts", {}), PromptsSettings)
    opened = Database(options.database or Places.of(options).data / "library.db", [Shelf.schema])
    library = Library(Shelf(opened, [KIND]), Judge(section.limits), Changes())
    try:
        return await work(library)
    finally:
        await library.close()
        await opened.close()
