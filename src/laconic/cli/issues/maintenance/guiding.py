"""The section for agents that `laconic issues init --agents` offers: shown, asked about, written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from laconic.cli import screen
from laconic.kit.errors import Refused

if TYPE_CHECKING:
    from laconic.servers.issues.index.layout import Layout
    from laconic.servers.issues.setup.guides import GuideChange

__all__ = ["guide"]


def guide(layout: Layout, *, remove: bool, dry_run: bool, yes: bool) -> None:
    """Write the section into AGENTS.md and CLAUDE.md, or remove it, after a yes.

    Raises:
        Refused: the answer is no, or there is no terminal to ask on.
    """
    from laconic.servers.issues.setup.guides import guide_changes, section

    changes = guide_changes(layout, remove=remove)
    if not changes:
        screen.write(f"The section for agents is {'in no file' if remove else 'up to date'}.")
        return
    if dry_run or not yes:
        shown = "" if remove else f"\n{section(layout)}"
        typer.echo(screen.clean(f"{_plan(changes)}{shown}"), err=not dry_run)
    if dry_run:
        return
    if not yes:
        _ask()
    for change in changes:
        change.apply()
        screen.write(f"{change.name}: the section for agents is {_done(change)}.")


def _plan(changes: Sequence[GuideChange]) -> str:
    return "\n".join(
        f"{change.name}: the section for agents would be {_done(change)}"
        f"{' (a new file)' if change.before is None else ''}"
        f"{', and the file with it' if change.after is None else ''}."
        for change in changes
    )


def _done(change: GuideChange) -> str:
    return "written" if change.has_section else "removed"


def _ask() -> None:
    if not sys.stdin.isatty():
        raise Refused("The section for agents was not touched.", advice="Add --yes to do it.")
    if not typer.confirm("Do this?", err=True):
        raise Refused("The section for agents was not touched.", advice="")
