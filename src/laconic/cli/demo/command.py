"""`laconic demo`: print the tokens of each answer of an agent's day."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.cost import Meter, meter
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from rich.console import RenderableType

    from laconic.cli.demo.day import Day

__all__ = ["EPILOG", "demo", "summary"]

EPILOG = """\
\b
examples:
  laconic demo                  # the table and the bars
  laconic demo --json           # the figures as JSON, for a program
  laconic demo --svg day.svg    # the bars as a picture
  laconic demo taiga            # a day on a practice Taiga, beside its raw API
  laconic demo google           # a day on a practice Google, beside its raw APIs

Every call really runs, in a temporary folder. The thin wrapper calls the same functions and returns all their
records as indented JSON; 0 means that it had already sent everything.
"""

_PLAIN_WIDTH = 100  # if the output is not a terminal: the same everywhere
_BAR_WIDTH = 46
_OURS, _THEIRS = "green", "dark_orange3"


def demo(
    of: Annotated[
        str, typer.Argument(metavar="[SERVER]", help="taiga or google; without it, a day of examples")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="write the bars as an SVG picture")
    ] = None,
) -> None:
    """Show what each answer of an agent's day costs in tokens."""
    import asyncio

    scale = meter()
    day = asyncio.run(_spend(of)(scale.count))
    if svg is not None:
        _write(svg, day, scale)
    if as_json:
        figures = asdict(day) | {"laconic": day.laconic, "thin": day.thin, "exact": scale.exact}
        typer.echo(json.dumps(figures, ensure_ascii=False, indent=2))
    else:
        _show(day, scale)


def _spend(of: str) -> Callable[[Callable[[str], int]], Coroutine[Any, Any, Day]]:
    if of == "taiga":
        from laconic.cli.demo.taiga_day import spend_taiga

        return spend_taiga
    if of == "google":
        from laconic.cli.demo.google_day import spend_google

        return spend_google
    if of:
        raise BadConfiguration(f"There is no demo of '{of[:80]}'. Known: google, taiga.", advice="")
    from laconic.cli.demo.day import spend

    return spend


def summary(day: Day, scale: Meter) -> str:
    """Return the whole day in one sentence."""
    less = 100 * (1 - day.laconic / day.thin)
    return f"In total {scale.describe(day.laconic)} instead of {scale.figure(day.thin)}: {less:.0f} % less."


def _write(path: Path, day: Day, scale: Meter) -> None:
    from laconic.cli.demo.picture import draw

    try:
        path.write_text(draw(day, scale), encoding="utf-8")
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be written: {error.strerror}.", advice="") from None


def _show(day: Day, scale: Meter) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    for line in day.left_out:
        console.print(line)
    console.print(_table(day, scale))
    console.print(f"{summary(day, scale)} Where the thin wrapper shows 0, it had already sent everything.")
    console.print(f"{scale.footnote}\n")
    console.print(f"The same as bars: [{_OURS}]laconic[/] above, [{_THEIRS}]a thin wrapper[/] below.\n")
    console.print(_bars(day, scale))


def _table(day: Day, scale: Meter) -> RenderableType:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, pad_edge=False, show_footer=True)
    table.add_column("the agent", "total")
    table.add_column("tool")
    for head, total in (
        ("tokens", day.laconic),
        ("thin wrapper", day.thin),
        ("saving", day.thin - day.laconic),
    ):
        table.add_column(head, scale.figure(total), justify="right")
    for row in day.rows:
        figures = map(scale.figure, (row.laconic, row.thin, row.thin - row.laconic))
        table.add_row(row.what, row.tool, *figures)
    return table


def _bars(day: Day, scale: Meter) -> RenderableType:
    from rich.bar import Bar
    from rich.table import Column, Table

    longest = max(max(row.laconic, row.thin) for row in day.rows)
    least = longest / _BAR_WIDTH / 8  # an eighth of a character: every cost is visible
    grid = Table.grid("", "", Column(justify="right"), padding=(0, 1))
    for row in day.rows:
        for name, tokens, colour in ((row.what, row.laconic, _OURS), ("", row.thin, _THEIRS)):
            end = max(tokens, least) if tokens else 0
            grid.add_row(name, Bar(longest, 0, end, width=_BAR_WIDTH, color=colour), scale.figure(tokens))
    return grid
