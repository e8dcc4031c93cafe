"""Fair comparison on a busy machine: subjects run in turn, round by round; results are medians and ratios."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles

__all__ = ["Measured", "Subject", "in_turn", "interleaved", "on_one_core", "timed"]

Subject = Callable[[], Awaitable[list[float]]]
"""One round of something: the seconds each of its calls took."""


@dataclass(frozen=True)
class Measured:
    """The calls of one subject, by round; the same round of another subject ran directly before or after."""

    rounds: tuple[tuple[float, ...], ...]

    @property
    def medians(self) -> list[float]:
        """The median of each round."""
        return [median(calls) for calls in self.rounds]

    @property
    def median(self) -> float:
        """The median of the rounds, so that one disturbed round does not matter."""
        return median(self.medians)

    @property
    def p95(self) -> float:
        """The time that nineteen of twenty calls stay below."""
        calls = [call for calls in self.rounds for call in calls]
        return quantiles(calls, n=20, method="inclusive")[-1] if len(calls) > 1 else calls[0]

    @property
    def worst(self) -> float:
        """The median of the slowest round."""
        return max(self.medians)

    @property
    def slowest(self) -> float:
        """The slowest single call."""
        return max(max(calls) for calls in self.rounds)

    def over(self, baseline: Measured) -> float:
        """Return the ratio to the baseline: the median over rounds of the ratio within a round."""
        return median(mine / its for mine, its in self._paired(baseline))

    def spread(self, baseline: Measured) -> tuple[float, float]:
        """Return the quartiles of that ratio, which show how far to trust it."""
        ratios = [mine / its for mine, its in self._paired(baseline)]
        if len(ratios) < 2:
            return ratios[0], ratios[0]
        low, _, high = quantiles(ratios, n=4, method="inclusive")
        return low, high

    def worst_over(self, baseline: Measured) -> float:
        """Return the largest ratio of any round."""
        return max(mine / its for mine, its in self._paired(baseline))

    def beyond(self, baseline: Measured) -> float:
        """Return the seconds above the baseline: the median over rounds of the difference."""
        return median(mine - its for mine, its in self._paired(baseline))

    def _paired(self, baseline: Measured) -> list[tuple[float, float]]:
        return list(zip(self.medians, baseline.medians, strict=True))


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process and those it starts on one core, where the system lets us.

    Short calls between two cores take up to twice as long while one of them sleeps between the calls, and
    that lasts for thousands of calls of a process; on one core all rounds agree within a few percent.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def in_turn(names: Sequence[str], number: int) -> list[str]:
    """Return the order of one round: each round starts with another name."""
    turn = number % len(names)
    return [*names[turn:], *names[:turn]]


async def interleaved(subjects: Mapping[str, Subject], rounds: int) -> dict[str, Measured]:
    """Run every subject once per round, each round starting with another; the first round only warms up."""
    names = list(subjects)
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in in_turn(names, number):
            calls = tuple(await subjects[name]())
            if number:
                found[name].append(calls)
    return {name: Measured(tuple(calls)) for name, calls in found.items()}


async def timed(work: Callable[[], Awaitable[object]], count: int) -> list[float]:
    """Do the work that many times in sequence, and time each run."""
    clock = time.perf_counter
    times = []
    for _ in range(count):
        began = clock()
        await work()
        times.append(clock() - began)
    return times
