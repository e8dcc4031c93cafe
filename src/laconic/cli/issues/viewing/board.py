"""`laconic issues board`: one column per status, one card per issue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from laconic.cli import screen
from laconic.cli.issues.parameters import AsJson, Assignee, Every, Labels, Priorities, Project, Search, Types
from laconic.cli.issues.viewing.cells import CELLS, as_data
from laconic.cli.parameters import Workspace

if TYPE_CHECKING:
    from laconic.cli.issues.viewing.lanes import Lanes

__all__ = ["EPILOG", "board"]

EPILOG = """\
\b
examples:
  laconic issues board                     # everything, ten cards per column
  laconic issues board -P web --all        # one project, every card
  laconic issues board -a ada -n 3         # ada's issues, three cards per column

Unfinished issues are sorted by priority, finished ones by last change. A narrow terminal shows all finished
issues in one column, or the columns below each other. Piped output has one line per card, with tabs between
the columns.
"""

_COLUMNS: Final = ("status", "id", "priority", "title", "assignee")


def board(
    type: Types = None,
    priority: Priorities = None,
    label: Labels = None,
    assignee: Assignee = None,
    project: Project = None,
    search: Search = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, help="show at most N cards per column")
    ] = 10,
    every: Every = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """Show issues on a board, by status."""
    from laconic.cli.issues.viewing.drawing import draw
    from laconic.cli.issues.viewing.lanes import lanes_of
    from laconic.cli.issues.viewing.query import Wanted, query_of
    from laconic.cli.issues.workspace import open_workspace

    wanted = Wanted(type=type, priority=priority, label=label, assignee=assignee, project=project)
    with open_workspace(workspace) as opened, opened.store.one_scan():
        query = query_of(opened, wanted, search, unfinished=False)
        console = screen.console() if screen.is_terminal() and not as_json else None
        lanes = lanes_of(opened, query, None if every else limit, console.width if console else None)
    if as_json:
        screen.write_json(_data(lanes))
    elif console is not None:
        draw(console, lanes)
    else:
        _print_lines(lanes)


def _data(lanes: Lanes) -> dict[str, object]:
    return {
        status: {"total": page.total, "issues": [as_data(issue) for issue in page.items]}
        for status, page in lanes.items()
    }


def _print_lines(lanes: Lanes) -> None:
    for page in lanes.values():
        for issue in page.items:
            screen.write("\t".join(CELLS[name].word(issue) for name in _COLUMNS))
    cut = [f"{status}: {len(page.items):,} of {page.total:,}" for status, page in lanes.items() if page.rest]
    if cut:
        typer.echo(f"{'; '.join(cut)}. More: --limit N or --all.", err=True)
