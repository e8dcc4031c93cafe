"""`laconic issues init`: the folders of a workspace, and git's merging of issues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli.issues import screen
from laconic.cli.parameters import Workspace

if TYPE_CHECKING:
    from laconic.servers.issues.merging.driver import MergeDriver

__all__ = ["EPILOG", "init"]

EPILOG = """\
\b
examples:
  laconic issues init            # make what is missing, and let git merge issues field by field
  laconic issues init --dry-run  # only say what is missing
  laconic issues init --undo     # let git merge issues as any other file again

What git runs is kept in .git of this clone, for all its work trees: nothing of it is committed.
"""


def init(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="change nothing, only say what is missing")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="take the merge driver out of the repository")] = False,
    workspace: Workspace = None,
) -> None:
    """Set up the folders for issues, and how git merges them in this clone."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.merging.driver import MergeDriver
    from laconic.servers.issues.setup.workspace import Workspace as Project

    with open_workspace(workspace) as opened:
        driver = MergeDriver(opened.store.layout)
        if undo:
            screen.say(_undone(driver, dry_run=dry_run))
            return
        report = Project(opened.store.layout.root).init(fix=not dry_run)
        screen.say(screen.clean(report.text(None).replace("run with fix: true", "run without --dry-run")))
        screen.say(_registered(driver, dry_run=dry_run))


def _registered(driver: MergeDriver, *, dry_run: bool) -> str:
    before = driver.state() if dry_run or driver.state() == "no repository" else driver.register()
    if before == "no repository":
        return "There is no git repository here, so nothing to merge."
    if before == "registered":
        return "git merges issues field by field here."
    return f"git {'would merge' if dry_run else 'now merges'} issues field by field in this clone."


def _undone(driver: MergeDriver, *, dry_run: bool) -> str:
    before = driver.state() if dry_run else driver.remove()
    if before == "absent":
        return "git merges issues as any other file here."
    return f"git {'would merge' if dry_run else 'merges'} issues as any other file again."
