"""Which problems of a call are told: each once, and the first thousand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from laconic.kit.errors import NOT_GIVEN, Problem

__all__ = ["MOST_TOLD", "distinct", "first_problems"]

MOST_TOLD: Final = 1_000
"""A short request can have millions of problems: each takes time, and nobody reads so many."""


def first_problems(found: Iterable[Problem]) -> list[Problem]:
    """Return the first problems, and where more begin; the rest is not even looked for."""
    rest = iter(found)
    problems = [*islice(rest, MOST_TOLD)]
    more = next(rest, None)
    if more is not None:
        problems.append(Problem(more.field, f"More problems follow, starting with {more.field}."))
    return problems


def distinct(problems: Iterable[Problem]) -> list[Problem]:
    """Leave out what another problem already covers: a misspelled argument is not missing as well."""
    found: dict[str, Problem] = {}
    for problem in problems:
        found.setdefault(problem.field, problem)
    meant = {_beside(problem.field, problem.near) for problem in found.values() if problem.near}
    return [one for one in found.values() if not (one.field in meant and one.given is NOT_GIVEN)]


def _beside(path: str, name: str) -> str:
    head, dot, _ = path.rpartition(".")
    return f"{head}{dot}{name}"
