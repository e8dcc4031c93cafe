"""What was measured over stdio, as tables and a plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from benchmarks.harness import Measured
from benchmarks.report import Bars, Table, times
from benchmarks.stdio_calls import BURST
from benchmarks.stdio_servers import ERAS, NAMES, supports
from benchmarks.stdio_starts import FLOORS, Start

__all__ = ["ISSUES", "Found", "calls_table", "parts_table", "plot", "starts_table"]

ISSUES = 10_000
_MIB = 2**20


class Found(NamedTuple):
    """Everything that was measured."""

    started: Mapping[str, Measured]
    starts: Mapping[str, Start]
    called: Mapping[str, Measured]
    work: Mapping[str, float]  # CPU seconds of one call of a sequence
    parts: Mapping[str, float]


def starts_table(found: Found) -> Table:
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
                *_fresh(start),
                f"{start.size('idle') / _MIB:.0f}",
                f"{start.size('used') / _MIB:.0f}",
            ]
        )
    for name, words in FLOORS.items():
        mine = started[name]
        shown = [times(mine.over(one)) for one in (node, started["bare legacy"], floor)]
        rows.append([f"floor: {words}", *shown, f"{mine.median * 1e3:,.0f}", *["-"] * 6])
    columns = [
        "server",
        "vs Node",
        "vs bare SDK",
        "vs Python alone",
        "ms",
        "CPU ms",
        "ms to a first answer",
        "µs per call, then",
        "µs per call of a burst, then",
        "MiB after the list",
        "MiB after a call",
    ]
    caption = (
        "From the start of a process until its tool list has arrived, until a tool has answered once (an "
        "issue tool if Laconic serves issues, otherwise `echo`), and then one of twenty calls and one of a "
        "burst: what an agent with few questions gets. *CPU ms* is the work until the list. The floors are "
        "processes that only start and end; the hand-written loop does only what any Python server must do."
    )
    return Table(caption, columns, rows)


def _fresh(start: Start) -> list[str]:
    if not start.soon:
        return ["-", "-"]
    return [f"{start.measured(kind).median * 1e6:,.0f}" for kind in ("soon", "burst")]


def _title(name: str) -> str:
    server, _, era = name.partition(" ")
    special = {"many": f"Laconic, {ISSUES:,} issues", "small": "Laconic, the toolset of `echo`"}
    return f"{special.get(server) or NAMES[server]}, {era}"


def calls_table(found: Found) -> Table:
    rows = []
    for era in ERAS:
        floors = {kind: found.called[f"{kind} loop {era}"] for kind in ("call", "burst")}
        nodes = {kind: found.called[f"{kind} node legacy"] for kind in ("call", "burst")}
        for name, words in NAMES.items():
            if supports(name, era):
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
        "one call vs Node",
        "quartiles",
        "vs the loop",
        "µs",
        "p95",
        "CPU µs",
        f"{BURST} at once vs Node",
        "vs the loop",
        "µs per call",
    ]
    caption = (
        "`echo` after thousands of calls, one after the other and many at once. *The loop* is the floor: "
        "read a line, parse it, write the answer, with no event loop, no pipeline and one call at a time. "
        "*CPU µs* is the work for one call of a sequence."
    )
    return Table(caption, columns, rows)


def parts_table(found: Found) -> Table:
    total, spent = sum(found.parts.values()), found.work["laconic legacy"]
    rows = [[name, f"{took * 1e6:.1f}", f"{took / total:.0%}"] for name, took in found.parts.items()]
    rows.append(["**all parts**", f"{total * 1e6:.1f}", "100%"])
    caption = (
        "Where the time of a small call goes on this wire: each part alone, repeated, in one process. The "
        f"server itself worked {spent * 1e6:.0f} µs for a call of a sequence. The difference is not split "
        "up here: the server sleeps after each call, is woken, and probably finds its caches colder."
    )
    return Table(caption, ["part", "µs", "share"], rows)


def plot(found: Found) -> Bars:
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
