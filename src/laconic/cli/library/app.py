"""`laconic library backup|restore|check`."""

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
  laconic library backup ~/library.db        # everything into one file
  laconic library restore ~/library.db       # put it back; what is there now is copied first

A backup is a SQLite file, also of a PostgreSQL, so that it can be put into either. Of a library that is a
file, a running server makes a copy each day, in the folder backups beside it.
"""

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
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask")] = False,
    database: DatabaseOption = None,
) -> None:
    """Put a backup in the place of everything.

    Servers that run go on with it. What was there is copied first.
    """
    if not yes and not sys.stdin.isatty():
        raise Refused("Nothing was changed: this replaces the whole library.", advice="Add --yes to do it.")
    if not yes and not typer.confirm(f"Replace everything in the library by {file}?", err=True):
        raise Refused("Nothing was changed.", advice="")
    before = done(safekeeping(database).restore(file))
    typer.echo(f"The library is that of {file}." + (f" What was there is in {before}." if before else ""))


@app.command()
def check(database: DatabaseOption = None) -> None:
    """Count what is there, and look for damage.

    Exit status: 0 nothing is wrong, 1 something is.
    """
    found = done(safekeeping(database).check())
    counted = ", ".join(_counted(number, kind) for kind, number in found.items.items()) or "nothing yet"
    if found.faults:
        for fault in found.faults:
            typer.echo(f"WRONG {fault}")
        typer.echo("Put back a copy: laconic library restore FILE.", err=True)
        raise typer.Exit(1)
    typer.echo(f"ok    {counted}; {_counted(found.versions, 'version')}")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
