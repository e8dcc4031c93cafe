"""Draw a board on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.cli import screen
from laconic.cli.issues.viewing import rows
from laconic.cli.issues.viewing.cells import CELLS, heading
from laconic.cli.issues.viewing.lanes import GAP, NARROWEST, column_width

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from laconic.cli.issues.viewing.lanes import Lanes
    from laconic.kit.answers.pages import Page
    from laconic.servers.issues.models import Issue

__all__ = ["draw"]


def draw(console: Console, lanes: Lanes) -> None:
    """Draw columns side by side, or stacked if they are too narrow."""
    if column_width(console.width, len(lanes)) < NARROWEST:
        _draw_stack(console, lanes)
        return
    from rich.console import Group
    from rich.table import Table

    table = Table.grid(padding=(0, GAP), pad_edge=False, expand=True)
    for _ in lanes:
        table.add_column(ratio=1, overflow="fold")
    table.add_row(*(_head(status, page) for status, page in lanes.items()))
    table.add_row(*(Group(*_cards(page)) for page in lanes.values()))
    console.print(table)


def _draw_stack(console: Console, lanes: Lanes) -> None:
    from rich.text import Text

    for number, (status, page) in enumerate(lanes.items()):
        if number:
            console.print()
        console.print(_head(status, page))
        rows.cards(console, page.items)
        if page.rest:
            console.print(Text(_more(page), style="dim"))


def _head(status: str, page: Page[Issue]) -> RenderableType:
    """Return the name of a column with its count, underlined."""
    from rich.console import Group
    from rich.rule import Rule
    from rich.text import Text

    style = CELLS["status"].style(page.items[0]) if page.items else "dim"
    name = screen.line(status.replace("_", " "))
    return Group(Text.assemble((name, f"bold {style}"), (f"  {page.total:,}", "dim")), Rule(style="dim"))


def _more(page: Page[Issue]) -> str:
    return f"{page.rest:,} more: --limit N, --all"


def _cards(page: Page[Issue]) -> list[RenderableType]:
    from rich.text import Text

    more = ["status"] if len({issue.status for issue in page.items}) > 1 else []
    cards: list[RenderableType] = []
    for issue in page.items:
        cards += [heading(issue, *more), CELLS["title"].text(issue), Text("")]
    if page.rest:
        cards.append(Text(_more(page), style="dim"))
    return cards
