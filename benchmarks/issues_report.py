"""The results of the issues benchmark, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchmarks.harness import Measured
from benchmarks.report import Bars, Result, Table, figures
from tests.issues_sample import BACKLOG, LABELS, LIMITS, SAMPLE, TASKS

if TYPE_CHECKING:
    from benchmarks.issues import Workspace

__all__ = ["result"]

_BAR: Final = 10_000  # the size shown in the plot
_FIRST: Final = "first call, index kept"
_LOADING: Final = "first call of the process, index kept"  # which also imports the tools
_APART: Final = ("baseline", "baseline: create", "sweep", _FIRST, _LOADING)
_ITEM: Final = 2_048  # bytes of memory allowed per issue
_BASE: Final = 1.5  # times the memory of a bare SDK server


def result(measured: Sequence[Workspace], watching: Mapping[str, Any], tokens: Mapping[str, int]) -> Result:
    """Put all tables and the plot together."""
    shown = next((work for work in measured if work.count == _BAR), measured[-1])
    names = [name for name in shown.found if name not in _APART and not name.endswith(", no sweep")]
    tables = [
        _calls(shown, names),
        _sizes(measured, ["baseline", "sweep", *names]),
        _once(measured),
        _watching(watching, measured[-1].found["sweep"]),
        _tokens(tokens),
    ]
    plot = Bars(
        "bench-issues",
        f"One call at {shown.count:,} issues, over stdio (dashes: 1/20 of reading and parsing every file)",
        "ms",
        names,
        {
            "as it is": [shown.found[name].median * 1e3 for name in names],
            "without the check of all files": [_apart(shown, name).median * 1e3 for name in names],
        },
        line=shown.found["baseline"].median * 1e3 / 20,
    )
    kept = {
        str(work.count): figures(work.found, {name: "baseline" for name in work.found if name != "baseline"})
        | {"once": work.once, "recall": work.recall}
        for work in measured
    }
    return Result("issues", tables, [plot], figures={**kept, "watcher": watching, "tokens": dict(tokens)})


def _apart(work: Workspace, name: str) -> Measured:
    return work.found.get(f"{name}, no sweep", work.found[name])


def _part(mine: Measured, its: Measured) -> str:
    ratio = mine.over(its)
    return f"1/{1 / ratio:,.0f}" if ratio < 0.5 else f"{ratio:.1f}"


def _ms(measured: Measured) -> str:
    return f"{measured.median * 1e3:,.1f}"


def _calls(work: Workspace, names: Sequence[str]) -> Table:
    base = work.found["baseline"]
    rows = []
    for name in names:
        mine, apart = work.found[name], work.found.get(f"{name}, no sweep")
        less = [_ms(apart), _part(apart, base)] if apart else ["-", "-"]
        rows.append([name, _part(mine, base), _ms(mine), f"{mine.slowest * 1e3:,.1f}", *less])
    found, there = (sum(pair[place] for pair in work.recall.values()) for place in (0, 1))
    caption = (
        f"One call at {work.count:,} issues, over stdio from request to answer, compared with reading every "
        "file and parsing its header with libyaml, as the existing system does for each call: "
        f"{_ms(base)} ms in the same run. Every call checks the stamp of every file, so an outside change is "
        f"seen at once. That check alone takes {_ms(work.found['sweep'])} ms; the two columns on the right "
        "are without it. Target: ≤ 1/20 with it, ≤ 1/50 without (list, get, stats, labels). Searches found "
        f"{found:,} of {there:,} matches. A create in the existing system, which reads only file names and "
        f"does not wait for the disk, took {_ms(work.found['baseline: create'])} ms."
    )
    columns = ["call", "vs reading all", "ms", "slowest", "without the check, ms", "vs reading all"]
    return Table(caption, columns, rows)


def _sizes(measured: Sequence[Workspace], names: Sequence[str]) -> Table:
    rows = [[name, *(_ms(work.found[name]) for work in measured)] for name in names]
    rows += [
        [f"{name}, without the check", *(_ms(_apart(work, name)) for work in measured)]
        for name in ("list", "get", "stats", "labels")
    ]
    words = {"baseline": "reading and parsing all", "sweep": "the check of all files alone"}
    rows = [[words.get(row[0], row[0]), *row[1:]] for row in rows]
    return Table(
        "The same for workspaces of other sizes, in ms.",
        ["call", *(f"{work.count:,}" for work in measured)],
        rows,
    )


def _once(measured: Sequence[Workspace]) -> Table:
    rows = []
    for work in measured:
        once, base = work.once, work.found["baseline"]
        allowed = _BASE * once["bare memory"] + _ITEM * work.count
        rows.append(
            [
                f"{work.count:,}",
                f"{once['first call, no index']:,.2f}",
                f"{once['first search, no index']:,.2f}",
                f"{work.found[_FIRST].median:,.3f}",
                _part(work.found[_FIRST], base),
                f"{work.found[_LOADING].median:,.2f}",
                f"{once['index bytes'] / 2**20:,.1f}",
                f"{once['texts bytes'] / 2**20:,.1f}",
                f"{once['memory'] / 2**20:,.0f}",
                f"{allowed / 2**20:,.0f}",
            ]
        )
    columns = [
        *("issues", "first call, nothing stored, s", "first search, s", "first call after a restart, s"),
        *(
            "vs reading all",
            "with the import of the tools, s",
            "index MiB",
            "texts MiB",
            "memory MiB",
            "allowed",
        ),
    ]
    caption = (
        "Starting on a workspace. The index and the texts for searching are in the user's cache folder. "
        "Target: the first call after a restart ≤ 1/5 of reading and parsing all. Memory is the server's "
        f"after all calls; allowed are {_BASE} times a bare SDK server's plus 2 KiB per issue."
    )
    return Table(caption, columns, rows)


def _watching(watching: Mapping[str, Any], sweep: Measured) -> Table:
    missed = f"{watching['missed']} of {watching['writes']}"
    rows = [
        ["the check", f"{sweep.median * 1e3:,.1f}", "-", "-", "none", "0"],
        [
            "watchfiles",
            f"{watching['ask'] * 1e3:,.1f}",
            f"{watching['start'] * 1e3:,.0f}",
            f"{watching['delay'] * 1e3:,.1f} (p95 {watching['delay p95'] * 1e3:,.1f})",
            missed,
            f"{watching['memory'] / 2**20:,.1f}",
        ],
    ]
    columns = ["method", "query, ms", "start, ms", "reports a write after, ms", "not reported at once", "MiB"]
    return Table(f"The check of {watching['files']:,} files, and a watcher instead of it.", columns, rows)


def _tokens(tokens: Mapping[str, int]) -> Table:
    bars = LIMITS["sample"] | {f"backlog: {name}": bar for name, bar in LIMITS["backlog"].items()}
    names = [*SAMPLE, *(f"backlog: {name}" for name in BACKLOG)]
    rows = [
        [f"list of 20, {name}", f"{tokens[name]:,}", f"≤ {bars[name]:,.0f}" if name in bars else "-"]
        for name in names
    ]
    rows.append(["backlog: all labels with their counts", f"{LABELS:,}", "-"])
    rows += [
        [f"ten tasks: {name} (calls: {calls})", f"{spent:,}", "-"] for name, (calls, spent) in TASKS.items()
    ]
    share = tokens["browse"] / tokens["five whole"]
    rows += [
        ["five whole specifications", f"{tokens['five whole']:,}", "-"],
        ["finding the right one of 40 and reading its requirements", f"{tokens['browse']:,}", "-"],
        ["the same, as a share of the five", f"{share:.1%}", "≤ 15%"],
    ]
    caption = (
        "Tokens of answers (o200k: read them as ratios), on two workspaces that are always the same: a tidy "
        "one of 100 files, and a backlog of 252 files as agents leave it, with long titles, three labels "
        "each and some ids that two files share."
    )
    return Table(caption, ["answer", "tokens", "target"], rows)
