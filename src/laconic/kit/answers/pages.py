"""Paging: what the caller asks for (Window) and what it gets (Page)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Generic, Literal, TypeVar

from laconic.data import dataclass
from laconic.kit.answers.ordering import Key, Position, first_after, order_of, refuse_odd, refuse_twins
from laconic.kit.errors import Failure

__all__ = ["Batch", "Page", "Place", "Position", "Window", "Within"]

Item = TypeVar("Item")


@dataclass(frozen=True)
class Within:
    """A place within a page that was too long: where that page began, and what of it was shown."""

    page: Position | None
    start: int
    limit: int
    shown: tuple[str, ...] | int  # the keys of its items, or how many if they have none


Place = Position | Within


@dataclass(frozen=True)
class Window:
    """The part of a list that is wanted; as a default value, how a tool pages."""

    size: int = 25
    most: int = 1000
    sizes: Mapping[str, int] = field(default_factory=dict)  # page size by format, where it differs
    offset: bool | Literal["listed"] = False  # understood as well; or listed, and `cursor` is not
    position: Position | None = None
    limit: int | None = None
    start: int = 0  # how many items to skip, if the caller passed an offset
    tool: str = ""  # which tool this is the window of, for errors

    @property
    def count(self) -> int:
        """How many items this page may have."""
        return self.limit or self.size

    def at(
        self, *, position: Position | None, limit: int | None, start: int, form: str | None, tool: str = ""
    ) -> Window:
        """Return the window of one call, from the declared one."""
        limit = min(limit or self.sizes.get(form or "", self.size), self.most)
        return Window(self.size, self.most, self.sizes, self.offset, position, limit, start, tool)

    def page(self, items: Sequence[Item], **more: Any) -> Page[Item]:
        """Return a page that starts where this window does, for a list that is cut elsewhere.

        Whoever cuts it skips `window.start` items. `more` are the other fields of a `Page`, such as `next`.
        """
        more.setdefault("start", self.start if self.position is None else None)
        return Page(items, **more)

    def cut(self, items: Iterable[Item], key: Key[Item], *, reverse: bool = False) -> Page[Item]:
        """Sort a list in memory and return the page that this window shows; None sorts before everything.

        The key must end in something unique, so that every position is between two items.

        Raises:
            Bug: two items share a key, or a cursor could not hold it.
        """
        listed = list(items)
        keys = [key(item) for item in listed]
        refuse_odd(self.tool, keys)
        places = order_of(self.tool, keys, reverse)
        ordered = [listed[place] for place in places]
        refuse_twins(self.tool, ordered, [keys[place] for place in places])
        return self._page(ordered, key, reverse=reverse)

    def cut_sorted(self, ordered: Sequence[Item], key: Key[Item], *, reverse: bool = False) -> Page[Item]:
        """Return the page that this window shows of a list already sorted by that key.

        Raises:
            Bug: two items share a key, on this page or at its end, or a cursor could not hold it.
        """
        page = self._page(ordered, key, reverse=reverse)
        begin = page.start or 0
        near = ordered[begin : begin + len(page.items) + 1]
        keys = [key(item) for item in near]
        refuse_odd(self.tool, keys)
        refuse_twins(self.tool, near, keys)
        return page

    def _page(self, ordered: Sequence[Item], key: Key[Item], *, reverse: bool) -> Page[Item]:
        begin = self.start  # perhaps beyond the end: then the page is empty
        if self.position is not None:
            begin = first_after(ordered, key, self.position, reverse)
        shown = ordered[begin : begin + self.count]
        has_more = begin + len(shown) < len(ordered)
        after = key(shown[-1]) if has_more and shown else None
        return Page(shown, total=len(ordered), next=after, start=begin, key=key)


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list, the total, and where the next page starts."""

    items: Sequence[Item]
    total: int | None = None  # None: not known
    next: Place | None = None
    start: int | None = None  # how many items come before this page, if known
    key: Callable[[Any], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    about: str = ""  # what the list is about, for a record whose heading mentions it
    remark: str = ""  # something about the whole page that a caller should know

    def first(self, count: int, after: Place | None = None) -> Page[Item]:
        """Return a page of the first items; the next continues after the last, by its key or at `after`."""
        if count >= len(self.items):
            return self
        if self.key is not None:
            near = self.items[count - 1 : count + 1]
            keys = [self.key(item) for item in near]
            refuse_twins("", near, keys)
            after = keys[0]
        return replace(self, items=self.items[:count], next=after)

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
    failures: Mapping[str, str | Failure] = field(default_factory=dict)  # by the name the caller used
    done: str = ""  # the word for what was done; by default that of the verb, such as Changed
    unchanged: Sequence[Item] = ()  # what was already as it was asked to be

    @property
    def total(self) -> int:
        """How many were asked for."""
        return len(self.items) + len(self.failures) + len(self.unchanged)
