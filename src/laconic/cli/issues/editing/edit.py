"""`laconic issues edit ID`: change fields, or open the file in the editor if no field is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.issues import values
from laconic.cli.issues.editing import texts
from laconic.cli.issues.parameters import Reference, option
from laconic.cli.parameters import Workspace

if TYPE_CHECKING:
    from laconic.cli.issues.workspace import OpenWorkspace

__all__ = ["EPILOG", "edit"]

EPILOG = """\
\b
examples:
  laconic issues edit 12                                # open the file in your editor, then check it
  laconic issues edit 12 --status in_progress -p high
  laconic issues edit 12 --add-label bug --remove-label question
  laconic issues edit 12 --assignee '' --blocked-by 7   # unassigned, blocked by ISS-000007
"""


def edit(
    reference: Reference,
    title: Annotated[str | None, typer.Option("--title", metavar="TITLE", help="new title")] = None,
    status: Annotated[str | None, option("status", "open, in_progress, closed or cancelled")] = None,
    priority: Annotated[str | None, option("priority", "low, medium, high or critical")] = None,
    type: Annotated[str | None, option("type", "issue, specification or idea")] = None,
    assignee: Annotated[str | None, option("assignee", "person it is assigned to; '' for nobody")] = None,
    project: Annotated[str | None, option("project", "project it belongs to; '' for none")] = None,
    add_label: Annotated[list[str] | None, option("add-label", "label to add; repeatable")] = None,
    remove_label: Annotated[list[str] | None, option("remove-label", "label to remove; repeatable")] = None,
    blocked_by: Annotated[
        list[str] | None, option("blocked-by", "all issues that must be finished first; '' for none")
    ] = None,
    body: texts.Body = None,
    file: texts.File = None,
    workspace: Workspace = None,
) -> None:
    """Change an issue; the rest of its file stays byte for byte."""
    from laconic.cli.issues.editing.by_hand import edit_by_hand
    from laconic.cli.issues.workspace import open_workspace

    fields: dict[str, Any] = {
        "title": values.title(title),
        "status": values.one("status", status),
        "priority": values.one("priority", priority),
        "type": values.one("type", type),
        "assignee": assignee,
        "project": project,
        "description": texts.given(body, file),
    }
    lists = (blocked_by, add_label, remove_label)
    is_by_hand = all(one is None for one in (*lists, *fields.values()))
    with open_workspace(workspace) as opened:
        if is_by_hand:
            raise typer.Exit(edit_by_hand(opened, reference))
        if blocked_by is not None:
            fields["blocked_by"] = [opened.named(one) for one in values.split(blocked_by)]
        present = opened.get(reference).labels if remove_label else []
        labels = {"add": values.split(add_label), "remove": values.split(remove_label, present)}
        for said in _change(opened, opened.named(reference), fields, labels):
            typer.echo(said)


def _change(
    opened: OpenWorkspace, reference: str, fields: dict[str, Any], labels: dict[str, list[str]]
) -> list[str]:
    """Add and remove single labels, so that others changed meanwhile survive; then change the rest."""
    said = []
    for operation, words in labels.items():
        if words:
            said.append(opened.categories.labels(operation, reference, words).write_text(None) or "")
    if any(value is not None for value in fields.values()):
        said += opened.tracker.change(reference, fields).lines()
    return said
