"""Phrases: what people wrote, inside a line of ours."""

from __future__ import annotations

from collections.abc import Iterable

from laconic.kit import one_line

__all__ = ["in_quotes", "listed"]


def listed(values: Iterable[str]) -> str:
    """Return texts on one line."""
    return ", ".join(one_line(value) for value in values)


def in_quotes(title: str) -> str:
    """Return a title between quotes, on one line."""
    found = one_line(title)
    return f'"{title}"' if found == title else found
