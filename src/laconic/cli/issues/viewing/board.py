"""`laconic issues board`: one column per status, one card per issue."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from laconic.cli import screen
from laconic.cli.issues.parameters import AsJson, Assignee, Every, Labels, Priorities, Project, Search, Types
from laconic.cli.issues.viewing.cells import CELLS, as_data
from laconic.cli.issues.viewing.rows import with_dependencies
from laconic.cli.parameters import Workspace
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.cli.issues.viewing.lanes import Lanes
    from laconic.cli.issues.viewing.query import Wanted
    from laconic.cli.issues.workspace import OpenWorkspace
    from laconic.servers.issues.dependencies import Dependencies

__all__ = ["EPILOG", "board"]

EPILOG = """\
\b
examples:
  laconic issues board                     # everything, ten cards per column
  laconic issues board -P web --all        # one project, every card
  laconic issues board -a ada -n 3         # ada's issues, three cards per column
  laconic issues board --watch             # follow what agents do

Unfinished issues are sorted by priority, finished ones by last change. A narrow terminal shows all finished
issues in one column, or the columns below each other. Piped output has one line per card, with tabs between
the columns.
"""

_PAUSE: Final = 1.0  # seconds between two looks
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
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="draw it again when something changes; Ctrl-C ends it")
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """Show issues on a board, by status."""
    from laconic.cli.issues.viewing.query import Wanted
    from laconic.cli.issues.workspace import open_workspace

    wanted = Wanted(type=type, priority=priority, label=label, assignee=assignee, project=project)
    is_drawn = screen.is_terminal() and not as_json
    if watch and not is_drawn:
        raise BadConfiguration(
            "--watch draws on a terminal. Without it, the board is printed once.", advice=""
        )
    with open_workspace(workspace) as opened:

        def look() -> tuple[Lanes, Dependencies]:
            return _look(opened, wanted, search, None if every else limit, is_drawn=is_drawn)

        if watch:
            _follow(look)
        elif is_drawn:
            _draw(*look())
        elif as_json:
            screen.write_json(_data(look()[0]))
        else:
            _print_lines(look()[0])


def _look(
    opened: OpenWorkspace, wanted: Wanted, search: str | None, limit: int | None, *, is_drawn: bool
) -> tuple[Lanes, Dependencies]:
    from laconic.cli.issues.viewing.lanes import lanes_of
    from laconic.cli.issues.viewing.query import query_of
    from laconic.servers.issues.dependencies import Dependencies

    with opened.store.one_scan():
        query = query_of(opened, wanted, search, unfinished=False)
        lanes = lanes_of(opened, query, limit, screen.console().width if is_drawn else None)
        return lanes, Dependencies.among(opened.store.entries())


def _follow(look: Callable[[], tuple[Lanes, Dependencies]]) -> None:
    """Draw the board again whenever it has changed, until Ctrl-C."""
    seen: object = None
    with suppress(KeyboardInterrupt):
        while True:
            lanes, waiting = look()
            now = (_data(lanes), waiting, screen.console().size)
            if now != seen:
                screen.console().clear()
                _draw(lanes, waiting)
                seen = now
            time.sleep(_PAUSE)


def _draw(lanes: Lanes, waiting: Dependencies) -> None:
    from laconic.cli.issues.viewing.drawing import draw

    draw(screen.console(), _with_dependencies(lanes, waiting))


def _with_dependencies(lanes: Lanes, waiting: Dependencies) -> Lanes:
    return {
        status: replace(page, items=with_dependencies(page.items, waiting)) for status, page in lanes.items()
    }


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
