"""Standard input and output: Laconic's own wire, the bare SDK, Node and the least Python can do."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import Result, Table, figures, times
from benchmarks.stdio_calls import BURST, calls
from benchmarks.stdio_parts import parts
from benchmarks.stdio_servers import ERAS, SDK, Servers
from benchmarks.stdio_starts import Start, starts
from benchmarks.stdio_tables import ISSUES, Found, calls_table, parts_table, plot, starts_table

__all__ = ["run"]


class _Goal(NamedTuple):
    """One target: what is measured, our ratio, whom we are compared with, and the maximum."""

    words: str
    ratio: float
    whose: str
    most: float | None  # None: no target, only for comparison

    def row(self) -> list[str]:
        if self.most is None:
            return [self.words, self.whose, "none", times(self.ratio), "-"]
        verdict = "yes" if self.ratio <= self.most else "no"
        return [self.words, self.whose, f"≤ {self.most:g}", times(self.ratio), verdict]


async def run(quick: bool) -> Result:
    """Measure starts, memory and small calls, and the parts of a small call."""
    starting, turns, count = (1, 2, 20) if quick else (21, 41, 60)
    with tempfile.TemporaryDirectory() as folder:
        servers = Servers.ready(Path(folder), 100 if quick else ISSUES)
        started, known = await starts(servers, starting)
        called, work = await calls(servers, turns, count)
    found = Found(started, known, called, work, await parts(3 if quick else 31, 50 if quick else 300))
    tables = [_goals(found), starts_table(found), calls_table(found), parts_table(found)]
    return Result("stdio", tables, [plot(found)], _notes(), _figures(found))


def _goals(found: Found) -> Table:
    starting, sizes = found.started, found.starts
    bare = "bare SDK"
    first = f"start to first `tools/list`, {ISSUES:,} issues and a stored index"
    goals = [
        *_opening(found),
        _Goal(first, starting["many legacy"].over(starting["laconic legacy"]), "an empty workspace", 1.3),
        *(_called(found, "call", era, "one small call, sequential, p50", 1.2) for era in ERAS),
        _fresh(found, "soon", "for comparison: one of the first twenty calls of a fresh server"),
        *(_called(found, "burst", era, f"{BURST} calls in a burst, per call", 2) for era in ERAS),
        _fresh(found, "burst", "for comparison: one call of the first burst of a fresh server"),
        _Goal("resident memory, after the list", _sizes(sizes, "laconic", "idle"), bare, 0.6),
        _Goal("resident memory, after an issue tool", _sizes(sizes, "laconic", "used"), bare, 0.6),
        _Goal("resident memory, after `echo`", _sizes(sizes, "small", "used"), bare, 0.6),
    ]
    caption = (
        "Laconic's own wire over stdio: targets and results. All servers list the tools of the issues "
        "server; a small call is `echo`, whose argument every server checks. Node's SDK has no modern era, "
        "so its legacy figures are used for both. The targets are for calls after thousands of others, when "
        "Node has compiled its code; a fresh Node has not, hence the two lines for comparison."
    )
    columns = ["what", "compared with", "target", "measured", "reached"]
    return Table(caption, columns, [goal.row() for goal in goals])


def _opening(found: Found) -> list[_Goal]:
    started, words = found.started, "start to first `tools/list`, `serve issues`, empty workspace"
    goals = []
    for era in ERAS:
        mine = started[f"laconic {era}"]
        goals.append(_Goal(f"{words}, {era}", mine.over(started["node legacy"]), "Node", 0.9))
        goals.append(_Goal(f"{words}, {era}", mine.over(started[f"bare {era}"]), "bare SDK", 0.35))
    return goals


def _called(found: Found, kind: str, era: str, words: str, most: float) -> _Goal:
    ratio = found.called[f"{kind} laconic {era}"].over(found.called[f"{kind} node legacy"])
    return _Goal(f"{words}, {era}", ratio, "Node", most)


def _fresh(found: Found, kind: str, words: str) -> _Goal:
    mine, its = (found.starts[f"{name} legacy"].measured(kind) for name in ("small", "node"))
    return _Goal(words, mine.over(its), "Node", None)


def _sizes(sizes: Mapping[str, Start], name: str, when: str) -> float:
    its = sizes["bare legacy"].size(when)
    return sizes[f"{name} legacy"].size(when) / its if its else float("nan")


def _notes() -> list[str]:
    node = f"Node 22 with `@modelcontextprotocol/sdk` {SDK}, its low-level `Server`"
    return [f"{node}: `benchmarks/node_server.mjs`."]


def _figures(found: Found) -> dict[str, Any]:
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
        "fresh": {
            name: {kind: start.measured(kind).median for kind in ("soon", "burst")}
            for name, start in found.starts.items()
            if start.soon
        },
    }
