"""The issues server on large workspaces, over stdio, compared with parsing every file for each call."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks import issues_baseline, issues_tokens, issues_watching
from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.issues_calls import Arguments, calls, timed_call, writes
from benchmarks.issues_report import result
from benchmarks.issues_workspace import COMMON, PHRASE, VERY_COMMON, fill, rare
from benchmarks.programs import Program, bare, serve, serving
from benchmarks.report import Result

__all__ = ["run"]

SIZES: Final = (100, 1_000, 10_000)  # ten times as many files take half an hour: --files 100000
_ROUNDS: Final = 3
_CALLS: Final = 3  # of each kind in a round, but one of those that do several things at once
_STORED: Final = {"index": ".json", "texts": ".texts"}  # what the cache folder has of it
_TRUSTING: Final = {"LACONIC_ISSUES_TTL": "86400"}  # never checks known files again: no sweep


@dataclass
class Workspace:
    """One size of workspace, and everything measured on it."""

    count: int
    root: Path
    home: Path
    ids: list[str]
    found: dict[str, Measured] = field(default_factory=dict)
    once: dict[str, float] = field(default_factory=dict)  # seconds, or bytes
    recall: dict[str, tuple[int, int]] = field(default_factory=dict)  # found, and existing


async def run(quick: bool, sizes: Sequence[int] = SIZES) -> Result:
    """Measure each size, then the tokens."""
    with tempfile.TemporaryDirectory() as folder:
        measured = []
        for count in sizes:
            home = Path(folder, str(count))
            root = home / "work"
            workspace = Workspace(count, root, home, fill(root, count))
            await _measure(workspace, 1 if quick else _ROUNDS)
            measured.append(workspace)
        watching = await issues_watching.watched(measured[-1].root, measured[-1].count, 20 if quick else 200)
        tokens = await issues_tokens.counted(Path(folder, "tokens"))
    return result(measured, watching, tokens)


async def _measure(work: Workspace, rounds: int) -> None:
    with ExitStack() as stack:
        _first(work)
        program = stack.enter_context(serving(_command(work.root), work.home))
        trusting = stack.enter_context(serving(_command(work.root), work.home, more=_TRUSTING))
        plain = stack.enter_context(serving(bare("stdio", "20"), work.home))
        work.recall = dict(_recall(program, work.root)) if work.count <= 10_000 else {}
        plain.list_tools()
        subjects: dict[str, Subject] = {
            "baseline": partial(_read_all, work.root),
            "baseline: create": partial(issues_baseline.create, work.root),
            "sweep": issues_watching.sweeping(work.root),
            "first call, index kept": partial(_restarted, work, True),
            "first call of the process, index kept": partial(_restarted, work, False),
        }
        for name, (tool, arguments) in calls(work.ids, work.count).items():
            subjects[name] = partial(_called, program, tool, arguments)
            if not writes(tool):
                subjects[f"{name}, no sweep"] = partial(_called, trusting, tool, arguments)
        work.found = await interleaved(subjects, rounds)
        work.once |= {"memory": program.memory or 0, "bare memory": plain.memory or 0}
    work.once |= {f"{name} bytes": _stored(work, suffix) for name, suffix in _STORED.items()}


def _command(root: Path) -> list[str]:
    return serve("issues", "--workspace", str(root))


def _first(work: Workspace) -> None:
    """Time the very first calls, when nothing is stored yet."""
    with serving(_command(work.root), work.home) as program:
        program.ask("tools/list")
        work.once["first call, no index"] = timed_call(program, "issues_list", {})
        work.once["first search, no index"] = timed_call(program, "issues_search", {"query": rare(1)})
        work.once["memory while building"] = program.memory or 0


def _stored(work: Workspace, suffix: str) -> int:
    kept = (work.home / "cache" / "laconic" / "issues").rglob(f"*{suffix}")
    return sum(path.stat().st_size for path in kept)


async def _called(program: Program, tool: str, arguments: Arguments) -> list[float]:
    count = 1 if tool.endswith("_batch") else _CALLS
    return [timed_call(program, tool, arguments()) for _ in range(count)]


async def _read_all(root: Path) -> list[float]:
    began = perf_counter()
    issues_baseline.read_all(root)
    return [perf_counter() - began]


async def _restarted(work: Workspace, is_loaded: bool) -> list[float]:
    """Time a first list; with `is_loaded`, a call that needs no issue has already imported the tools."""
    with serving(_command(work.root), work.home) as program:
        program.ask("tools/list")
        if is_loaded:
            timed_call(program, "session_status", {"list": "all"})
        return [timed_call(program, "issues_list", {})]


def _recall(program: Program, root: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield how many matches each search finds, and how many exist."""
    for query, there in issues_baseline.count_matches(root, [rare(7), COMMON, PHRASE, VERY_COMMON]).items():
        answer = program.ask("tools/call", name="issues_search", arguments={"query": query, "limit": 1})
        text = answer["content"][0]["text"]
        yield query, (_total(text), there)


def _total(text: str) -> int:
    """Return the number of matches that an answer reports."""
    more = re.search(r"(\d[\d,]*) more items match", text)
    shown = len(re.findall(r"^(?:ISS|SPEC|IDEA)-", text, re.MULTILINE))
    return shown + (int(more[1].replace(",", "")) if more else 0)
