"""The issues server on large workspaces, over stdio, beside reading and parsing every file for each call."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

from benchmarks import issues_baseline, issues_tokens, issues_watching
from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.issues_report import result
from benchmarks.issues_workspace import COMMON, PHRASE, VERY_COMMON, fill, rare
from benchmarks.programs import Program, bare, serving
from benchmarks.report import Result

__all__ = ["run"]

SIZES: Final = (100, 1_000, 10_000, 100_000)
_ROUNDS: Final = {100: 15, 1_000: 11, 10_000: 7, 100_000: 3}
_TRUSTING: Final = {"LACONIC_ISSUES_TTL": "86400"}  # never looks at files that it knows: all but the sweep
Arguments = Callable[[], dict[str, Any]]


@dataclass
class Workspace:
    """One size, and what was found out about it besides times."""

    count: int
    root: Path
    home: Path
    ids: list[str]
    found: dict[str, Measured] = field(default_factory=dict)
    once: dict[str, float] = field(default_factory=dict)  # seconds, or bytes
    recall: dict[str, tuple[int, int]] = field(default_factory=dict)  # found, and there


async def run(quick: bool) -> Result:
    """Measure each size, then the tokens."""
    sizes = SIZES[:3] if quick else SIZES
    with tempfile.TemporaryDirectory() as folder:
        measured = []
        for count in sizes:
            home = Path(folder, str(count))
            root = home / "work"
            workspace = Workspace(count, root, home, fill(root, count))
            await _measure(workspace, 1 if quick else _ROUNDS[count])
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
        count = 3 if work.count > 10_000 else 5
        for name, (tool, arguments) in _calls(work).items():
            subjects[name] = partial(_called, program, tool, arguments, count)
            if not _writes(tool):
                subjects[f"{name}, no sweep"] = partial(_called, trusting, tool, arguments, count)
        work.found = await interleaved(subjects, rounds)
        work.once |= {"memory": program.memory or 0, "bare memory": plain.memory or 0}


def _calls(work: Workspace) -> dict[str, tuple[str, Arguments]]:
    """What is asked, and with which arguments this time."""
    random = Random(7)
    issues = [id for id in work.ids if id.startswith("ISS")]

    def some(count: int) -> list[str]:
        return random.sample(issues, count)

    def changes(count: int) -> list[dict[str, str]]:
        return [{"id": id, "priority": random.choice(("low", "medium", "high"))} for id in some(count)]

    return {
        "list": ("issues_list", dict),
        "list, minimal, open only": (
            "issues_list",
            lambda: {"format": "minimal", "limit": 20, "status": ["open"]},
        ),
        "get": ("issues_get", lambda: {"id": some(1)[0]}),
        "get 10": ("issues_get_batch", lambda: {"ids": some(10), "fields": ["title", "status"]}),
        "get 50": ("issues_get_batch", lambda: {"ids": some(50), "fields": ["title", "status"]}),
        "stats": ("issues_stats", lambda: {"groupBy": "status"}),
        "labels": ("issues_labels", lambda: {"operation": "list"}),
        "search: rare word": ("issues_search", lambda: {"query": rare(random.randrange(work.count))}),
        "search: common word": ("issues_search", lambda: {"query": COMMON}),
        "search: phrase": ("issues_search", lambda: {"query": PHRASE}),
        "search: phrase of two very common words": ("issues_search", lambda: {"query": VERY_COMMON}),
        "create": (
            "issues_create",
            lambda: {"title": f"Made {random.getrandbits(32):08x}", "description": "By the benchmark."},
        ),
        "update": ("issues_update", lambda: changes(1)[0]),
        "update 10": ("issues_update_batch", lambda: {"updates": changes(10)}),
        "update 50": ("issues_update_batch", lambda: {"updates": changes(50)}),
    }


def _writes(tool: str) -> bool:
    return tool in ("issues_create", "issues_update", "issues_update_batch")


def _command(root: Path) -> list[str]:
    return [sys.executable, "-P", "-m", "laconic", "serve", "issues", "--workspace", str(root)]


def _first(work: Workspace) -> None:
    """The very first calls, which find nothing kept, and what they leave."""
    with serving(_command(work.root), work.home) as program:
        program.ask("tools/list")
        work.once["first call, no index"] = _timed(program, "issues_list", {})
        work.once["first search, no index"] = _timed(program, "issues_search", {"query": rare(1)})
        work.once["memory while building"] = program.memory or 0
    kept = [path for path in (work.home / "cache" / "laconic" / "issues").rglob("*") if path.is_file()]
    work.once["index bytes"] = sum(path.stat().st_size for path in kept if path.suffix == ".json")
    work.once["texts bytes"] = sum(path.stat().st_size for path in kept if path.suffix == ".texts")


def _timed(program: Program, tool: str, arguments: Mapping[str, Any]) -> float:
    request = program.request("tools/call", name=tool, arguments=dict(arguments))
    began = perf_counter()
    answer = program.exchange(request)
    took = perf_counter() - began
    if b'"isError":true' in answer.replace(b" ", b"") or b'"result"' not in answer:
        raise RuntimeError(answer[:500].decode())
    return took


async def _called(program: Program, tool: str, arguments: Arguments, count: int) -> list[float]:
    return [_timed(program, tool, arguments()) for _ in range(count)]


async def _read_all(root: Path) -> list[float]:
    began = perf_counter()
    issues_baseline.read_all(root)
    return [perf_counter() - began]


async def _restarted(work: Workspace, is_loaded: bool) -> list[float]:
    """A first list; `is_loaded` has the tools imported by a call that needs no issue."""
    with serving(_command(work.root), work.home) as program:
        program.ask("tools/list")
        if is_loaded:
            _timed(program, "session_status", {"list": "all"})
        return [_timed(program, "issues_list", {})]


def _recall(program: Program, root: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """See that a search finds all that there is."""
    for query in (rare(7), COMMON, PHRASE, VERY_COMMON):
        answer = program.ask("tools/call", name="issues_search", arguments={"query": query, "limit": 1})
        text = answer["content"][0]["text"]
        yield query, (_total(text), issues_baseline.holding(root, query))


def _total(text: str) -> int:
    """The number of matches that an answer tells."""
    said = re.search(r"(\d[\d,]*) more items match", text)
    shown = len(re.findall(r"^(?:ISS|SPEC|IDEA)-", text, re.MULTILINE))
    return shown + (int(said[1].replace(",", "")) if said else 0)
