"""From starting a process to its tool list, compared with a bare SDK server and the bare interpreter."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shutil import rmtree
from statistics import median
from time import perf_counter

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.programs import LEGACY, MODERN, Program, bare, environment, laconic
from benchmarks.report import Bars, Result, Table, figures, times

__all__ = ["run"]

COUNTS = (2, 20, 250)
_WAYS = {
    "laconic": "Laconic",
    "bare": "bare SDK, schemas from a file",
    "first": "Laconic, first start (no stored list)",
    "built": "bare SDK, schemas built at start",
}
_INTERPRETER = "bare interpreter"
_TARGET = 1.1
_IMPORTED = re.compile(r"import time:\s+(\d+) \|\s+\d+ \| (\s*)(\S+)")
_SHOWN = 12


@dataclass
class _Starts:
    """What the system reports about one server's starts, if it does; includes the first, a warm-up."""

    memory: list[int] = field(default_factory=list)  # resident bytes
    work: list[float] = field(default_factory=list)  # CPU seconds

    def take(self, program: Program) -> None:
        if program.memory is not None and program.work is not None:
            self.memory.append(program.memory)
            self.work.append(program.work)

    @property
    def size(self) -> int | None:
        return int(median(self.memory)) if self.memory else None

    def over(self, baseline: _Starts) -> float | None:
        """Return the ratio of CPU times to the baseline by round; waiting for a core does not count."""
        ratios = [mine / its for mine, its in zip(self.work[1:], baseline.work[1:], strict=True)]
        return median(ratios) if ratios else None


async def run(quick: bool) -> Result:
    """Measure starts, memory, and where the imports spend their time."""
    rounds, counts = (1, COUNTS[1:2]) if quick else (15, COUNTS)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        starts: dict[str, _Starts] = {}
        found = await interleaved(_subjects(home, starts, counts), rounds)
        profiles = {way: _profile(_command(way, 20, home), home) for way in ("laconic", "bare")}
    return _result(found, starts, profiles, counts)


def _subjects(home: Path, starts: dict[str, _Starts], counts: Sequence[int]) -> dict[str, Subject]:
    subjects: dict[str, Subject] = {_INTERPRETER: partial(_ended, [sys.executable, "-c", "pass"], home)}
    for count in counts:
        _run(bare("write", str(count), str(_file(home, count))), home)
        for way in _WAYS:
            command, seen = _command(way, count, home), starts.setdefault(f"{way} {count}", _Starts())
            subjects[f"{way} {count}"] = partial(_started, command, home, LEGACY, way == "first", seen)
    for way in ("laconic", "bare"):
        command, seen = _command(way, 20, home), starts.setdefault(f"{way} 20 modern", _Starts())
        subjects[f"{way} 20 modern"] = partial(_started, command, home, MODERN, False, seen)
    return subjects


def _file(home: Path, count: int) -> Path:
    return home / f"schemas-{count}.json"


def _command(way: str, count: int, home: Path) -> list[str]:
    if way in ("laconic", "first"):
        return laconic(f"tools_{count}")
    return bare("stdio", str(count), *([str(_file(home, count))] if way == "bare" else []))


async def _ended(command: Sequence[str], home: Path) -> list[float]:
    began = perf_counter()
    _run(command, home)
    return [perf_counter() - began]


def _run(command: Sequence[str], home: Path) -> None:
    subprocess.run(command, env=environment(home), check=True)


async def _started(
    command: Sequence[str], home: Path, era: str, is_first: bool, seen: _Starts
) -> list[float]:
    place = home
    if is_first:  # a separate home: the stored lists of the others stay
        place = home / "first"
        rmtree(place, ignore_errors=True)
        place.mkdir()
    began = perf_counter()
    program = Program(command, place, era)
    try:
        program.greet()
        program.list_tools()
        took = perf_counter() - began
        seen.take(program)
    finally:
        program.close()
    return [took]


def _profile(command: list[str], home: Path) -> dict[str, float]:
    """Return the milliseconds each package takes to import, as `-X importtime` reports for one start."""
    words = [command[0], "-X", "importtime", *command[1:]]
    done = subprocess.run(
        words,
        cwd=home,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    spent: Counter[str] = Counter()
    for took, _, module in _IMPORTED.findall(done.stderr):
        spent[_package(module)] += int(took)
    return {package: micros / 1000 for package, micros in spent.most_common()}


def _package(module: str) -> str:
    top = module.partition(".")[0]
    return "standard library" if top.lstrip("_") in _STANDARD or top in _STANDARD else top


_STANDARD = frozenset(sys.stdlib_module_names)


def _result(
    found: Mapping[str, Measured],
    starts: Mapping[str, _Starts],
    profiles: Mapping[str, Mapping[str, float]],
    counts: Sequence[int],
) -> Result:
    interpreter = found[_INTERPRETER]
    rows = []
    for count in counts:
        for way, words in _WAYS.items():
            rows.append(_row(f"{count} tools: {words}", found, f"{way} {count}", f"bare {count}", starts))
    rows.append(
        _row("20 tools: Laconic, modern opening", found, "laconic 20 modern", "bare 20 modern", starts)
    )
    columns = [
        "server",
        "vs bare SDK",
        "quartiles",
        "CPU time vs bare",
        "vs interpreter",
        "ms",
        "memory MiB",
        "vs bare",
    ]
    caption = (
        "From the start of the process until its whole tool list has arrived over stdio, compared with a "
        "bare low-level SDK server with its schemas in a file (models built on first use, as ours are). The "
        f"interpreter alone took {interpreter.median * 1e3:.0f} ms. *CPU time* does not include waiting for "
        f"a core. Target: ≤ {_TARGET}."
    )
    labels = [f"{count} tools" for count in counts]
    plot = Bars(
        "bench-start",
        f"Start to tool list: times the bare SDK with schemas from a file (target {_TARGET})",
        "times the bare SDK",
        labels,
        {
            words: [found[f"{way} {count}"].over(found[f"bare {count}"]) for count in counts]
            for way, words in _WAYS.items()
            if way != "bare"
        },
        line=_TARGET,
    )
    baseline = {name: _baseline(name) for name in found if _baseline(name) != name}
    kept = figures(found, baseline) | {
        "memory": {name: seen.size for name, seen in starts.items()},
        "work": {name: seen.work for name, seen in starts.items()},
        "imports": {k: dict(v) for k, v in profiles.items()},
    }
    return Result("start", [Table(caption, columns, rows), _imports(profiles)], [plot], figures=kept)


def _baseline(name: str) -> str:
    if name == _INTERPRETER:
        return name
    return f"bare {name.partition(' ')[2]}"


def _row(
    label: str, found: Mapping[str, Measured], name: str, baseline: str, starts: Mapping[str, _Starts]
) -> list[str]:
    mine, its = found[name], found[baseline]
    low, high = mine.spread(its)
    size, other = starts[name].size, starts[baseline].size
    work = starts[name].over(starts[baseline])
    return [
        label,
        times(mine.over(its)),
        f"{low:.2f} to {high:.2f}",
        times(work) if work else "-",
        times(mine.over(found[_INTERPRETER])),
        f"{mine.median * 1e3:,.0f}",
        f"{size / 2**20:.0f}" if size else "-",
        times(size / other) if size and other else "-",
    ]


def _imports(profiles: Mapping[str, Mapping[str, float]]) -> Table:
    """Show what each start imports; the profiler slows imports down, so only shares are meaningful."""
    ours, bare = profiles["laconic"], profiles["bare"]
    names = [*[name for name in ours if name != "laconic"][: _SHOWN - 1], "laconic"]
    rest = [name for name in {*ours, *bare} if name not in names]
    total = sum(bare.values())

    def cells(profile: Mapping[str, float], of: Sequence[str]) -> list[str]:
        spent = sum(profile.get(name, 0.0) for name in of)
        return [f"{spent:.0f}", f"{spent / total:.1%}"]

    rows = [[name, *cells(ours, [name]), *cells(bare, [name])] for name in names]
    rows.append(["others", *cells(ours, rest), *cells(bare, rest)])
    rows.append(["**all**", *cells(ours, list(ours)), *cells(bare, list(bare))])
    columns = ["package", "Laconic ms", "share", "bare SDK ms", "share"]
    caption = (
        "Where the imports of such a start spend their time (`-X importtime`, own time of each package). The "
        "profile slows everything down, so read only the shares, which are those of the bare SDK server's "
        "total."
    )
    return Table(caption, columns, rows)
