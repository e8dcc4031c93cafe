"""One benchmark on both versions, each with a home of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.beside.comparison import Round, compared, told
from benchmarks.harness import on_one_core
from benchmarks.programs import LEGACY, PRESENT, Program, Tree, serving
from benchmarks.report import Result

__all__ = ["FILES", "NAMES", "Side", "run"]

NAMES: Final = ("start", "stdio", "issues", "http")
FILES: Final = (100, 1_000)
_ROUNDS: Final = 9  # measured ones; at least seven are needed for a median to trust
_SHORT: Final = ("stdio",)  # calls so short that the core that is woken would decide


@dataclass(frozen=True)
class Side:
    """One of the two versions."""

    tree: Tree
    home: Path
    stack: AsyncExitStack  # closed at the end of the benchmark
    is_quick: bool
    files: Sequence[int]  # sizes of workspaces

    def started(self, command: Sequence[str], home: Path | None = None, era: str = LEGACY) -> Program:
        """A process that was just started; whoever starts it closes it."""
        return Program(command, home or self.home, era, self.tree.variables)

    def serving(self, command: Sequence[str], era: str = LEGACY, also: Path | None = None) -> Program:
        """A greeted server that runs until the end; it imports from the folder `also`, too."""
        variables = self.tree.variables
        if also is not None:
            variables["PYTHONPATH"] += f"{os.pathsep}{also}"
        return self.stack.enter_context(serving(command, self.home, era, variables))


async def run(earlier: Tree, files: Sequence[int], name: str, quick: bool) -> Result:
    """Measure the present version beside an earlier one."""
    measure = import_module(f"benchmarks.beside.{name}").rounds
    sides: dict[str, Mapping[str, Round]] = {}
    async with AsyncExitStack() as stack:
        if name in _SHORT:
            stack.enter_context(on_one_core())
        folder = stack.enter_context(TemporaryDirectory())
        for tree in (PRESENT, earlier):
            sides[tree.name] = await measure(Side(tree, _home(folder, tree), stack, quick, files))
        found = await compared(sides, 1 if quick else _ROUNDS)
    return told(name, PRESENT.name, earlier.name, found)


def _home(folder: str, tree: Tree) -> Path:
    home = Path(folder, tree.name)
    home.mkdir()
    return home
