"""`laconic issues show ID`: one issue, as a page on a terminal and as its file otherwise."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import screen
from laconic.cli.issues.parameters import AsJson, Reference
from laconic.cli.issues.viewing.cells import as_data, facts
from laconic.cli.parameters import Workspace

if TYPE_CHECKING:
    from rich.text import Text

    from laconic.cli.issues.workspace import OpenWorkspace
    from laconic.servers.issues.models import Issue

__all__ = ["EPILOG", "show"]

EPILOG = """\
\b
examples:
  laconic issues show ISS-000012
  laconic issues show 12                    # if only one issue has that number
  laconic issues show 12 --raw | less       # the file unchanged
  laconic issues show 12 --json             # JSON, for a program
"""

_WIDEST = 100  # longer lines are hard to read


def show(
    reference: Reference,
    raw: Annotated[bool, typer.Option("--raw", help="print the file unchanged")] = False,
    as_json: AsJson = False,
    workspace: Workspace = None,
) -> None:
    """Show an issue."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.dependencies import Dependencies

    with open_workspace(workspace) as opened, opened.store.one_scan():
        issue = opened.get(reference)
        if as_json:
            blocks = Dependencies.among(opened.store.entries()).blocks.get(issue.id, [])
            screen.write_json({**as_data(issue, "elsewhere", "description"), "blocks": blocks})
        elif raw or not screen.is_terminal():
            _print_file(opened, issue, reference)
        else:
            _print_page(opened, issue)


def _print_file(opened: OpenWorkspace, issue: Issue, reference: str) -> None:
    for remark in (*issue.warnings, *([issue.held] if issue.held else []), *issue.elsewhere):
        typer.echo(f"{opened.from_here(issue.path)}: {remark}", err=True)
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(opened.file(reference).read_bytes())
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            typer.echo(f"laconic: {issue.path} cannot be read: {error.strerror}.", err=True)
            raise typer.Exit(1) from None
        raise


def _print_page(opened: OpenWorkspace, issue: Issue) -> None:
    from rich.markdown import Markdown
    from rich.rule import Rule
    from rich.text import Text

    console = screen.console()
    console.width = min(console.width, _WIDEST)
    console.print(
        Text.assemble((screen.line(issue.id), "bold cyan"), "  ", (screen.line(issue.title), "bold"))
    )
    for line in facts(issue):
        if line.plain:
            console.print(line)
    for line in (*_blockers(opened, issue), *_blocked(opened, issue)):
        console.print(line)
    for seen in issue.elsewhere:
        console.print(Text(screen.line(seen), style="cyan"))
    for warning in issue.warnings:
        console.print(Text(f"! {screen.line(warning)}", style="yellow"))
    console.print(Text(screen.line(opened.from_here(issue.path)), style="dim"), soft_wrap=True)
    console.print(Rule(style="dim"))
    if issue.description:
        console.print(Markdown(screen.clean(issue.description), hyperlinks=False))


def _blockers(opened: OpenWorkspace, issue: Issue) -> list[Text]:
    from rich.text import Text

    from laconic.cli.issues.viewing.cells import CELLS

    if not issue.blocked_by:
        return []
    found = opened.tracker.get_many(issue.blocked_by)
    lines = [
        Text.assemble(
            "blocked by ", CELLS["id"].text(one), " ", CELLS["status"].text(one), " ", screen.line(one.title)
        )
        for one in found.items
    ]
    return lines + [
        Text(f"blocked by {screen.line(name)}, which does not exist", style="yellow")
        for name in found.failures
    ]


def _blocked(opened: OpenWorkspace, issue: Issue) -> list[Text]:
    """Return a line for each unfinished issue that waits for this one."""
    from rich.text import Text

    from laconic.servers.issues.dependencies import Dependencies

    found = Dependencies.among(opened.store.entries())
    return [
        Text.assemble("blocks ", (screen.line(id), "bold"), f" {screen.line(found.titles[id])}")
        for id in found.blocks.get(issue.id, ())
    ]
