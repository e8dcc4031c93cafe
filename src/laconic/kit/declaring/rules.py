"""Rules between arguments: each gets all arguments and returns what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from laconic.kit.errors import Problem
from laconic.kit.errors.words import show

__all__ = ["Rule", "at_least_one", "exactly_one", "ordered", "together"]

Rule = Callable[[Mapping[str, Any]], Problem | None]
"""Takes the checked arguments by wire name; returns a problem, or None."""


def ordered(first: str, second: str) -> Rule:
    """Require that the second comes after the first."""

    def rule(arguments: Mapping[str, Any]) -> Problem | None:
        a, b = arguments.get(first), arguments.get(second)
        if a is None or b is None or a < b:
            return None
        given = b if isinstance(b, int | float) else str(b)
        word = "more than" if isinstance(b, int | float) else "after"
        return Problem(
            second, f"Invalid {second} {show(given)}. Expected: {word} {first} ({a}).", given=given
        )

    return rule


def exactly_one(*names: str) -> Rule:
    """Require exactly one of these."""

    def rule(arguments: Mapping[str, Any]) -> Problem | None:
        given = [name for name in names if name in arguments]
        if len(given) == 1:
            return None
        if not given:
            return Problem(
                names[0], f"Missing {names[0]}: pass exactly one of {', '.join(names)}.", allowed=names
            )
        return Problem(
            given[1], f"Pass only one of {', '.join(names)}: drop {' and '.join(given[1:])}.", allowed=names
        )

    return rule


def at_least_one(*names: str) -> Rule:
    """Require one or more of these."""

    def rule(arguments: Mapping[str, Any]) -> Problem | None:
        if any(name in arguments for name in names):  # a null with a meaning counts as given
            return None
        return Problem(
            names[0], f"Missing {names[0]}: pass at least one of {', '.join(names)}.", allowed=names
        )

    return rule


def together(*names: str) -> Rule:
    """Require all of these, or none."""

    def rule(arguments: Mapping[str, Any]) -> Problem | None:
        given = [name for name in names if name in arguments]
        missing = [name for name in names if name not in arguments]
        if not given or not missing:
            return None
        return Problem(missing[0], f"Missing {' and '.join(missing)}: {' and '.join(given)} needs it.")

    return rule
