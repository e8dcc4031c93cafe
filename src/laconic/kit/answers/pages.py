"""Paging: what the caller asks for (Window) and what it gets (Page)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

__all__ = ["Batch", "Page", "Position", "Window"]

Item = TypeVar("Item")
Position = tuple[str | int | float | bool | None, ...]
"""Where a page ended: the last item's sort key and id, or another API's page token as `(token,)`."""


@dataclass(frozen=True)
class Window:
    """The part of a list that is wanted; as a default value, how a tool pages."""

    size: int = 25
    most: int = 1000
    sizes: Mapping[str, int] = field(default_factory=dict)  # page size by format, where it differs
    offset: bool = False  # accept `offset` as well, unlisted, for callers that know only that
    position: Position | None = None
    limit: int | None = None
    start: int = 0

    @property
    def count(self) -> int:
        """How many items this page may have."""
        return self.limit or self.size

    def at(self, *, position: Position | None, limit: int | None, start: int, form: str | None) -> Window:
        """Return the window of one call, from the declared one."""
        limit = min(limit or self.sizes.get(form or "", self.size), self.most)
        return replace(self, position=position, limit=limit, start=start)

    def cut(
        self, items: Iterable[Item], key: Callable[[Item], tuple[Any, ...]], *, reverse: bool = False
    ) -> Page[Item]:
        """Sort a list in memory and return the page that this window shows.

        The key must end in something unique, so that every position is between two items.
        """
        return self.cut_sorted(sorted(items, key=key, reverse=reverse), key, reverse=reverse)

    def cut_sorted(
        self, ordered: Sequence[Item], key: Callable[[Item], tuple[Any, ...]], *, reverse: bool = False
    ) -> Page[Item]:
        """Return the page that this window shows of a list already sorted by that key."""
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
    """A part of a list, the total, and where the next page starts."""

    items: Sequence[Item]
    total: int | None = None  # None: not known
    next: Position | None = None
    start: int | None = None  # how many items come before this page, if known
    key: Callable[[Any], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    about: str = ""  # what the list is about, for a record whose heading mentions it
    remark: str = ""  # something about the whole page that a caller should know

    def first(self, count: int) -> Page[Item]:
        """Return a page of the first items, which the next page continues; itself if its key is not known."""
        if self.key is None or count >= len(self.items):
            return self
        return replace(self, items=self.items[:count], next=self.key(self.items[count - 1]))

    @property
    def rest(self) -> int | None:
        """How many items come after this page; None: not known."""
        if self.next is None:
            return 0
        if self.total is None or self.start is None:
            return None
        return self.total - self.start - len(self.items)


@dataclass(frozen=True)
class Batch(Generic[Item]):
    """The outcome of several things asked for at once: what was done, and why the others failed."""

    items: Sequence[Item]
    failures: Mapping[str, str] = field(default_factory=dict)  # by the name the caller used
    done: str = "Found"  # the word for what was done

    @property
    def total(self) -> int:
        """How many were asked for."""
        return len(self.items) + len(self.failures)
