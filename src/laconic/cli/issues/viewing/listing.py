"""`laconic issues list` and `laconic issues search`: a table of issues, last changed or best match first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from laconic.cli import screen
from laconic.cli.issues.parameters import (
    AsJson,
    Assignee,
    Every,
    Labels,
    ListLimit,
    Priorities,
    Project,
    Search,
    Types,
    option,
)
from laconic.cli.issues.viewing import rows
from laconic.cli.issues.viewing.query import Wanted, query_of
from laconic.cli.parameters import Workspace, beginning

__all__ = ["EPILOG", "SEARCH_EPILOG", "issues_list", "search"]

EPILOG = """\
\b
examples:
  laconic issues list                              # unfinished issues, last changed first
  laconic issues list --status all --search login  # all issues about it, best match first
  laconic issues list -l bug -p high,critical      # important bugs
  laconic issues list --json | jq '.issues[].id'   # JSON, for a program

Piped output has one line per issue, all of them unless you set a limit, tabs between the columns, and dates
instead of ages.
"""
SEARCH_EPILOG = """\
\b
examples:
  laconic issues search login timeout        # finished issues, too; best match first
  laconic issues search SSO --type specification --json
"""

_COLUMNS = ("id", "status", "priority", "title", "assignee", "age", "project", "labels")
_ON_TERMINAL: Final = 25  # issues, unless a limit is set
_SORTS = {"updated": True, "created": True, "priority": True, "status": False}  # True: descending


def issues_list(
    status: Annotated[
        list[str] | None,
        option("statuses", "only open, in_progress, closed or cancelled; all: any status"),
    ] = None,
    type: Types = None,
    priority: Priorities = None,
    label: Labels = None,
    assignee: Assignee = None,
    project: Project = None,
    search: Search = None,
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort",
            metavar="FIELD",
            help="updated, created, priority or status",
            autocompletion=lambda incomplete: beginning(_SORTS, incomplete),
        ),
    ] = None,
    limit: ListLimit = None,
    every: Every = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """List issues, specifications and ideas."""
    from laconic.cli.configuration.files import unknown

    if sort is not None and sort not in _SORTS:
        raise unknown("field to sort by", sort, _SORTS)
    wanted = Wanted(type=type, priority=priority, label=label, assignee=assignee, project=project)
    _print(wanted, search, status, None if every else _most(limit, as_json), sort, workspace, as_json=as_json)


def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="what to find")],
    type: Types = None,
    priority: Priorities = None,
    label: Labels = None,
    assignee: Assignee = None,
    project: Project = None,
    limit: ListLimit = None,
    every: Every = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """Find issues by words in title, text or labels, finished ones too."""
    wanted = Wanted(type=type, priority=priority, label=label, assignee=assignee, project=project)
    most = None if every else _most(limit, as_json)
    _print(wanted, " ".join(words), ["all"], most, None, workspace, as_json=as_json)


def _most(limit: int | None, as_json: bool) -> int | None:
    """Return how many issues to print: what fits a terminal, and for programs all."""
    is_for_people = screen.is_terminal() and not as_json
    return _ON_TERMINAL if limit is None and is_for_people else limit


def _print(
    wanted: Wanted,
    words: str | None,
    status: list[str] | None,
    limit: int | None,
    sort: str | None,
    workspace: Path | None,
    *,
    as_json: bool,
) -> None:
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.dependencies import Dependencies

    with open_workspace(workspace) as opened, opened.store.one_scan():
        query = query_of(opened, wanted, words, status=status)
        page = query.page(opened, limit, (sort, _SORTS[sort]) if sort else None)
        done = query.done(opened, page.total or 0)
        waiting = Dependencies.among(opened.store.entries())
    if as_json:
        rows.as_json(page, waiting)
    else:
        rows.show(page.items, _COLUMNS, waiting)
        rows.remark(page, f"{done:,} more closed or cancelled: --status all." if done else "")
