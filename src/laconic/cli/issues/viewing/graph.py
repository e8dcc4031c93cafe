"""`laconic issues graph`: which unfinished issues wait for which, as text or as a Mermaid diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import screen
from laconic.cli.issues.completion import complete_id
from laconic.cli.parameters import Workspace

if TYPE_CHECKING:
    from laconic.servers.issues.dependencies import Dependencies

__all__ = ["EPILOG", "graph"]

EPILOG = """\
\b
examples:
  laconic issues graph                          # all dependencies between unfinished issues
  laconic issues graph 12                       # only those connected with one
  laconic issues graph --mermaid > graph.mmd    # a diagram, as GitHub and others draw it

Each issue is below the one that blocks it; … marks one whose dependents are shown further up.
"""


def graph(
    reference: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="only what is connected with this", autocompletion=complete_id),
    ] = None,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="print a Mermaid diagram")] = False,
    workspace: Workspace = None,
) -> None:
    """Show which issues wait for which."""
    from laconic.cli.issues.workspace import open_workspace
    from laconic.servers.issues.dependencies import Dependencies

    with open_workspace(workspace) as opened, opened.store.one_scan():
        found = Dependencies.among(opened.store.entries())
        only = None
        if reference is not None:
            only = found.part_of(opened.store.find(opened.named(reference)).id)
    edges = found.edges(only)
    if mermaid:
        screen.write("\n".join(_diagram(found, edges)))
    elif edges:
        screen.write("\n".join(_lines(found, only)))
    else:
        typer.echo("No unfinished issue waits for another.", err=not screen.is_terminal())


def _lines(found: Dependencies, only: set[str] | None) -> list[str]:
    return [
        f"{'  ' * depth}{screen.line(id)} {screen.line(found.titles[id])}{' …' if again else ''}"
        for depth, id, again in found.tree(only)
    ]


def _diagram(found: Dependencies, edges: list[tuple[str, str]]) -> list[str]:
    ids = {id: f"i{number}" for number, id in enumerate(sorted({id for pair in edges for id in pair}))}
    boxes = [f'  {name}["{_quoted(f"{id}: {found.titles[id]}")}"]' for id, name in ids.items()]
    return ["graph TD", *boxes, *(f"  {ids[one]} --> {ids[other]}" for one, other in edges)]


def _quoted(text: str) -> str:
    """Return a text in which nothing can end a label or begin markup."""
    marks = {'"': "quot", "<": "lt", ">": "gt", "#": "35", "`": "96"}
    return "".join(f"#{marks[letter]};" if letter in marks else letter for letter in screen.line(text))
