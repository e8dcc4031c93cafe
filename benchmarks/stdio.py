"""Standard input and output: Laconic's own wire beside the bare SDK, Node and the least Python can do."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.harness import Measured
from benchmarks.report import Bars, Result, Table, figures, times
from benchmarks.stdio_calls import BURST, calls
from benchmarks.stdio_parts import parts
from benchmarks.stdio_servers import ERAS, NAMES, SDK, Servers, speaks
from benchmarks.stdio_starts import FLOORS, Start, starts

__all__ = ["run"]

_ISSUES = 10_000
_MIB = 2**20


class _Found(NamedTuple):
    """Everything that was measured."""

    started: Mapping[str, Measured]
    starts: Mapping[str, Start]
    called: Mapping[str, Measured]
    work: Mapping[str, float]  # of a processor, for one call of a sequence
    parts: Mapping[str, float]


class _Goal(NamedTuple):
    """One figure that has to be reached: what, ours, whose, how many times at most."""

    words: str
    ratio: float
    whose: str
    most: float

    def row(self) -> list[str]:
        verdict = "yes" if self.ratio <= self.most else "no"
        return [self.words, self.whose, f"≤ {self.most:g}", times(self.ratio), verdict]


async def run(quick: bool) -> Result:
    """Measure starts, memory and small calls, and take a small call apart."""
    begun, turns, count = (1, 2, 20) if quick else (21, 41, 60)
    with tempfile.TemporaryDirectory() as folder:
        servers = Servers.ready(Path(folder), 100 if quick else _ISSUES)
        started, known = await starts(servers, begun)
        called, work = await calls(servers, turns, count)
    found = _Found(started, known, called, work, await parts(3 if quick else 31, 50 if quick else 300))
    tables = [_goals(found), _starts(found), _calls(found), _parts(found)]
    return Result("stdio", tables, [_plot(found)], _notes(), _figures(found))


def _goals(found: _Found) -> Table:
    starting, sizes = found.started, found.starts
    bare = "bare SDK"
    first = f"start to first `tools/list`, {_ISSUES:,} issues and a kept index"
    goals = [
        *_opening(found),
        _Goal(first, starting["many legacy"].over(starting["laconic legacy"]), "an empty workspace", 1.3),
        *(_called(found, "call", era, "one small call, sequential, p50", 1.2) for era in ERAS),
        *(_called(found, "burst", era, f"{BURST} calls in a burst, per call", 2) for era in ERAS),
        _Goal("resident memory, after the list", _sizes(sizes, "laconic", "idle"), bare, 0.6),
        _Goal(
            "resident memory after the first call of an issue tool",
            _sizes(sizes, "laconic", "used"),
            bare,
            0.6,
        ),
        _Goal("resident memory, after `echo`", _sizes(sizes, "small", "used"), bare, 0.6),
    ]
    caption = (
        "Laconic's own wire over stdio: what has to be reached, and what is. All servers list the tools of "
        "the issues server; a small call is `echo`, its argument checked everywhere. Node has no modern era "
        "in this SDK, so its legacy figures stand for both."
    )
    return Table(caption, ["what", "times", "target", "measured", "reached"], [goal.row() for goal in goals])


def _opening(found: _Found) -> list[_Goal]:
    started, words = found.started, "start to first `tools/list`, `serve issues`, empty workspace"
    goals = []
    for era in ERAS:
        mine = started[f"laconic {era}"]
        goals.append(_Goal(f"{words}, {era}", mine.over(started["node legacy"]), "Node", 0.9))
        goals.append(_Goal(f"{words}, {era}", mine.over(started[f"bare {era}"]), "bare SDK", 0.35))
    return goals


def _called(found: _Found, kind: str, era: str, words: str, most: float) -> _Goal:
    ratio = found.called[f"{kind} laconic {era}"].over(found.called[f"{kind} node legacy"])
    return _Goal(f"{words}, {era}", ratio, "Node", most)


def _sizes(sizes: Mapping[str, Start], name: str, when: str) -> float:
    its = sizes["bare legacy"].size(when)
    return sizes[f"{name} legacy"].size(when) / its if its else float("nan")


def _starts(found: _Found) -> Table:
    started, rows = found.started, []
    node, floor = started["node legacy"], started["python"]
    for name, start in found.starts.items():
        mine = started[name]
        its = started[f"bare {start.era}"]
        rows.append(
            [
                _title(name),
                times(mine.over(node)),
                times(mine.over(its)),
                times(mine.over(floor)),
                f"{mine.median * 1e3:,.0f}",
                f"{start.measured('work').median * 1e3:,.0f}",
                f"{start.measured('answered').median * 1e3:,.0f}",
                f"{start.measured('soon').median * 1e6:,.0f}",
                f"{start.size('idle') / _MIB:.0f}",
                f"{start.size('used') / _MIB:.0f}",
            ]
        )
    for name, words in FLOORS.items():
        mine = started[name]
        shown = [times(mine.over(one)) for one in (node, started["bare legacy"], floor)]
        rows.append([f"floor: {words}", *shown, f"{mine.median * 1e3:,.0f}", *["-"] * 5])
    columns = [
        "server",
        "by Node",
        "by bare SDK",
        "by Python alone",
        "ms",
        "of a processor",
        "ms to a first answer",
        "µs a call, soon after",
        "MiB after the list",
        "MiB after a call",
    ]
    caption = (
        "Starting a process until its tool list has come, until a tool has answered once (an issue tool "
        "where Laconic serves issues, else `echo`), and one of the twenty calls that follow: what an agent "
        "gets that asks little. *Of a processor* are milliseconds of work until the list; the floors are "
        "processes that start and end, and what the hand-written loop does is all any Python server must."
    )
    return Table(caption, columns, rows)


def _title(name: str) -> str:
    server, _, era = name.partition(" ")
    special = {"many": f"Laconic, {_ISSUES:,} issues", "small": "Laconic, the toolset of `echo`"}
    return f"{special.get(server) or NAMES[server]}, {era}"


def _calls(found: _Found) -> Table:
    rows = []
    for era in ERAS:
        floors = {kind: found.called[f"{kind} loop {era}"] for kind in ("call", "burst")}
        nodes = {kind: found.called[f"{kind} node legacy"] for kind in ("call", "burst")}
        for name, words in NAMES.items():
            if speaks(name, era):
                one, many = (found.called[f"{kind} {name} {era}"] for kind in ("call", "burst"))
                low, high = one.spread(nodes["call"])
                rows.append(
                    [
                        f"{words}, {era}",
                        times(one.over(nodes["call"])),
                        f"{low:.2f} to {high:.2f}",
                        times(one.over(floors["call"])),
                        f"{one.median * 1e6:,.0f}",
                        f"{one.p95 * 1e6:,.0f}",
                        f"{found.work[f'{name} {era}'] * 1e6:,.0f}",
                        times(many.over(nodes["burst"])),
                        times(many.over(floors["burst"])),
                        f"{many.median * 1e6:,.0f}",
                    ]
                )
    columns = [
        "server",
        "one call by Node",
        "quartiles",
        "by the loop",
        "µs",
        "p95",
        "of a processor",
        f"{BURST} at once by Node",
        "by the loop",
        "µs a call",
    ]
    caption = (
        "`echo` after thousands of calls, one after the other and many at once. *The loop* is the floor: "
        "read a line, parse it, write the answer, with no event loop, no step of a pipeline and one call at "
        "a time. *Of a processor* are microseconds of work for one call of a sequence."
    )
    return Table(caption, columns, rows)


def _parts(found: _Found) -> Table:
    total, spent = sum(found.parts.values()), found.work["laconic legacy"]
    rows = [[name, f"{took * 1e6:.1f}", f"{took / total:.0%}"] for name, took in found.parts.items()]
    rows.append(["**all parts**", f"{total * 1e6:.1f}", "100%"])
    caption = (
        f"Where a small call goes on this wire: each part alone, over and over, in one process. The server "
        f"itself worked {spent * 1e6:.0f} µs for a call of a sequence, since it falls asleep after each: "
        "waking up and cold caches are the difference."
    )
    return Table(caption, ["part", "µs", "share"], rows)


def _plot(found: _Found) -> Bars:
    names = [name for name in NAMES if name != "loop"]
    called, started = found.called, found.started
    series = {
        "start to tool list": [started[f"{name} legacy"].over(started["node legacy"]) for name in names],
        "one small call": [called[f"call {name} legacy"].over(called["call node legacy"]) for name in names],
        f"{BURST} calls at once": [
            called[f"burst {name} legacy"].over(called["burst node legacy"]) for name in names
        ],
    }
    title = "Over stdio, legacy era: times a Node server on the TypeScript SDK"
    return Bars("bench-stdio", title, "times Node", [NAMES[n] for n in names], series, line=1, is_log=True)


def _notes() -> list[str]:
    node = f"Node 22 with `@modelcontextprotocol/sdk` {SDK}, its low-level `Server`"
    return [f"{node}: `benchmarks/node_server.mjs`."]


def _figures(found: _Found) -> dict[str, Any]:
    started = {name: "node legacy" for name in found.started if name != "node legacy"}
    called = {name: f"{name.partition(' ')[0]} node legacy" for name in found.called if " node " not in name}
    return {
        "start": figures(found.started, started),
        "calls": figures(found.called, called),
        "work of a call": dict(found.work),
        "parts": dict(found.parts),
        "memory": {
            name: {"after the list": start.size("idle"), "after a call": start.size("used")}
            for name, start in found.starts.items()
        },
    }
