"""The issues server on workspaces of several sizes: first calls, and calls once it runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shutil import rmtree
from statistics import median
from time import perf_counter, sleep
from typing import Final

from benchmarks.beside.comparison import BYTES, Figure, Round
from benchmarks.beside.running import Side
from benchmarks.beside.start import PAUSE
from benchmarks.issues_calls import Arguments, calls, timed_call
from benchmarks.issues_workspace import VERY_COMMON, fill, rare
from benchmarks.programs import Program

__all__ = ["rounds"]

_ASKED: Final = ("list", "get", "stats", "search: rare word", "search: common word", "create", "update")
_COUNT: Final = 5  # calls in a round


async def rounds(side: Side) -> Mapping[str, Round]:
    """Every kind of call at every size; both versions get the same files."""
    found: dict[str, Round] = {}
    for size in side.files:
        root, words = side.home / f"work-{size}", f"{size:,} files"
        asked = calls(fill(root, size), size)
        command = side.tree.serve("issues", "--workspace", str(root))
        found[f"{words}, nothing kept"] = partial(_first, side, command, words)
        found[f"{words}, index kept"] = partial(_restarted, side, command, words)
        found[f"{words}, index kept, a pause"] = partial(_paused, side, command, words)
        program = side.serving(command)
        for name in _ASKED:
            found[f"{words}, {name}"] = partial(_called, program, f"{words}: {name}", *asked[name])
        found[f"{words}, memory"] = partial(_memory, program, words)
    return found


async def _first(side: Side, command: list[str], words: str) -> dict[Figure, float]:
    place = side.home / "first"  # a home of its own: the index of the others stays
    rmtree(place, ignore_errors=True)
    place.mkdir()
    listed, searched, again = _started(side, command, place)
    return {
        Figure(f"{words}: start to first list, nothing kept"): listed,
        Figure(f"{words}: first search after that"): searched,
        Figure(f"{words}: next search at once, a phrase of common words"): again,
    }


async def _restarted(side: Side, command: list[str], words: str) -> dict[Figure, float]:
    listed, searched, _ = _started(side, command, side.home)
    return {
        Figure(f"{words}: start to first list, index kept"): listed,
        Figure(f"{words}: first search after that, index kept"): searched,
    }


async def _paused(side: Side, command: list[str], words: str) -> dict[Figure, float]:
    listed, *_ = _started(side, command, side.home, PAUSE)
    return {Figure(f"{words}: start to first list, index kept, less a pause of {PAUSE:g} s"): listed}


def _started(side: Side, command: list[str], home: Path, pause: float = 0.0) -> tuple[float, float, float]:
    """The seconds from the start of a process to its first list, and those of the first two searches."""
    began = perf_counter()
    program = side.started(command, home)
    try:
        program.greet()
        program.list_tools()
        sleep(pause)
        timed_call(program, "issues_list", {})
        listed = perf_counter() - began - pause
        first, second = (
            timed_call(program, "issues_search", {"query": one}) for one in (rare(1), VERY_COMMON)
        )
        return listed, first, second
    finally:
        program.close()


async def _called(program: Program, what: str, tool: str, arguments: Arguments) -> dict[Figure, float]:
    return {Figure(what): median(timed_call(program, tool, arguments()) for _ in range(_COUNT))}


async def _memory(program: Program, words: str) -> dict[Figure, float]:
    size = program.memory
    return {} if size is None else {Figure(f"{words}: memory", BYTES): size}
