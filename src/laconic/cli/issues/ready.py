"""`laconic issues ready`: what can be begun now, the most urgent first."""

from __future__ import annotations

from laconic.cli.choices import Workspace
from laconic.cli.issues import rows
from laconic.cli.issues.choices import AsJson, Every, Labels, Limit, Priorities, Project, Types

__all__ = ["EPILOG", "ready"]

EPILOG = """\
\b
examples:
  laconic issues ready                     # what to do next
  laconic issues ready --type issue -n 5   # five, and no specifications or ideas
  laconic issues claim $(laconic issues ready -n 1 | cut -f1)   # take the first

Ready is what is open, nobody's, and waits for nothing that is not done; by priority, then the oldest first.
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
    """List what can be begun now: open, nobody's, not blocked."""
    from laconic.cli.issues.desk import opened
    from laconic.cli.issues.looking import asked
    from laconic.kit.answers.pages import Window

    with opened(workspace) as desk, desk.store.one_look():
        question = asked(desk, type=type, priority=priority, label=label, project=project, unfinished=False)
        window = Window(limit=1_000_000_000 if every else limit)
        page = desk.tracker.find(window, question.filters, ready=True)
    if as_json:
        rows.as_json(page)
    else:
        rows.show(page.items, _COLUMNS)
        rows.remark(page)
