"""Parts of lists: callers count items from 0, whoever cuts the list."""

from collections.abc import Sequence
from typing import Any, TypeVar

from laconic.kit import Page, Window

Listed = TypeVar("Listed")


def start_of(window: Window) -> int:
    """Return how many items come before the part that a window shows."""
    return int(window.position[0]) if window.position else window.start


def page_of(items: Sequence[Listed], total: int, start: int, **more: Any) -> Page[Listed]:
    """Return items that another system cut out of a longer list."""
    end = start + len(items)
    return Page(items, total, (end,) if items and end < total else None, start, **more)


def part_of(items: Sequence[Listed], window: Window) -> Page[Listed]:
    """Return the part of a whole list that a window shows."""
    start = start_of(window)
    return page_of(items[start : start + window.count], len(items), start)
