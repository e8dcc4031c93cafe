"""Edit an issue's file in the editor; it is checked afterwards, never reverted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from laconic.cli import editor
from laconic.cli.issues import values
from laconic.text import did_you_mean, nearest

if TYPE_CHECKING:
    from laconic.cli.issues.workspace import OpenWorkspace
    from laconic.servers.issues.models import Issue

__all__ = ["edit_by_hand", "flaws"]


def edit_by_hand(opened: OpenWorkspace, reference: str) -> int:
    """Open the file in the editor, then update its dates and folder, or print what is wrong (status 1)."""
    before, file = opened.get(reference), opened.file(reference)
    old = file.read_bytes()
    while True:
        editor.edit(file)
        if not file.exists():
            typer.echo(f"laconic: {opened.from_here(before.path)} no longer exists.", err=True)
            return 1
        if file.read_bytes() == old:
            typer.echo(f"{before.id}: nothing changed.")
            return 0
        after = opened.tracker.get(before.path)
        wrong = flaws(after, before)
        if not wrong:
            return _accept(opened, before)
        for flaw in wrong:
            typer.echo(f"{opened.from_here(after.path)}: {flaw}", err=True)
        if not (sys.stdin.isatty() and typer.confirm("Edit it again?", default=True)):
            typer.echo(
                f"The file stays as you wrote it; laconic issues edit {before.id} opens it again.", err=True
            )
            return 1


def flaws(issue: Issue, before: Issue) -> list[str]:
    """Return what is wrong with a file after an edit, one sentence each."""
    found = list(issue.warnings)
    words = values.known("type")
    if issue.type not in words and issue.type != before.type:
        hint = did_you_mean(nearest(issue.type, words))
        found.append(f"type is {issue.type}. Expected: {', '.join(words)}.{hint}")
    if issue.id != before.id:
        found.append(f"id is {issue.id} but was {before.id}; other files refer to it by that id.")
    return found


def _accept(opened: OpenWorkspace, before: Issue) -> int:
    after = opened.tracker.finish_edit(before)
    moved = "" if after.path == before.path else f", now {opened.from_here(after.path)}"
    typer.echo(f"Updated {after.id}{moved}")
    return 0
