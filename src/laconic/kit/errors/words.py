"""Words about values: how an error repeats what a caller gave, and lists what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

__all__ = ["clean", "listing", "safe_name", "show", "spelled"]

_MOST_VALUES: Final = 14


def show(value: Any) -> str:
    """Return a value the caller gave, quoted and short enough to repeat."""
    if isinstance(value, str):
        return (
            f"'{clean(value)}'" if len(value) <= 60 else f"'{clean(value[:40])}…' ({len(value):,} characters)"
        )
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else type(value).__name__


def spelled(value: Any) -> str:
    """Return a fixed value as a caller writes it: null and true as in JSON, anything else as it is."""
    return show(value) if value is None or isinstance(value, bool) else str(value)


def clean(text: str) -> str:
    """Return text from a caller in a form that is safe to repeat on one line."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def safe_name(name: str) -> str:
    """Return a name to suggest: as it is, or quoted and on one line if it has control characters."""
    return name if name.isprintable() else f"'{clean(name[:80])}'"


def listing(values: Sequence[str]) -> str:
    """Join allowed values; if not all fit, add how many there are."""
    if len(values) <= _MOST_VALUES:
        return ", ".join(values)
    return ", ".join(values[: _MOST_VALUES - 2]) + f", … ({len(values)} in all)"
