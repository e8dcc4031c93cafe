"""`laconic issues claim` and `laconic issues done`: take an issue, and close it."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import streams
from laconic.cli.issues.parameters import Reference, References, option
from laconic.cli.parameters import Workspace
from laconic.kit.errors import Conflict, Failure

__all__ = ["CLAIM_EPILOG", "DONE_EPILOG", "claim", "done"]

CLAIM_EPILOG = """\
\b
examples:
  laconic issues claim 12             # assign it to you and start it
  laconic issues claim 12 --as ada    # assign it to somebody else

If several people try at once, one gets it. Your name is the user.name of git, else that of your account.
"""
DONE_EPILOG = """\
\b
examples:
  laconic issues done 12 13
  laconic issues done 12 --note 'Fixed in 1.4.'   # appended to the text
"""


def claim(
    reference: Reference,
    name: Annotated[str | None, option("as", "person who takes it; default: you")] = None,
    workspace: Workspace = None,
) -> None:
    """Take an issue, unless somebody has it."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.index.references import Ambiguous

    with open_workspace(workspace) as opened:
        who = name or _own_name(opened.store.layout.root)
        fields = {"assignee": who, "status": "in_progress"}
        try:
            taken = opened.tracker.change(opened.named(reference), fields, claim=True)
        except Conflict as refusal:
            if not isinstance(refusal, Ambiguous):
                refusal.advice = "laconic issues ready lists free issues."
            raise
    typer.echo(f"{taken.id} is {who}'s: {taken.title}")
    for remark in taken.list_remarks():
        typer.echo(f"laconic: {remark}", err=True)


def done(
    references: References,
    note: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="what to append to the text")
    ] = None,
    workspace: Workspace = None,
) -> None:
    """Close issues."""
    from laconic.cli.issues.workspace import advised, open_workspace

    failed = 0
    with open_workspace(workspace) as opened:
        for reference in references:
            try:
                issue, is_new = opened.tracker.complete(opened.named(reference), note)
                typer.echo(f"{issue.id} is {'' if is_new else 'already '}{issue.status}: {issue.title}")
            except Failure as failure:
                failed += 1
                streams.report(advised(failure))
    if failed:
        raise typer.Exit(1)


def _own_name(folder: Path) -> str:
    from laconic.servers.issues.git.asking import ask_git

    return (ask_git(folder, "config", "user.name") or "").strip() or getpass.getuser()
