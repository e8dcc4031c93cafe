"""Two versions measured in turns: medians, ratios, and the worst round of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from benchmarks.harness import Measured, in_turn
from benchmarks.report import Result, Table, short, times

__all__ = [
    "BYTES",
    "MICROSECONDS",
    "MILLISECONDS",
    "RATE",
    "Figure",
    "Found",
    "Round",
    "Unit",
    "compared",
    "told",
]


class Unit(NamedTuple):
    """How a figure is kept, and how the page shows it."""

    kept: str
    shown: str
    words: Callable[[float], str]


MILLISECONDS: Final = Unit("seconds", "ms", lambda seconds: f"{seconds * 1e3:,.1f}")
MICROSECONDS: Final = Unit("seconds", "µs", lambda seconds: f"{seconds * 1e6:,.0f}")
RATE: Final = Unit("seconds per call", "calls/s", lambda seconds: f"{1 / seconds:,.0f}")
BYTES: Final = Unit("bytes", "MiB", lambda size: f"{size / 2**20:.1f}")


class Figure(NamedTuple):
    """One thing that is measured; less is better."""

    what: str
    unit: Unit = MILLISECONDS


Round = Callable[[], Awaitable[Mapping[Figure, float]]]
"""One round of one version; a short one, since the other version waits for its turn."""
Found = Mapping[Figure, Mapping[str, Measured]]
"""Each figure of each version, by its name."""


async def compared(sides: Mapping[str, Mapping[str, Round]], rounds: int) -> Found:
    """Run each version's rounds beside the other's of the same name; the first round only warms up."""
    found: dict[Figure, dict[str, list[float]]] = defaultdict(lambda: {name: [] for name in sides})
    names, groups = list(sides), list(next(iter(sides.values())))
    for number in range(rounds + 1):
        for group in groups:
            for name in in_turn(names, number):
                for figure, value in (await sides[name][group]()).items():
                    if number:
                        found[figure][name].append(value)
    return {
        figure: {name: Measured(tuple((value,) for value in values)) for name, values in by_name.items()}
        for figure, by_name in found.items()
    }


def told(title: str, present: str, earlier: str, found: Found) -> Result:
    """The comparison as a table and as figures."""
    rounds = len(next(iter(found.values()))[present].rounds)
    caption = (
        f"The present version and {earlier} as processes of the same Python, in turns, for {rounds} rounds. "
        "A ratio is taken within each round: its median, its quartiles, its worst round. Above 1 means that "
        "the present version needs more. Beside the median of each version is that of its own worst round."
    )
    columns = ["what", f"by {earlier}", "quartiles", "worst round", present, "worst", earlier, "worst"]
    rows = [_row(figure, sides[present], sides[earlier]) for figure, sides in found.items()]
    kept = {figure.what: _kept(figure, sides, present, earlier) for figure, sides in found.items()}
    return Result(f"beside-{earlier}-{title}", [Table(caption, columns, rows)], figures=kept)


def _row(figure: Figure, mine: Measured, its: Measured) -> list[str]:
    low, high = mine.spread(its)
    words = figure.unit.words
    return [
        f"{figure.what}, {figure.unit.shown}",
        times(mine.over(its)),
        f"{low:.2f} to {high:.2f}",
        times(mine.worst_over(its)),
        *(words(value) for side in (mine, its) for value in (side.median, side.worst)),
    ]


def _kept(figure: Figure, sides: Mapping[str, Measured], present: str, earlier: str) -> dict[str, Any]:
    mine, its = sides[present], sides[earlier]
    return {
        "unit": figure.unit.kept,
        "ratio": short(mine.over(its)),
        "quartiles": [short(value) for value in mine.spread(its)],
        "worst ratio": short(mine.worst_over(its)),
        **{
            name: {
                "median": short(one.median),
                "worst": short(one.worst),
                "rounds": [short(value) for value in one.medians],
            }
            for name, one in sides.items()
        },
    }
