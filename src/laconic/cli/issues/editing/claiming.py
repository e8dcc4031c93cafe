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
  laconic issues claim 12 --release   # give it up, or free it from an agent that is gone

If several people or agents try at once, in any work tree of this clone, one gets it. Your name is
the user.name of git, else that of your account.
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
    take_over: Annotated[bool, typer.Option("--take-over", help="take it even if somebody has it")] = False,
    release: Annotated[bool, typer.Option("--release", help="end the claim, in whatever work tree")] = False,
    workspace: Workspace = None,
) -> None:
    """Take an issue, unless somebody has it."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.index.references import Ambiguous

    with open_workspace(workspace) as opened:
        if release:
            typer.echo(opened.tracker.release(opened.named(reference)))
            return
        who = name or _own_name(opened.store.layout.root)
        try:
            taken = opened.tracker.change(
                opened.named(reference), {"assignee": who}, claim=True, take_over=take_over
            )
        except Conflict as refusal:
            if not isinstance(refusal, Ambiguous):
                over = "; --take-over takes this one" if refusal.code == "RESOURCE_LOCKED" else ""
                refusal.advice = f"laconic issues ready lists free issues{over}."
            raise
    typer.echo(f"{taken.id} is {who}'s: {taken.issue.title}")
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
                done = opened.tracker.complete(opened.named(reference), note)
                word = "" if done.is_new else "already "
                typer.echo(f"{done.id} is {word}{done.status}: {done.issue.title}")
            except Failure as failure:
                failed += 1
                streams.report(advised(failure))
    if failed:
        raise typer.Exit(1)


def _own_name(folder: Path) -> str:
    from laconic.servers.issues.git.asking import ask_git

    return (ask_git(folder, "config", "user.name") or "").strip() or getpass.getuser()
