"""The library that a command works on; everything slow to import is imported here."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from laconic.cli.configuration.options import help_of
from laconic.cli.configuration.workspace import Places
from laconic.cli.parameters import chosen

if TYPE_CHECKING:
    from laconic.library.safekeeping import Safekeeping

__all__ = ["DatabaseOption", "address_of", "done", "safekeeping"]

T = TypeVar("T")
DatabaseOption = Annotated[
    str | None, typer.Option("--database", metavar="ADDRESS", help=help_of("database"))
]


def address_of(database: str | None) -> tuple[str, Path]:
    """Return the address of the library, and the folder for copies that nobody asked for."""
    from laconic.stores.database.address import file_of

    options = chosen(database=database)
    data = Places.of(options).data
    address = options.database or str(data / "library.db")
    file = file_of(address)
    return address, (file.parent if file else data) / "backups"


def safekeeping(database: str | None) -> Safekeeping:
    """Return what keeps the chosen library."""
    from laconic.library.safekeeping import Safekeeping

    return Safekeeping(*address_of(database))


def done(work: Coroutine[Any, Any, T]) -> T:
    """Do the work of a command; an error of the library is a failure in words."""
    from laconic.kit import failure_of
    from laconic.stores import StoreError

    try:
        return asyncio.run(work)
    except StoreError as error:
        raise failure_of(error) from error
