"""`laconic issues doctor`: find what is wrong with the files, and fix what can be fixed safely."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from laconic.cli.issues import screen
from laconic.cli.issues.parameters import AsJson
from laconic.cli.parameters import Workspace

__all__ = ["EPILOG", "doctor"]

EPILOG = """\
\b
examples:
  laconic issues doctor         # report what is wrong, change nothing
  laconic issues doctor --fix   # fix what is marked +, mainly after a merge

--fix renumbers issues that share an id, moves files to where they belong and corrects references that can
only mean one issue. It never changes a text, and leaves alone what needs a decision.

Exit status: 0 nothing is wrong, 1 something is left to do.
"""


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="fix what can be fixed without losing anything")] = False,
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
        found = Doctor(opened.store, SessionFiles(opened.store.layout.root))
        checkup = found.repair() if fix else found.examine()
    if as_json:
        screen.write(json.dumps(checkup.model_dump(), ensure_ascii=False, indent=2))
    else:
        screen.write(screen.clean(checkup.words("--fix")))
    if checkup.findings:
        raise typer.Exit(1)
