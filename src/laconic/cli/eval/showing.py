"""Tables of results: one run, or two beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from laconic.evals.comparing import beside
from laconic.evals.results import Run

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_run", "show_two"]

_WIDTH: Final = 100  # if the output is not a terminal: the same everywhere


def show_run(run: Run) -> None:
    """Print a run: each case, then the sum."""
    rows = [
        [case["id"], _share(case), _number(case["calls"]), *map(_number, _tokens(case))]
        for case in run.data["cases"]
    ]
    console = _console()
    _table(console, ["case", "passed", "calls", "tool list", "answers", "in", "out"], rows)
    for record in run.data["records"]:
        if record["outcome"] != "pass":
            console.print(
                f"{record['case']}, sample {record['sample'] + 1}: {record['reason']}", markup=False
            )
    data = run.data
    verdict = "passed" if run.passed else "failed"
    console.print(
        f"{run.title}: {verdict}, {data['samples_passed']} of {data['samples']} samples "
        f"(at least {data['pass_threshold']:.0%} are needed)."
    )


def show_two(one: Run, other: Run) -> None:
    """Print two runs beside each other."""
    rows = []
    for pair in beside(one, other):
        cells = [_share(case) if case else "-" for case in (pair.one, pair.other)]
        calls = [_number(case["calls"]) if case else "-" for case in (pair.one, pair.other)]
        costs = [_number(case["tokens"]["answers"]) if case else "-" for case in (pair.one, pair.other)]
        rows.append([pair.id, *cells, *calls, *costs, pair.change])
    console = _console()
    console.print(f"1: {one.title}\n2: {other.title}", markup=False)
    if one.data["suite"] != other.data["suite"]:
        console.print("The two suites differ, so compare with care.")
    heads = ["case", "1 passed", "2 passed", "1 calls", "2 calls", "1 tokens", "2 tokens", ""]
    _table(console, heads, rows)


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    return console


def _table(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _share(case: dict[str, Any]) -> str:
    errors = f", {case['errors']} errors" if case["errors"] else ""
    return f"{case['passed']}/{case['samples']}{errors}"


def _tokens(case: dict[str, Any]) -> list[int]:
    return [case["tokens"][kind] for kind in ("tools", "answers", "in", "out")]


def _number(value: float) -> str:
    return f"{value:,g}" if value else "0"
