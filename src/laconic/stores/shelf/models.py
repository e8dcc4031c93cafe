"""What a shelf has: items, their versions and links, and who changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

START: Final = 500  # characters of a body that a list shows
State = Literal["active", "archived", "deleted"]
Action = Literal["create", "update", "restore", "delete", "undelete", "archive", "unarchive"]
Sort = Literal[
    "created_at", "updated_at", "last_used_at", "title", "name", "archived_at", "deleted_at", "relevance"
]


@dataclass(frozen=True)
class ItemKind:
    """A kind of item, how much a hit in each of its fields counts for search, and which lists have no order.

    A new order alone of an `unordered` list in `extra` is kept, but it is no change and makes no version.
    """

    word: str
    name: int = 800
    title: int = 800
    description: int = 400
    terms: int = 400
    body: int = 100
    unordered: tuple[str, ...] = ()


@dataclass(frozen=True)
class By:
    """Who makes a change, through which entrance, and what else the history should know of it."""

    author: str = "local"
    source: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Draft:
    """A new item; `extra` is for fields of its kind, `terms` for further words by which it is found."""

    kind: str
    name: str | None = None
    title: str | None = None
    description: str | None = None
    body: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    terms: str = ""
    tags: Sequence[str] = ()


@dataclass(frozen=True)
class ItemLink:
    """A link of an item to another one, seen from the first."""

    id: str
    kind: str
    name: str | None
    title: str | None
    state: State
    description: str | None


@dataclass(slots=True)  # a frozen one takes four times as long to make, and a page has many
class Item:
    """An item as it is now; a list has no body, labels or links, but the body's start."""

    id: str
    kind: str
    name: str | None
    title: str | None
    description: str | None
    body: str | None
    start: str
    length: int
    extra: Mapping[str, Any]
    terms: str
    tags: tuple[str, ...]
    version: int
    state: State
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime
    uses: int
    archived_at: datetime | None
    deleted_at: datetime | None
    labels: Mapping[str, int] = field(default_factory=dict)  # the versions that have one, by name
    links: tuple[ItemLink, ...] = ()  # to items in any state, the oldest first

    @property
    def preview(self) -> str:
        """The start of the body in one line."""
        return preview_of(self.start)


def preview_of(body: str) -> str:
    """Return the start of a body in one line."""
    return " ".join(body[:START].split())


@dataclass(frozen=True)
class ItemEdit:
    """An item after an edit, and the fields that really changed: none, if there was nothing to do."""

    item: Item
    changed: tuple[str, ...]
    is_reordered: bool = False  # the order of a list changed, which alone makes no version


@dataclass(frozen=True)
class ItemVersion:
    """One entry of the history: what was done by whom, and if `number` is given, the item as it was then."""

    entry: int
    item: str
    kind: str
    number: int | None
    action: Action
    at: datetime
    by: By
    changed: tuple[str, ...]
    name: str | None
    title: str | None
    description: str | None
    extra: Mapping[str, Any]
    terms: str
    tags: tuple[str, ...]
    links: tuple[str, ...]
    labels: tuple[str, ...] = ()
    body: str | None = None


@dataclass(frozen=True)
class TagCount:
    """A tag, and how many items have it."""

    name: str
    items: int


@dataclass(frozen=True)
class ItemQuery:
    """Which items, in which order; without a sort by relevance if there is a text, else the newest first."""

    kinds: Sequence[str]
    text: str = ""
    tags: Sequence[str] = ()
    any_tag: bool = False
    states: Sequence[State] = ("active",)
    sort: Sort | None = None
    ascending: bool = False


@dataclass(frozen=True)
class ItemPage:
    """Some items, where to go on (None at the end), and how many there are in all, if that was learned."""

    items: tuple[Item, ...]
    after: tuple[int | str, ...] | None
    total: int | None = None
