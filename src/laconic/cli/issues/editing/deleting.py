"""`laconic issues delete` and `laconic issues reopen`: remove issues for good, and take up finished ones."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from laconic.cli import screen, streams
from laconic.cli.issues.parameters import References
from laconic.cli.parameters import Workspace
from laconic.kit.errors import Failure, Refused

__all__ = ["DELETE_EPILOG", "REOPEN_EPILOG", "delete", "reopen"]

DELETE_EPILOG = """\
\b
examples:
  laconic issues delete 12             # shows it and asks
  laconic issues delete 12 13 --yes    # does not ask

The file is removed; what git has committed stays in its history. To keep an issue, close it:
laconic issues done.
"""
REOPEN_EPILOG = """\
\b
examples:
  laconic issues reopen 12 13    # open again, back in their folders
"""


def delete(
    references: References,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="delete without asking")] = False,
    workspace: Workspace = None,
) -> None:
    """Delete issues for good."""
    from laconic.cli.issues.workspace import open_workspace

    with open_workspace(workspace) as opened:
        found = [opened.get(reference) for reference in references]  # all, before the first is gone
        for issue in found if not yes else ():
            typer.echo(f"{issue.id}\t{issue.status}\t{screen.line(issue.title)}", err=True)
        if not yes and not sys.stdin.isatty():
            raise Refused("Nothing was deleted.", advice="Add --yes to delete for good.")
        if not yes and not typer.confirm(f"Delete {'it' if len(found) == 1 else 'them'} for good?", err=True):
            raise typer.Exit(1)
        for issue in found:
            opened.tracker.remove(issue.path)
            typer.echo(f"{issue.id} is deleted: {screen.line(issue.title)}")


def reopen(references: References, workspace: Workspace = None) -> None:
    """Open finished issues again."""
    from laconic.cli.issues.workspace import advised, open_workspace

    failed = 0
    with open_workspace(workspace) as opened:
        for reference in references:
            try:
                issue = opened.get(reference)
                if issue.is_complete:
                    issue = opened.tracker.change(issue.path, {"status": "open"}).issue
                    typer.echo(f"{issue.id} is open: {screen.line(issue.title)}")
                else:
                    typer.echo(f"{issue.id} is already {issue.status}: {screen.line(issue.title)}")
            except Failure as failure:
                failed += 1
                streams.report(advised(failure))
    if failed:
        raise typer.Exit(1)
