"""`laconic issues new TITLE`: create an issue, and print its id and its file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from laconic.cli import screen
from laconic.cli.issues import values
from laconic.cli.issues.editing import texts
from laconic.cli.issues.parameters import option
from laconic.cli.parameters import Workspace

__all__ = ["EPILOG", "new"]

EPILOG = """\
\b
examples:
  laconic issues new 'Login fails with SSO'                  # write the text in your editor
  laconic issues new 'Login fails' -p high -l bug -b 'Since Monday.'
  laconic issues new 'Sign-in' --type specification -F spec.md
  git log -3 | laconic issues new 'Look at these' -F -       # from a pipe
"""


def new(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="title, on one line")],
    type: Annotated[str, option("type", "issue, specification or idea")] = "issue",
    priority: Annotated[str, option("priority", "low, medium, high or critical")] = "medium",
    label: Annotated[list[str] | None, option("label", "label; repeatable")] = None,
    assignee: Annotated[str | None, option("assignee", "person it is assigned to")] = None,
    project: Annotated[str | None, option("project", "project it belongs to")] = None,
    blocked_by: Annotated[
        list[str] | None, option("blocked-by", "issue that must be finished first; repeatable")
    ] = None,
    body: texts.Body = None,
    file: texts.File = None,
    workspace: Workspace = None,
) -> None:
    """Create an issue; without a text, your editor opens."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.git.ignoring import ignored, ignored_words

    with open_workspace(workspace) as opened:
        chosen: dict[str, Any] = {
            "title": values.title(title),
            "type": values.one("type", type),
            "priority": values.one("priority", priority),
            "labels": values.split(label),
            "assignee": assignee or None,
            "project": project or None,
            "blockedBy": [opened.get(one).id for one in values.split(blocked_by)] or None,
        }
        with _text(chosen["title"], body, file) as text:
            made, same = opened.tracker.add(chosen, text)
        path = opened.from_here(made.path)
        unseen = ignored(opened.store.layout.root, [made.path.rpartition("/")[0]])
    if unseen:
        typer.echo(f"Note: {ignored_words(unseen)}", err=True)
    if same:
        typer.echo(f"Note: {same} has the same title.", err=True)
    screen.write(f"{made.id}\t{path}" if not screen.is_terminal() else f"{made.id}  {path}")


@contextmanager
def _text(title: str, body: str | None, file: Path | None) -> Iterator[str]:
    text = texts.given(body, file)
    if text is not None or not sys.stdin.isatty():
        yield text or ""
        return
    with texts.written(title) as text:
        if not text:
            advice = "For an issue without text, pass --body ''."
            typer.echo(f"Nothing was created: there is no text. {advice}", err=True)
            raise typer.Exit(1)
        yield text
