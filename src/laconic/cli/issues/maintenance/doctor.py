"""`laconic issues doctor`: find what is wrong with the files, and fix what can be fixed safely."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import screen
from laconic.cli.issues.parameters import AsJson
from laconic.cli.parameters import Workspace
from laconic.kit.errors import Refused

if TYPE_CHECKING:
    from laconic.servers.issues.doctor.findings import Checkup

__all__ = ["EPILOG", "doctor"]

EPILOG = """\
\b
examples:
  laconic issues doctor         # report what is wrong, change nothing
  laconic issues doctor --fix   # show what would be fixed, ask, and fix it; mainly after a merge

--fix renumbers issues that share an id, moves files to where they belong and corrects references that can
only mean one issue. It never changes a text, and leaves alone what needs a decision.

Exit status: 0 nothing is wrong, 1 something is left to do.
"""


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="fix what can be fixed without losing anything")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="fix without asking")] = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """Find problems in the files, and fix them with --fix.

    It finds duplicate ids, misplaced files, conflicts, bad headers and broken references.
    """
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.doctor.doctor import Doctor
    from laconic.servers.issues.sessions.files import SessionFiles

    with open_workspace(workspace) as opened:
        found = Doctor(opened.store, SessionFiles(opened.store.layout.root, opened.store.layout.home))
        checkup = found.examine()
        if fix and (yes or _is_agreed(checkup)):
            checkup = found.repair()
    if as_json:
        screen.write(json.dumps(checkup.model_dump(), ensure_ascii=False, indent=2))
    else:
        screen.write(screen.clean(checkup.words("--fix")))
    if checkup.findings:
        raise typer.Exit(1)


def _is_agreed(plan: Checkup) -> bool:
    """Show what would be fixed, and ask; without a terminal to ask on, nothing is fixed."""
    todo = [row for row in plan.findings if row.mendable]
    if not todo:
        return False
    for row in todo:
        typer.echo(screen.clean(f"{row.path}: {row.problem} {row.advice}"), err=True)
    if not sys.stdin.isatty():
        raise Refused(f"Nothing was changed; --fix would fix {len(todo)}.", advice="Add --yes to do it.")
    if not typer.confirm(f"Fix {'this' if len(todo) == 1 else f'these {len(todo)}'}?", err=True):
        raise Refused("Nothing was changed.", advice="")
    return True
