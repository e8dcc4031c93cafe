"""The start of `laconic serve google`: to the list, the first answer, and the first search for a tool."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from benchmarks.programs import LEGACY, PRESENT, Program
from benchmarks.report import Table

__all__ = ["starts"]

_STEPS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "first call": ("drive_listFiles", {"name": "Budget"}),
    "first operation": ("tools_read", {"tool": "drive_about_get", "arguments": {}}),
    "first search for a tool": ("tools_find", {"query": "freeze the first row"}),
}


def starts(rounds: int) -> Table:
    """Start the server so many times; the first start writes its list to a file and is not counted."""
    found: dict[str, list[tuple[float, float, int]]] = {}
    with TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for what, figures in _once(Path(folder)).items():
                if number:
                    found.setdefault(what, []).append(figures)
    rows = [[what, *_written(several)] for what, several in found.items()]
    caption = (
        f"A start of `laconic serve google --sandbox`, {rounds} times: each step after the one above, with "
        "the practice Google in the same process. The list comes from a file; no API's description is read."
    )
    return Table(caption, ["step", "processor ms", "s", "worst s", "MB"], rows)


def _written(several: list[tuple[float, float, int]]) -> list[str]:
    work, took, size = (
        median(one[0] for one in several),
        [one[1] for one in several],
        median(one[2] for one in several),
    )
    return [f"{work * 1e3:,.0f}", f"{median(took):.2f}", f"{max(took):.2f}", f"{size / 1e6:.0f}"]


def _once(home: Path) -> dict[str, tuple[float, float, int]]:
    began, before = perf_counter(), 0.0
    program = Program(PRESENT.serve("google", "--sandbox"), home, LEGACY)
    try:
        program.greet()
        program.list_tools()
        found = {"the list": (program.work or 0.0, perf_counter() - began, program.memory or 0)}
        for what, (tool, arguments) in _STEPS.items():
            began, before = perf_counter(), program.work or 0.0
            answer = program.ask("tools/call", name=tool, arguments=arguments)
            if answer.get("isError"):
                sys.exit(f"{tool} failed: {answer}")
            found[what] = ((program.work or 0.0) - before, perf_counter() - began, program.memory or 0)
    finally:
        program.close()
    return found
