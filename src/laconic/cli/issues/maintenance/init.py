"""`laconic issues init`: set up the folders of a workspace, and how git merges issues."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import screen
from laconic.cli.asking import ask_in_own_checkout
from laconic.cli.parameters import Workspace, Yes
from laconic.cli.program import check_lasting

if TYPE_CHECKING:
    from laconic.servers.issues.merging.driver import MergeDriver

__all__ = ["EPILOG", "init"]

EPILOG = """\
\b
examples:
  laconic issues init            # create what is missing, and let git merge issues field by field
  laconic issues init --dry-run  # only show what is missing
  laconic issues init --undo     # let git merge issues like any other file again
  laconic issues init --folder .tracker  # a new workspace with that folder instead of .wrangler
  laconic issues init --agents   # offer a section for agents in AGENTS.md, too
  laconic issues init --agents --remove  # take that out again

The merge driver is configured in .git of this clone, for all its work trees; nothing is committed.
--agents also writes to CLAUDE.md if there is one. Only its own section changes.
"""


def init(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="change nothing, only show what is missing")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="remove the merge driver from the repository")] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="offer a section for AGENTS.md and CLAUDE.md")
    ] = False,
    folder: Annotated[
        str | None,
        typer.Option("--folder", metavar="NAME", help="the folder of a new workspace, instead of .wrangler"),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="with --agents: remove that section")] = False,
    yes: Yes = False,
    workspace: Workspace = None,
) -> None:
    """Set up the folders for issues, and how git merges them."""
    from laconic.cli.issues.maintenance.choosing import chosen_folder
    from laconic.cli.issues.maintenance.guiding import guide
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.merging.driver import MergeDriver
    from laconic.servers.issues.setup.workspace import Workspace as Project

    if (remove and not agents) or (agents and undo):
        raise typer.BadParameter("--remove goes with --agents, and --undo with neither.")
    if folder is not None and (undo or remove):
        raise typer.BadParameter("--folder goes with neither --undo nor --remove.")
    choice = None if folder is None else chosen_folder(workspace, folder)
    with open_workspace(workspace, folder) as opened:
        driver = MergeDriver(opened.store.layout)
        if undo:
            screen.write(_undone(driver, dry_run=dry_run))
            return
        if remove:
            guide(opened.store.layout, remove=True, dry_run=dry_run, yes=yes)
            return
        if not dry_run:
            if driver.state() != "no repository":
                check_lasting(Path(sys.executable))  # the driver starts it
            ask_in_own_checkout(opened.store.layout.root, yes=yes)
        if choice is not None:
            if not dry_run:
                choice.apply()
            screen.write(choice.words(dry_run=dry_run))
        report = Project(opened.store.layout.root, opened.store).init(fix=not dry_run, is_small=True)
        screen.write(screen.clean(report.words("run without --dry-run")))
        screen.write(_registered(driver, dry_run=dry_run))
        if agents:
            guide(opened.store.layout, remove=False, dry_run=dry_run, yes=yes)


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
        return "git merges issues like any other file here."
    return f"git {'would merge' if dry_run else 'merges'} issues like any other file again."
