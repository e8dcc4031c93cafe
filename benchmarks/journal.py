"""What the journal adds to a small call over stdio: a server that records calls beside one that does not."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.calls import CALLS, exchanged
from benchmarks.harness import Measured, Subject, interleaved, on_one_core
from benchmarks.programs import MODERN, Program, laconic, serving
from benchmarks.report import Result, Table, figures, times

__all__ = ["run"]

_CALLS = {"a small read": "echo, 1 parameter", "a small write": "create, 10 parameters, a record back"}
_WAYS = {"off": "off", "on": "all"}
_TARGET = 1.05


async def run(quick: bool) -> Result:
    """Measure a read and a write with and without the journal: the time to the answer, and all CPU time."""
    rounds, count = (3, 30) if quick else (61, 100)
    with ExitStack() as stack:
        stack.enter_context(on_one_core())
        subjects: dict[str, Subject] = {}
        for what, call in _CALLS.items():
            for way, choice in _WAYS.items():
                home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                variables = {"LACONIC_JOURNAL": choice}
                program = stack.enter_context(serving(laconic("small"), home, MODERN, variables))
                tool, arguments = CALLS[call]
                request = program.request("tools/call", name=tool, arguments=arguments)
                assert b'"isError":false' in program.exchange(request)
                subjects[f"{what}, {way}"] = partial(exchanged, program, request, count)
                if program.work is not None:
                    subjects[f"{what}, CPU, {way}"] = partial(_worked, program, request, count)
        return _result(await interleaved(subjects, rounds))


async def _worked(program: Program, request: bytes, count: int) -> list[float]:
    return [program.timed(request, count)[1]]


def _result(found: Mapping[str, Measured]) -> Result:
    baseline = {name: f"{name.removesuffix('on')}off" for name in found if name.endswith(", on")}
    rows: list[list[Any]] = []
    for name, its in baseline.items():
        mine, without = found[name], found[its]
        low, high = mine.spread(without)
        micro = [f"{seconds * 1e6:,.0f}" for seconds in (without.median, mine.median, mine.p95)]
        rows.append(
            [name.removesuffix(", on"), times(mine.over(without)), f"{low:.2f} to {high:.2f}", *micro]
        )
    columns = ["call", "ratio", "quartiles", "off µs", "on µs", "on p95"]
    caption = (
        "The journal of calls, over stdio: a server with it beside one without, in the same run. Target for "
        f"the time to the answer: ≤ {_TARGET}. The worst case is a call right after the 16th read within "
        "a second, which waits until the records of all of them are made and written."
    )
    return Result("journal", [Table(caption, columns, rows)], figures=figures(found, baseline))
