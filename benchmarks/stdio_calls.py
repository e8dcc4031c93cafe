"""Small calls over stdio: one after the other, and many at once."""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack
from functools import partial
from statistics import median
from time import perf_counter

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.programs import Program, serving
from benchmarks.stdio_servers import ECHO, ERAS, Servers, call, supports

__all__ = ["BURST", "at_once", "calls", "one_by_one"]

BURST = 100  # calls sent at once


async def calls(servers: Servers, rounds: int, count: int) -> tuple[dict[str, Measured], dict[str, float]]:
    """Time single calls and bursts, both per call, and the CPU time of one call."""
    work: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        subjects: dict[str, Subject] = {}
        for era, revision in ERAS.items():
            for name, command in servers.commands("small").items():
                if supports(name, era):
                    program = stack.enter_context(serving(command, servers.home, revision))
                    call(program, *ECHO)
                    label = f"{name} {era}"
                    subjects[f"call {label}"] = partial(_one_by_one, program, count, work[label])
                    subjects[f"burst {label}"] = partial(_at_once, program)
        found = await interleaved(subjects, rounds)
    return found, {name: median(spent) for name, spent in work.items()}


async def _one_by_one(program: Program, count: int, work: list[float]) -> list[float]:
    found, spent = program.timed(_request(program), count)
    work.append(spent)
    return found


async def _at_once(program: Program) -> list[float]:
    return [at_once(program)]


def one_by_one(program: Program, count: int) -> list[float]:
    """Return the seconds of each of that many calls in sequence."""
    return program.timed(_request(program), count)[0]


def at_once(program: Program) -> float:
    """Return the seconds per call of a burst."""
    requests = [_request(program) for _ in range(BURST)]
    began = perf_counter()
    program.exchange_all(requests)
    return (perf_counter() - began) / BURST


def _request(program: Program) -> bytes:
    return program.request("tools/call", name=ECHO[0], arguments=ECHO[1])
