"""Fair comparison on a machine that is never quiet: subjects in turn, round by round; medians and ratios."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

__all__ = ["Measured", "Subject", "in_turn", "interleaved", "timed"]

Subject = Callable[[], Awaitable[list[float]]]
"""One round of something: the seconds each of its calls took."""


@dataclass(frozen=True)
class Measured:
    """The calls of one subject, by round; the same round of another subject was run beside it."""

    rounds: tuple[tuple[float, ...], ...]

    @property
    def medians(self) -> list[float]:
        """The median of each round."""
        return [median(calls) for calls in self.rounds]

    @property
    def median(self) -> float:
        """The median of the rounds: one round that was disturbed does not count."""
        return median(self.medians)

    @property
    def p95(self) -> float:
        """What nineteen of twenty calls stay under."""
        calls = [call for calls in self.rounds for call in calls]
        return quantiles(calls, n=20, method="inclusive")[-1] if len(calls) > 1 else calls[0]

    @property
    def worst(self) -> float:
        """The median of the slowest round."""
        return max(self.medians)

    def over(self, baseline: Measured) -> float:
        """How many times the baseline: the median over rounds of the ratio within a round."""
        return median(mine / its for mine, its in self._beside(baseline))

    def spread(self, baseline: Measured) -> tuple[float, float]:
        """The quartiles of that ratio: how far to trust it."""
        ratios = [mine / its for mine, its in self._beside(baseline)]
        if len(ratios) < 2:
            return ratios[0], ratios[0]
        low, _, high = quantiles(ratios, n=4, method="inclusive")
        return low, high

    def worst_over(self, baseline: Measured) -> float:
        """The largest of that ratio."""
        return max(mine / its for mine, its in self._beside(baseline))

    def beyond(self, baseline: Measured) -> float:
        """How many seconds more than the baseline: the median over rounds of the difference."""
        return median(mine - its for mine, its in self._beside(baseline))

    def _beside(self, baseline: Measured) -> list[tuple[float, float]]:
        return list(zip(self.medians, baseline.medians, strict=True))


def in_turn(names: Sequence[str], number: int) -> list[str]:
    """The order of one round: each round starts with another name."""
    turn = number % len(names)
    return [*names[turn:], *names[:turn]]


async def interleaved(subjects: Mapping[str, Subject], rounds: int) -> dict[str, Measured]:
    """Run every subject once a round, each round beginning with another; the first round only warms up."""
    names = list(subjects)
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in in_turn(names, number):
            calls = tuple(await subjects[name]())
            if number:
                found[name].append(calls)
    return {name: Measured(tuple(calls)) for name, calls in found.items()}


async def timed(work: Callable[[], Awaitable[object]], count: int) -> list[float]:
    """Do the work so many times, one after the other, and time each."""
    clock = time.perf_counter
    times = []
    for _ in range(count):
        began = clock()
        await work()
        times.append(clock() - began)
    return times
