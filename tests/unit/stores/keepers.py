"""What the store tests share: a fake clock, a store with its clock, and races between processes."""

import multiprocessing
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.synchronize import Barrier
from typing import Any, TypeVar

from laconic.stores import KeyValue

T = TypeVar("T")
RUNNERS = 8

_gate: Barrier | None = None


class FakeClock:
    """A clock that only moves when it is turned."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time

    async def turn(self, seconds: float) -> None:
        self.time += seconds


@dataclass(frozen=True)
class Keeper:
    """A store, and a way to make its time pass."""

    store: KeyValue
    pass_time: Callable[[float], Awaitable[None]]


def race(runner: Callable[..., T], *arguments: Any) -> list[T]:
    """Run `runner(*arguments, number)` in eight processes that start at the same moment.

    They are forked from one that has imported what they need, and has nothing open.
    """
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([runner.__module__])
    with server.Pool(RUNNERS, initializer=_set_gate, initargs=(server.Barrier(RUNNERS),)) as pool:
        results = pool.map(partial(_run, runner, arguments), range(RUNNERS), chunksize=1)
        pool.close()
        pool.join()
    return results


def _set_gate(gate: Barrier) -> None:
    global _gate
    _gate = gate


def _run(runner: Callable[..., T], arguments: tuple[Any, ...], number: int) -> T:
    assert _gate is not None
    _gate.wait(30)
    return runner(*arguments, number)
