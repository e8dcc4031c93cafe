"""Two runs of a suite beside each other: two models, or two versions of a description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from laconic.evals.results import Run

__all__ = ["Beside", "beside"]


@dataclass(frozen=True)
class Beside:
    """One case in two runs; None: the run does not have it."""

    id: str
    one: dict[str, Any] | None
    other: dict[str, Any] | None

    @property
    def change(self) -> str:
        """How the second run differs in the share of samples that passed."""
        if self.one is None or self.other is None or _rate(self.other) == _rate(self.one):
            return ""
        return "worse" if _rate(self.other) < _rate(self.one) else "better"


def beside(one: Run, other: Run) -> Iterator[Beside]:
    """Yield every case of two runs."""
    left, right = ({case["id"]: case for case in run.data["cases"]} for run in (one, other))
    for id in dict.fromkeys([*left, *right]):
        yield Beside(id, left.get(id), right.get(id))


def _rate(case: dict[str, Any]) -> float:
    return case["passed"] / case["samples"] if case["samples"] else 0.0
