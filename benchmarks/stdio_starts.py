"""Starts over stdio: to the first tool list, to the first answer of a tool, and the memory after each."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Final

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.programs import Program, environment
from benchmarks.stdio_calls import at_once, one_by_one
from benchmarks.stdio_servers import ECHO, ERAS, Servers, call, supports

__all__ = ["FLOORS", "Start", "starts"]

FLOORS: Final = {
    "python": "Python alone",
    "asyncio": "Python and `import asyncio`",
    "node alone": "Node alone",
}
_SOON: Final = 20  # calls of a fresh server: what an agent with few questions gets
_LISTED: Final = ("issues_list", dict[str, Any]())


@dataclass
class Start:
    """One server, started once per round; the first start, a warm-up, is left out of all figures."""

    command: Sequence[str]
    era: str
    first: tuple[str, Mapping[str, Any]] = ECHO
    answered: list[float] = field(default_factory=list)  # seconds from the start to the first tool's answer
    soon: list[float] = field(default_factory=list)  # seconds, the median of the next calls
    burst: list[float] = field(default_factory=list)  # seconds per call of a burst after those
    work: list[float] = field(default_factory=list)  # CPU seconds until the list
    idle: list[int] = field(default_factory=list)  # resident bytes after the list
    used: list[int] = field(default_factory=list)  # resident bytes after the first call

    def measured(self, name: str) -> Measured:
        """Return the rounds of one of the lists above."""
        return Measured(tuple((float(value),) for value in getattr(self, name)[1:]))

    def size(self, name: str) -> int:
        """Return the median of resident bytes."""
        return int(median(getattr(self, name)[1:]))

    async def round(self, servers: Servers) -> list[float]:
        """Start the server, request its list, call it; return the seconds until the list."""
        began = perf_counter()
        with _running(Program(self.command, servers.home, ERAS[self.era])) as program:
            program.greet()
            program.list_tools()
            took = perf_counter() - began
            self.work.append(program.work or 0.0)
            self.idle.append(program.memory or 0)
            again = perf_counter()
            call(program, *self.first)
            self.answered.append(took + perf_counter() - again)
            self.used.append(program.memory or 0)
            if self.first == ECHO:
                self.soon.append(median(one_by_one(program, _SOON)))
                self.burst.append(at_once(program))
        return [took]


@contextmanager
def _running(program: Program) -> Iterator[Program]:
    try:
        yield program
    finally:
        program.close()


async def starts(servers: Servers, rounds: int) -> tuple[dict[str, Measured], dict[str, Start]]:
    """Start all servers in turn."""
    known = dict(_starts(servers))
    subjects: dict[str, Subject] = {name: partial(start.round, servers) for name, start in known.items()}
    commands = {
        "python": [sys.executable, "-c", "pass"],
        "asyncio": [sys.executable, "-c", "import asyncio"],
        "node alone": [str(servers.node), "-e", "0"],
    }
    for name, command in commands.items():
        subjects[name] = partial(_ended, command, servers)
    return await interleaved(subjects, rounds), known


def _starts(servers: Servers) -> Iterator[tuple[str, Start]]:
    for era in ERAS:
        for name, command in servers.commands("issues").items():
            if supports(name, era):
                first = _LISTED if name in ("laconic", "sdk") else ECHO
                yield f"{name} {era}", Start(command, era, first)
    yield "many legacy", Start(servers.issues(servers.many), "legacy", _LISTED)
    yield "small legacy", Start(servers.commands("small")["laconic"], "legacy")


async def _ended(command: Sequence[str], servers: Servers) -> list[float]:
    began = perf_counter()
    _run(command, servers)
    return [perf_counter() - began]


def _run(command: Sequence[str], servers: Servers) -> None:
    subprocess.run(command, env=environment(servers.home), check=True)
