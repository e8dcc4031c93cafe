"""`laconic library backup|restore|check|empty-trash`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.group import command_group
from laconic.cli.library.opening import DatabaseOption, done, safekeeping
from laconic.kit.errors import Refused

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic library check                      # count what is there, look for damage
  laconic library check --repair             # if search is wrong, rebuild its index
  laconic library backup ~/library.db        # everything into one file
  laconic library restore ~/library.db       # put it back; what is there now is copied first
  laconic library empty-trash --days 30      # delete what has been in the trash for 30 days

A backup is a SQLite file, also of a PostgreSQL, so that it can be put into either. Of a library that is a
file, a running server makes a copy each day, in the folder backups beside it.
"""

Yes = Annotated[bool, typer.Option("--yes", "-y", help="do not ask")]
app = command_group("library", "Back up, restore and check your prompts and notes.", _EPILOG)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="the file to write, which must not exist yet")],
    database: DatabaseOption = None,
) -> None:
    """Write everything into one file, also while servers run."""
    done(safekeeping(database).backup(file))
    typer.echo(f"The library is in {file}.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="a backup or a daily copy")],
    yes: Yes = False,
    database: DatabaseOption = None,
) -> None:
    """Put a backup in the place of everything.

    Servers that run go on with it. What was there is copied first.
    """
    _ask(yes, "this replaces the whole library", f"Replace everything in the library by {file}?")
    before = done(safekeeping(database).restore(file))
    typer.echo(f"The library is that of {file}." + (f" What was there is in {before}." if before else ""))


@app.command()
def check(
    repair: Annotated[
        bool, typer.Option("--repair", help="rebuild the index of search if it is wrong")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Count what is there, and look for damage.

    Exit status: 0 nothing is wrong, 1 something is.
    """
    keeper = safekeeping(database)
    found = done(keeper.check())
    if repair and found.index:
        done(keeper.repair())
        for fault in found.index:
            typer.echo(f"was   {fault}")
        typer.echo("The index of search was rebuilt.", err=True)
        found = done(keeper.check())
    for fault in (*found.faults, *found.index):
        typer.echo(f"WRONG {fault}")
    if found.faults:
        typer.echo("Put back a copy: laconic library restore FILE.", err=True)
    elif found.index:
        typer.echo("No item is damaged. Rebuild the index: laconic library check --repair.", err=True)
    if found.faults or found.index:
        raise typer.Exit(1)
    counted = ", ".join(_counted(number, kind) for kind, number in found.items.items()) or "nothing yet"
    typer.echo(f"ok    {counted}; {_counted(found.versions, 'version')}")


@app.command("empty-trash")
def empty_trash(
    days: Annotated[
        float, typer.Option("--days", min=0, help="only what has been there for at least this long")
    ] = 0,
    yes: Yes = False,
    database: DatabaseOption = None,
) -> None:
    """Delete for good what is in the trash, with its history.

    Everything else stays. What is deleted is still in backups and daily copies.
    """
    _ask(yes, "this deletes for good", "Delete for good what is in the trash?")
    typer.echo(f"{_counted(done(safekeeping(database).empty_trash(days)), 'item')} deleted for good.")


def _ask(yes: bool, what: str, question: str) -> None:
    """Ask before something that cannot be undone.

    Raises:
        Refused: the answer is no, or there is no terminal to ask on.
    """
    if not yes and not sys.stdin.isatty():
        raise Refused(f"Nothing was changed: {what}.", advice="Add --yes to do it.")
    if not yes and not typer.confirm(question, err=True):
        raise Refused("Nothing was changed.", advice="")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
