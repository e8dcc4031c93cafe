"""One call, from the client's request to its answer: the whole pipeline compared with the bare SDK."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from mcp import Client

from benchmarks.bare import server_of, tools_of
from benchmarks.harness import Measured, Subject, interleaved, timed
from benchmarks.programs import LEGACY, MODERN, Program, bare, laconic, serving
from benchmarks.report import Bars, Result, Table, figures, times
from benchmarks.served import small
from laconic.kit.testing import connect

__all__ = ["CALLS", "exchanged", "run"]

CALLS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "echo, 1 parameter": ("echo", {"text": "hello"}),
    "search, 6 parameters": (
        "account_search",
        {"query": "pump", "status": ["open"], "owner": "ann", "changed_after": "2026-01-02", "limit": 10},
    ),
    "create, 10 parameters, a record back": (
        "ticket_create",
        {
            "id": "A-1",
            "title": "The pump loses pressure",
            "status": "open",
            "priority": "high",
            "labels": ["pump", "hall"],
            "owner": "ann",
            "due": "2026-05-01",
            "estimate": 3,
            "watched": True,
            "notes": "Measured twice.",
        },
    ),
    "list of 20 records": ("tickets_list", {"owner": None}),
}
_ERAS = {"legacy": LEGACY, "modern": MODERN}
_TARGET = 1.5


async def run(quick: bool) -> Result:
    """Measure all calls in memory and over stdio, in both eras."""
    rounds, count = (3, 30) if quick else (51, 60)
    async with AsyncExitStack() as stack:
        subjects: dict[str, Subject] = {}
        for era in _ERAS:
            subjects |= await _in_memory(stack, era, count)
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for era in _ERAS:
            subjects |= _over_stdio(stack, home, era, count)
        return _result(await interleaved(subjects, rounds))


async def _in_memory(stack: AsyncExitStack, era: str, count: int) -> dict[str, Subject]:
    mode = "legacy" if era == "legacy" else MODERN
    ours = (await stack.enter_async_context(connect(small, era=mode))).client
    its = await stack.enter_async_context(Client(server_of(tools_of("small")), mode=mode))
    return {
        f"{way} in memory {era} {what}": partial(timed, partial(client.call_tool, tool, arguments), count)
        for what, (tool, arguments) in CALLS.items()
        for way, client in (("laconic", ours), ("bare", its))  # adjacent, so they run in succession
    }


def _over_stdio(stack: AsyncExitStack, home: Path, era: str, count: int) -> dict[str, Subject]:
    commands = {"laconic": laconic("small"), "bare": bare("stdio", "small")}
    programs = {
        way: stack.enter_context(serving(command, home, _ERAS[era])) for way, command in commands.items()
    }
    subjects: dict[str, Subject] = {}
    for what, (tool, arguments) in CALLS.items():
        for way, program in programs.items():
            request = program.request("tools/call", name=tool, arguments=arguments)
            assert b'"isError":false' in program.exchange(request)
            subjects[f"{way} stdio {era} {what}"] = partial(exchanged, program, request, count)
    return subjects


async def exchanged(program: Program, request: bytes, count: int) -> list[float]:
    """Return the seconds of each of that many exchanges."""
    return program.timed(request, count)[0]


def _places() -> Iterator[tuple[str, str]]:
    for where in ("in memory", "stdio"):
        for era in _ERAS:
            yield where, era


def _result(found: Mapping[str, Measured]) -> Result:
    rows, ratios = [], {}
    for where, era in _places():
        for what in CALLS:
            mine, its = found[f"laconic {where} {era} {what}"], found[f"bare {where} {era} {what}"]
            ratios[where, era, what] = mine.over(its)
            rows.append([f"{where}, {era}: {what}", *_cells(mine, its)])
    columns = ["call", "ratio", "quartiles", "bare µs", "Laconic µs", "bare p95", "Laconic p95"]
    caption = (
        "One call from request to answer, compared with a bare low-level SDK server with the same "
        f"functions, in the same run. Target: ≤ {_TARGET}."
    )
    baseline = {name: name.replace("laconic", "bare", 1) for name in found if name.startswith("laconic")}
    plot = Bars(
        "bench-calls",
        f"One call: times the bare SDK (target {_TARGET})",
        "times the bare SDK",
        [what.partition(",")[0] for what in CALLS],
        {f"{where}, {era}": [ratios[where, era, what] for what in CALLS] for where, era in _places()},
        line=_TARGET,
    )
    return Result("calls", [Table(caption, columns, rows)], [plot], figures=figures(found, baseline))


def _cells(mine: Measured, its: Measured) -> list[str]:
    low, high = mine.spread(its)
    times_taken = [its.median, mine.median, its.p95, mine.p95]
    return [
        times(mine.over(its)),
        f"{low:.2f} to {high:.2f}",
        *(f"{seconds * 1e6:,.0f}" for seconds in times_taken),
    ]
