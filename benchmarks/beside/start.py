"""A start, until the tool list and until the first answer, and what it needs of processor and memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Final

from benchmarks.beside.comparison import BYTES, Figure, Round
from benchmarks.beside.running import Side
from benchmarks.stdio_servers import ECHO, call

__all__ = ["PAUSE", "rounds"]

PAUSE: Final = 1.0  # seconds, so that a busy machine has enough of them

_Call = tuple[str, Mapping[str, Any]]


async def rounds(side: Side) -> Mapping[str, Round]:
    """The small toolset, 20 typical tools, and the issues server on an empty workspace."""
    workspace = side.home / "empty"
    workspace.mkdir()
    servers: dict[str, tuple[list[str], _Call]] = {
        "3 small tools": (side.tree.laconic("small"), ECHO),
        "20 typical tools": (side.tree.laconic("tools_20"), ("account_search", {"query": "pump"})),
        "issues": (side.tree.serve("issues", "--workspace", str(workspace)), ("issues_list", {})),
    }
    found: dict[str, Round] = {name: partial(_round, side, name, *server) for name, server in servers.items()}
    found["issues, a pause"] = partial(_paused, side, *servers["issues"])
    return found


async def _paused(side: Side, command: Sequence[str], first: _Call) -> dict[Figure, float]:
    """What a model's thinking leaves to wait for, and what a server that is never called takes meanwhile."""
    began = perf_counter()
    program = side.started(command)
    try:
        program.greet()
        program.list_tools()
        listed, idle = perf_counter() - began, program.memory
        await asyncio.sleep(PAUSE)
        rested, again = program.memory, perf_counter()
        call(program, *first)
        answered = listed + perf_counter() - again
    finally:
        program.close()
    words = f"issues, a pause of {PAUSE:g} s before the first call"
    found = {
        Figure(f"{words}: start to its answer, without the pause"): answered,
        Figure(f"{words}: memory before the pause", BYTES): idle,
        Figure(f"{words}: memory after the pause", BYTES): rested,
    }
    return {figure: value for figure, value in found.items() if value is not None}


async def _round(side: Side, name: str, command: Sequence[str], first: _Call) -> dict[Figure, float]:
    began = perf_counter()
    program = side.started(command)
    try:
        program.greet()
        program.list_tools()
        listed, work, idle = perf_counter() - began, program.work, program.memory
        call(program, *first)
        answered, worked, used = perf_counter() - began, program.work, program.memory
    finally:
        program.close()
    found = {
        Figure(f"{name}: start to first `tools/list`"): listed,
        Figure(f"{name}: processor time of that"): work,
        Figure(f"{name}: start to first call's answer"): answered,
        Figure(f"{name}: processor time until that answer"): worked,
        Figure(f"{name}: memory after the list", BYTES): idle,
        Figure(f"{name}: memory after a call", BYTES): used,
    }
    return {figure: value for figure, value in found.items() if value is not None}
