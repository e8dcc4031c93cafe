"""`laconic issues list`: a table of issues, last changed first."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli.issues.parameters import (
    AsJson,
    Assignee,
    Every,
    Labels,
    Limit,
    Priorities,
    Project,
    Search,
    Types,
    option,
)
from laconic.cli.issues.viewing import rows
from laconic.cli.parameters import Workspace, beginning

__all__ = ["EPILOG", "issues_list"]

EPILOG = """\
\b
examples:
  laconic issues list                              # unfinished issues, last changed first
  laconic issues list --status all --search login  # all issues about it, best match first
  laconic issues list -l bug -p high,critical      # important bugs
  laconic issues list --json | jq '.issues[].id'   # JSON, for a program

Piped output has one line per issue, tabs between the columns, and dates instead of ages.
"""

_COLUMNS = ("id", "status", "priority", "title", "assignee", "age", "project", "labels")
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
    limit: Limit = 25,
    every: Every = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """List issues, specifications and ideas."""
    from laconic.cli.configuration.files import unknown
    from laconic.cli.issues.viewing.query import Wanted, query_of
    from laconic.cli.issues.workspace import open_workspace

    if sort is not None and sort not in _SORTS:
        raise unknown("field to sort by", sort, _SORTS)
    wanted = Wanted(type=type, priority=priority, label=label, assignee=assignee, project=project)
    with open_workspace(workspace) as opened, opened.store.one_scan():
        query = query_of(opened, wanted, search, status=status)
        page = query.page(opened, None if every else limit, (sort, _SORTS[sort]) if sort else None)
        done = query.done(opened, page.total or 0)
    if as_json:
        rows.as_json(page)
    else:
        rows.show(page.items, _COLUMNS)
        rows.remark(page, f"{done:,} more closed or cancelled: --status all." if done else "")
