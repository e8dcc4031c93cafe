"""`laconic prompts archive`, `trash`, `restore` and `label`: what people do and agents as a rule do not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from laconic.cli.library.opening import DatabaseOption
from laconic.cli.prompts.opening import author, in_library
from laconic.cli.prompts.viewing import NAME
from laconic.cli.screen import moment
from laconic.kit.errors import BadConfiguration, Conflict, NotFound

if TYPE_CHECKING:
    from laconic.servers.prompts.models import Prompt
    from laconic.servers.prompts.service import Library
    from laconic.servers.prompts.store import ById

__all__ = ["ARCHIVE_EPILOG", "LABEL_EPILOG", "RESTORE_EPILOG", "TRASH_EPILOG"]
__all__ += ["archive", "label", "restore", "trash"]

ARCHIVE_EPILOG = """\
\b
examples:
  laconic prompts archive review                  # no longer found, until it is restored
  laconic prompts archive review --at 2027-01-31  # active until then
  laconic prompts list --state archived

An archived prompt keeps its name.
"""
TRASH_EPILOG = """\
\b
examples:
  laconic prompts trash review
  laconic prompts list --state deleted      # what is in the trash
  laconic prompts restore review            # out of it again

Its name is free again. What is in the trash stays there: 'laconic library empty-trash' deletes it for good.
"""
RESTORE_EPILOG = """\
\b
examples:
  laconic prompts restore review      # from the archive or the trash; cancels a planned archiving
  laconic prompts restore review@2    # what it was in version 2, as a new version
"""
LABEL_EPILOG = """\
\b
examples:
  laconic prompts label review production       # its newest version is review@production
  laconic prompts label review@3 production     # its third version
  laconic prompts label review production --remove
"""
ONE = Annotated[str, typer.Argument(metavar="NAME", help="its name, or its id")]


def archive(
    name: ONE,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="later, such as 2027-01-31 or 2027-01-31T08:00")
    ] = None,
    database: DatabaseOption = None,
) -> None:
    """Archive a prompt: it is no longer found, and keeps its name."""
    when = _moment(at) if at else None

    async def work(library: Library) -> Prompt:
        one = await _alive(library, name)
        return await library.shelving.archive(_by_id(one), author(), when)

    one = in_library(work, database)
    said = "is archived" if one.state == "archived" else f"will be archived on {moment(one.archived_at)}"
    typer.echo(f"{one.name} {said}.{_needed(one)}")


def trash(name: ONE, database: DatabaseOption = None) -> None:
    """Put a prompt into the trash."""

    async def work(library: Library) -> Prompt:
        return await library.shelving.trash(_by_id(await _alive(library, name)), author())

    one = in_library(work, database)
    typer.echo(f"{one.name} is in the trash.{_needed(one)}")


def restore(
    name: Annotated[str, typer.Argument(metavar="NAME", help="its name, its id, or a version: review@2")],
    database: DatabaseOption = None,
) -> None:
    """Bring back an archived or deleted prompt, or an earlier version."""
    base, _, version = name.partition("@")

    async def revert(library: Library) -> str:
        saved = await library.versions.revert(base, version, author())
        return f"{saved.name} is version {saved.version}, as {name} was."

    async def revive(library: Library) -> str:
        for one in await _named(library, base):
            if one.state == "deleted":
                await library.shelving.untrash(_by_id(one), author())
                return f"{one.name} is active again."
            if one.archived_at is not None:
                await library.shelving.unarchive(_by_id(one), author())
                was = "is active again" if one.state == "archived" else "will not be archived"
                return f"{one.name} {was}."
            raise Conflict(f"{one.name} is active.", advice=f"{one.name}@1 restores its first version.")
        raise NotFound("Prompt", base, advice="")

    work: Callable[[Library], Awaitable[str]] = revert if version else revive
    typer.echo(in_library(work, database))


def label(
    name: NAME,
    label: Annotated[str, typer.Argument(metavar="LABEL", help="such as production")],
    remove: Annotated[bool, typer.Option("--remove", help="take it away")] = False,
    database: DatabaseOption = None,
) -> None:
    """Put a label on a version, or move it there."""
    base = name.partition("@")[0]
    if remove:
        in_library(lambda library: library.versions.unlabel(name, label), database)
        typer.echo(f"{base} has no label {label}.")
        return
    number = in_library(lambda library: library.versions.label(name, label), database)
    typer.echo(f"{base}@{label} is version {number}.")


def _moment(text: str) -> datetime:
    """Return a time, which is local unless it says otherwise."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        expected = "Expected: a day or a time, such as 2027-01-31 or 2027-01-31T08:00."
        raise BadConfiguration(f"'{text[:80]}' is no time. {expected}", advice="") from None


async def _alive(library: Library, name: str) -> Prompt:
    """Return a prompt that is not in the trash."""
    for one in await _named(library, name):
        if one.state != "deleted":
            return one
        raise NotFound("Prompt", name, advice=f"It is in the trash: laconic prompts restore {name}.")
    return await library.reading.metadata(name)  # which says what may have been meant


async def _named(library: Library, name: str) -> list[Prompt]:
    from laconic.servers.prompts.store import ById

    try:
        UUID(name)
    except ValueError:
        return await library.shelving.named(name)
    return [await library.reading.metadata(ById(name))]


def _by_id(one: Prompt) -> ById:
    from laconic.servers.prompts.store import ById

    return ById(one.id)


def _needed(one: Prompt) -> str:
    """Say which prompts cannot be filled in without it."""
    users = ", ".join(one.used_by or ())
    return f" Without it these cannot be filled in: {users}." if users else ""
