"""`laconic issues edit ID`: changes fields, line by line; without any, the file in the person's editor."""

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
  laconic issues edit 12                                # the file in your editor, looked over afterwards
  laconic issues edit 12 --status in_progress -p high
  laconic issues edit 12 --add-label bug --remove-label question
  laconic issues edit 12 --assignee '' --blocked-by 7   # nobody's, and only after ISS-000007
"""


def edit(
    reference: Reference,
    title: Annotated[str | None, typer.Option("--title", metavar="TITLE", help="another title")] = None,
    status: Annotated[str | None, option("status", "open, in_progress, closed or cancelled")] = None,
    priority: Annotated[str | None, option("priority", "low, medium, high or critical")] = None,
    type: Annotated[str | None, option("type", "issue, specification or idea")] = None,
    assignee: Annotated[str | None, option("assignee", "whose it is; '' for nobody's")] = None,
    project: Annotated[str | None, option("project", "its project; '' for none")] = None,
    add_label: Annotated[list[str] | None, option("add-label", "one more label; repeatable")] = None,
    remove_label: Annotated[list[str] | None, option("remove-label", "a label less; repeatable")] = None,
    blocked_by: Annotated[
        list[str] | None, option("blocked-by", "what must be done first, in all; '' for nothing")
    ] = None,
    body: texts.Body = None,
    file: texts.File = None,
    workspace: Workspace = None,
) -> None:
    """Change an issue; what is not named stays as it is, to the letter."""
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
    labels = {"add": values.split(add_label), "remove": values.split(remove_label)}
    is_by_hand = (
        blocked_by is None and not any(labels.values()) and all(one is None for one in fields.values())
    )
    with open_workspace(workspace) as opened:
        if is_by_hand:
            raise typer.Exit(edit_by_hand(opened, reference))
        if blocked_by is not None:
            fields["blocked_by"] = [opened.named(one) for one in values.split(blocked_by)]
        for said in _change(opened, opened.named(reference), fields, labels):
            typer.echo(said)


def _change(
    opened: OpenWorkspace, reference: str, fields: dict[str, Any], labels: dict[str, list[str]]
) -> list[str]:
    """Change labels by adding and removing, so that nobody's others are lost; then the rest at once."""
    said = []
    for operation, words in labels.items():
        if words:
            said.append(opened.tracker.labels(operation, reference, words).words)
    if any(value is not None for value in fields.values()):
        said.append(opened.tracker.change(reference, fields).words.replace("\n\nChanges:", ""))
    return said
