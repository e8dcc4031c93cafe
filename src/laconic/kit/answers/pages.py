"""Paging: what the caller asks for (Window) and what it gets (Page)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

__all__ = ["Batch", "Page", "Position", "Window"]

Item = TypeVar("Item")
Position = tuple[str | int | float | bool | None, ...]
"""Where a page ended: the last item's sort key and id. Another API's page token is one too: `(token,)`."""


@dataclass(frozen=True)
class Window:
    """Which part of a list is wanted; as a default value it declares how a tool pages."""

    size: int = 25
    most: int = 1000
    sizes: Mapping[str, int] = field(default_factory=dict)  # page size by format, where it differs
    offset: bool = False  # also understand `offset`, unlisted, for callers that know only that
    position: Position | None = None
    limit: int | None = None
    start: int = 0

    @property
    def count(self) -> int:
        """How many items this page may have."""
        return self.limit or self.size

    def at(self, *, position: Position | None, limit: int | None, start: int, form: str | None) -> Window:
        """Make the window of one call from the declared one."""
        limit = min(limit or self.sizes.get(form or "", self.size), self.most)
        return replace(self, position=position, limit=limit, start=start)

    def cut(
        self, items: Iterable[Item], key: Callable[[Item], tuple[Any, ...]], *, reverse: bool = False
    ) -> Page[Item]:
        """Sort a list in memory and give the page of it that this window shows.

        The key must end in something unique, so that every position is between two items.
        """
        return self.cut_sorted(sorted(items, key=key, reverse=reverse), key, reverse=reverse)

    def cut_sorted(
        self, ordered: Sequence[Item], key: Callable[[Item], tuple[Any, ...]], *, reverse: bool = False
    ) -> Page[Item]:
        """Give the page of a list that is sorted by that key already."""
        begin = min(self.start, len(ordered))
        if self.position is not None:
            begin = _after(ordered, key, self.position, reverse)
        shown = ordered[begin : begin + self.count]
        rest = len(ordered) - begin - len(shown)
        after = key(shown[-1]) if rest and shown else None
        return Page(shown, total=len(ordered), next=after, start=begin, key=key)


def _after(
    ordered: Sequence[Item], key: Callable[[Item], tuple[Any, ...]], position: Position, reverse: bool
) -> int:
    if not reverse:
        return bisect_right(ordered, position, key=key)
    backwards = ordered[::-1]
    return len(ordered) - bisect_left(backwards, position, key=key)


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list, how much there is in all, and where it goes on."""

    items: Sequence[Item]
    total: int | None = None  # None: not known
    next: Position | None = None
    start: int | None = None  # how many items come before this page, where that is known
    key: Callable[[Any], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    about: str = ""  # what the list is of, for a record whose heading says it
    remark: str = ""  # something about the whole page that a caller should know

    def first(self, count: int) -> Page[Item]:
        """The beginning of this page, going on where it ends; the page itself if its key is not known."""
        if self.key is None or count >= len(self.items):
            return self
        return replace(self, items=self.items[:count], next=self.key(self.items[count - 1]))

    @property
    def rest(self) -> int | None:
        """How many items come after this page; None when that is not known."""
        if self.next is None:
            return 0
        if self.total is None or self.start is None:
            return None
        return self.total - self.start - len(self.items)


@dataclass(frozen=True)
class Batch(Generic[Item]):
    """What became of each of several things asked for at once: those done, and why the others were not."""

    items: Sequence[Item]
    failures: Mapping[str, str] = field(default_factory=dict)  # by the name the caller used
    done: str = "Found"  # the word for what was done

    @property
    def total(self) -> int:
        """How many were asked for."""
        return len(self.items) + len(self.failures)
