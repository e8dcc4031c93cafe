"""Small calls over stdio: one after the other, and many at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from statistics import median

from benchmarks.beside.comparison import MICROSECONDS, Figure, Round
from benchmarks.beside.running import Side
from benchmarks.programs import Program
from benchmarks.stdio_calls import BURST, at_once, one_by_one
from benchmarks.stdio_servers import ECHO, ERAS, call

__all__ = ["rounds"]

_BURSTS = 5  # in a round


async def rounds(side: Side) -> Mapping[str, Round]:
    """`echo` in both eras."""
    found: dict[str, Round] = {}
    for era, revision in ERAS.items():
        program = side.serving(side.tree.laconic("small"), revision)
        call(program, *ECHO)
        found[era] = partial(_round, program, era, 20 if side.is_quick else 500)
    return found


async def _round(program: Program, era: str, count: int) -> dict[Figure, float]:
    before = program.work
    calls = one_by_one(program, count)
    after = program.work
    plain = one_by_one(program, count, "plain_echo")
    found = {
        Figure(f"one small call, {era}", MICROSECONDS): median(calls),
        Figure(f"one small call of a plain function, {era}", MICROSECONDS): median(plain),
    }
    if before is not None and after is not None:
        found[Figure(f"processor time of one, {era}", MICROSECONDS)] = (after - before) / count
    found[Figure(f"one of {BURST} calls at once, {era}", MICROSECONDS)] = median(
        at_once(program) for _ in range(_BURSTS)
    )
    return found
