"""Starts: what prompts beside issues cost a host that asks for tools, prompts and a first list of issues."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.harness import Measured, interleaved
from benchmarks.programs import Program, environment, serve
from benchmarks.report import Table, times

__all__ = ["starting"]

_ALONE, _BOTH = "`serve issues`", "`serve` (issues and prompts)"
_SERVED: Final = {_ALONE: ("issues",), _BOTH: ("issues", "prompts")}
_PROMPTS: Final = 20  # in the library


async def starting(rounds: int) -> tuple[Table, dict[str, Measured]]:
    """Measure the processor time from the start to the three answers; the list of prompts is unchanged."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _fill(home)
        subjects = {name: partial(_started, home, words) for name, words in _SERVED.items()}
        found = await interleaved(subjects, rounds)
    alone, both = found[_ALONE], found[_BOTH]
    rows = [
        [name, f"{one.median * 1000:.0f}", f"{one.worst * 1000:.0f}", of]
        for name, one, of in ((_ALONE, alone, ""), (_BOTH, both, times(both.over(alone))))
    ]
    caption = (
        "Processor time from the start to the tool list, the list of prompts where there are any, and the"
        f" first `issues_list`, with {_PROMPTS} prompts that nobody has changed since. Target: at most 1.15."
    )
    return Table(caption, ["", "ms", "worst round", "by `serve issues`"], rows), found


def _fill(home: Path) -> None:
    """Make prompts, and list them once: from then on the list is kept."""
    files = home / "files"
    files.mkdir()
    for number in range(_PROMPTS):
        (files / f"prompt-{number}.md").write_text("Look at {{ code }}.\n", encoding="utf-8")
    command = [sys.executable, "-P", "-m", "laconic", "prompts", "import", str(files)]
    subprocess.run(command, env=environment(home), cwd=home, check=True, stdout=subprocess.DEVNULL)
    program = Program(serve(*_SERVED[_BOTH]), home)
    try:
        program.greet()
        program.ask("prompts/list")
    finally:
        program.close()


async def _started(home: Path, words: tuple[str, ...]) -> list[float]:
    program = Program(serve(*words), home)
    try:
        program.greet()
        program.list_tools()
        if "prompts" in words:
            assert len(program.ask("prompts/list")["prompts"]) == _PROMPTS
        program.ask("tools/call", name="issues_list", arguments={})
        return [program.work or 0.0]
    finally:
        program.close()
