"""Permitted tools: lists of names and patterns that the user allows or denies."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.errors import BadConfiguration
from laconic.text import did_you_mean, nearest

__all__ = ["check_patterns", "is_permitted"]


def is_permitted(spec: ToolSpec, allow: Collection[str], deny: Collection[str]) -> bool:
    """True if a tool may be served: it is allowed, if anything is, and not denied.

    A tool that is behind another one is denied with it; otherwise it would do what was denied.
    """
    if any(_fits(pattern, name) for pattern in deny for name in (*_names(spec), spec.behind)):
        return False
    return not allow or any(_fits(pattern, name) for pattern in allow for name in _names(spec))


def check_patterns(tools: Iterable[ToolSpec], allow: Collection[str], deny: Collection[str]) -> None:
    """Check that every pattern is about a tool: a mistyped one would deny nothing.

    Raises:
        BadConfiguration: one is about none.
    """
    known = [name for spec in tools for name in _names(spec)]
    for option, patterns in (("allow", allow), ("deny", deny)):
        for pattern in patterns:
            if not any(_fits(pattern, name) for name in known):
                hint = did_you_mean(nearest(pattern, known))
                raise BadConfiguration(f"{option} names no tool: '{pattern[:80]}'.{hint}")


def _names(spec: ToolSpec) -> tuple[str, ...]:
    return spec.name, *spec.seconds


def _fits(pattern: str, name: str) -> bool:
    return bool(name) and fnmatchcase(name, pattern)
