"""Calls over stdio: one after the other, and many at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.beside.comparison import MICROSECONDS, Figure, Round
from benchmarks.beside.running import Side
from benchmarks.calls import CALLS
from benchmarks.programs import Program
from benchmarks.stdio_calls import BURST, at_once
from benchmarks.stdio_servers import ECHO, ERAS, call

__all__ = ["rounds"]

_BURSTS = 5  # in a round
_BOTH = Path(__file__).parent / "both"  # declarations that every version can read
_Call = tuple[str, Mapping[str, Any]]
_CALLS: Final[Mapping[str, _Call]] = {
    "one small call": ECHO,
    "a create that returns a record": CALLS["create, 10 parameters, a record back"],
    "a list of 20 records": CALLS["list of 20 records"],
}
_PLAIN: Final[Mapping[str, _Call]] = {"one small call of a plain function": ("plain_echo", ECHO[1])}


async def rounds(side: Side) -> Mapping[str, Round]:
    """The calls that both versions know, in both eras."""
    found: dict[str, Round] = {}
    for era, revision in ERAS.items():
        program = side.serving(side.tree.laconic("small"), revision)
        plain = side.serving(side.tree.serve("plain_tool:plain"), revision, _BOTH)
        for one, calls in ((program, _CALLS), (plain, _PLAIN)):
            for tool, arguments in calls.values():
                call(one, tool, arguments)
        found[era] = partial(_round, program, plain, era, 20 if side.is_quick else 300)
    return found


async def _round(program: Program, plain: Program, era: str, count: int) -> dict[Figure, float]:
    found: dict[Figure, float] = {}
    for one, calls in ((program, _CALLS), (plain, _PLAIN)):
        for what, (tool, arguments) in calls.items():
            line = one.request("tools/call", name=tool, arguments=dict(arguments))
            seconds, spent = one.timed(line, count)
            found[Figure(f"{what}, {era}", MICROSECONDS)] = median(seconds)
            if spent:
                found[Figure(f"processor time of {what}, {era}", MICROSECONDS)] = spent
    found[Figure(f"one of {BURST} calls at once, {era}", MICROSECONDS)] = median(
        at_once(program) for _ in range(_BURSTS)
    )
    return found
