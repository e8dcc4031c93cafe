"""`laconic issues ready`: issues that can be started now, most urgent first."""

from __future__ import annotations

from laconic.cli.issues.parameters import AsJson, Every, Labels, Limit, Priorities, Project, Types
from laconic.cli.issues.viewing import rows
from laconic.cli.parameters import Workspace

__all__ = ["EPILOG", "ready"]

EPILOG = """\
\b
examples:
  laconic issues ready                     # what to do next
  laconic issues ready --type issue -n 5   # five, without specifications and ideas
  laconic issues claim $(laconic issues ready -n 1 | cut -f1)   # take the first

Ready issues are open, unassigned and not blocked by an unfinished issue; by priority, then oldest first.
"""

_COLUMNS = ("id", "priority", "title", "age", "project", "labels")


def ready(
    type: Types = None,
    priority: Priorities = None,
    label: Labels = None,
    project: Project = None,
    limit: Limit = 25,
    every: Every = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """List issues that are open, unassigned and not blocked."""
    from laconic.cli.issues.viewing.query import Wanted, query_of
    from laconic.cli.issues.workspace import open_workspace
    from laconic.kit.answers.pages import Window

    wanted = Wanted(type=type, priority=priority, label=label, project=project)
    with open_workspace(workspace) as opened, opened.store.one_scan():
        query = query_of(opened, wanted, unfinished=False)
        window = Window(limit=1_000_000_000 if every else limit)
        page = opened.tracker.find(window, query.filters, ready=True)
    if as_json:
        rows.as_json(page)
    else:
        rows.show(page.items, _COLUMNS)
        rows.remark(page)
