"""Prompts on the shelf: which prompt and which version a caller means."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from laconic.kit import BadArguments, Moved, NotFound
from laconic.library.expecting import Expected
from laconic.servers.prompts.models import Argument
from laconic.stores import Item, ItemKind, ItemQuery, ItemVersion, Missing
from laconic.text import nearest

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = [
    "KIND",
    "PROMPT",
    "ById",
    "Entry",
    "Expected",
    "Which",
    "arguments_of",
    "at_version",
    "find",
    "find_newest",
]
__all__ += ["includers", "number_of", "refuse_circle", "terms_of", "used_by"]

PROMPT: Final = "prompt"
KIND: Final = ItemKind(PROMPT, unordered=("arguments",))
_LOOKED_AT: Final = 1000  # names that may have been meant
_INCLUDES: Final = "includes:"


@dataclass(frozen=True)
class ById:
    """A prompt by its id: found in any state, where a name finds active prompts only."""

    id: str


Which = str | ById
"""A name, also with a version or a label (`review@3`, `review@production`), or an id."""


@dataclass(frozen=True)
class Entry:
    """A prompt in one of its versions."""

    item: Item  # as it is now
    version: int
    title: str | None
    description: str | None
    body: str
    arguments: tuple[Argument, ...]
    tags: tuple[str, ...]
    updated_at: datetime
    then: str = ""  # the name it had in that version
    includes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name it has now."""
        return self.item.name or ""

    @property
    def is_newest(self) -> bool:
        """True if nothing was changed since."""
        return self.version == self.item.version


def find(desk: Desk, which: Which) -> Entry:
    """Return a prompt, or one of its versions.

    Raises:
        NotFound: there is no such prompt, version or label; by name, archived prompts do not count.
    """
    if isinstance(which, ById):
        return _of_item(_by_id(desk, which.id))
    name, _, version = which.partition("@")
    try:
        item = desk.find(PROMPT, name)
    except Missing:
        raise _not_found(desk, name) from None
    number = number_of(item, version) if version else item.version
    return at_version(desk, item, number)


def at_version(desk: Desk, item: Item, number: int) -> Entry:
    """Return a prompt in one of its versions, whatever its state is."""
    return _of_item(item) if number == item.version else _of_version(item, desk.version(item.id, number))


def find_newest(desk: Desk, which: Which, expected: Expected | None = None) -> Entry:
    """Return a prompt to be changed.

    Raises:
        NotFound: there is none, or it is in the trash.
        Moved: the name has an older version, or the caller expects another one.
    """
    entry = find(desk, which)
    if entry.item.state == "deleted":
        raise NotFound("Prompt", entry.item.id, advice="It is in the trash: restore it first.")
    if not entry.is_newest:
        raise Moved(f"Prompt {entry.name}", expected=entry.version, current=entry.item.version)
    if expected is not None:
        expected.check(entry.item)
    return entry


def number_of(item: Item, version: str) -> int:
    """Return the number of a version that is named by its number or a label, also after the prompt's name.

    Raises:
        NotFound: there is no such version or label.
    """
    version = version.strip().removeprefix(f"{item.name}@")
    address = f"{item.name}@{version}"
    if version.isdecimal():
        number = int(version[:9])
        if not 1 <= number <= item.version:
            raise NotFound("Version", address, advice=f"The newest is {item.name}@{item.version}.")
        return number
    labels = item.labels
    if version not in labels:
        near = [f"{item.name}@{label}" for label in nearest(version, labels)]
        has = f"Its labels: {', '.join(sorted(labels))}." if labels else "It has no labels."
        raise NotFound("Label", address, near=near, advice="" if near else has)
    return labels[version]


def _by_id(desk: Desk, id: str) -> Item:
    try:
        item = desk.get(id)
    except Missing:
        raise NotFound("Prompt", id) from None
    if item.kind != PROMPT:
        raise NotFound("Prompt", id)
    return item


def _not_found(desk: Desk, name: str) -> NotFound:
    try:
        desk.find(PROMPT, name, states=("archived",))
    except Missing:
        query = ItemQuery([PROMPT], sort="name", ascending=True)
        names = [item.name or "" for item in desk.search(query, _LOOKED_AT).items]
        return NotFound("Prompt", name, near=nearest(name, names))
    advice = f"It is archived: a person must restore it first (laconic prompts restore {name})."
    return NotFound("Prompt", name, advice=advice)


def _of_item(item: Item) -> Entry:
    return _entry(item, item, item.version, item.updated_at)


def _of_version(item: Item, then: ItemVersion) -> Entry:
    return _entry(item, then, then.number or 0, then.at)


def _entry(item: Item, then: Item | ItemVersion, version: int, at: datetime) -> Entry:
    return Entry(
        item=item,
        version=version,
        title=then.title,
        description=then.description,
        body=then.body or "",
        arguments=arguments_of(then.extra),
        tags=then.tags,
        updated_at=at,
        then=then.name or "",
        includes=tuple(then.extra.get("includes", ())),
    )


def arguments_of(extra: Mapping[str, Any]) -> tuple[Argument, ...]:
    """Return the arguments that are kept with an item."""
    return tuple(Argument(**argument) for argument in extra.get("arguments", ()))


def terms_of(arguments: Sequence[Argument], includes: Sequence[str]) -> str:
    """Return the words besides its texts by which a prompt is found."""
    return " ".join([*(argument.name for argument in arguments), *(_INCLUDES + name for name in includes)])


def used_by(desk: Desk, name: str) -> list[str]:
    """Return the names of the prompts that include a prompt, in whatever version."""
    return [item.name or "" for item in includers(desk, name)]


def includers(desk: Desk, name: str) -> list[Item]:
    """Return the prompts that include a prompt, in whatever version, by their names."""
    found, after = list[Item](), None
    while True:
        page = desk.search(
            ItemQuery([PROMPT], f'"{_INCLUDES}{name}"', sort="name", ascending=True), 200, after
        )
        found += [item for item in page.items if name in item.extra.get("includes", ())]
        if page.after is None:
            return found
        after = page.after


def refuse_circle(desk: Desk, name: str, includes: Sequence[str]) -> None:
    """Refuse a name with which a prompt would include itself; no template has to change for that.

    Raises:
        BadArguments: it would; the message has the way.
    """
    ways, seen = deque([name, one] for one in includes), set[str]()
    while ways:
        way = ways.popleft()
        if way[-1] == name:
            raise BadArguments(
                f"Prompts must not include each other in a circle: {' > '.join(way)}.", field="name"
            )
        if way[-1] not in seen:
            seen.add(way[-1])
            ways += [[*way, one] for one in _included(desk, way[-1])]


def _included(desk: Desk, name: str) -> Sequence[str]:
    try:
        found: Sequence[str] = desk.find(PROMPT, name).extra.get("includes", ())
    except Missing:
        return ()
    return found
