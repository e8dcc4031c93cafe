"""Prompts on the shelf: which version a name means, and prompts made from items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from laconic.kit import BadArguments, Moved, NotFound
from laconic.servers.prompts.models import Argument, Prompt
from laconic.stores import Item, ItemKind, ItemQuery, ItemVersion, Missing
from laconic.text import nearest

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["KIND", "PROMPT", "Entry", "find", "find_newest", "prompt_of", "terms_of", "used_by"]

PROMPT: Final = "prompt"
KIND: Final = ItemKind(PROMPT)
_LOOKED_AT: Final = 1000  # names that may have been meant
_INCLUDES: Final = "includes:"


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

    @property
    def name(self) -> str:
        """The name it has now."""
        return self.item.name or ""

    @property
    def is_newest(self) -> bool:
        """True if nothing was changed since."""
        return self.version == self.item.version


def find(desk: Desk, address: str) -> Entry:
    """Return the prompt of a name, or one of its versions: `name`, `name@3`, `name@production`.

    Raises:
        NotFound: there is no active prompt, version or label of that name.
    """
    name, _, which = address.partition("@")
    try:
        item = desk.find(PROMPT, name)
    except Missing:
        raise _not_found(desk, name) from None
    if not which:
        return _of_item(item)
    labels = {} if which.isdecimal() else desk.labels(item.id)
    number = int(which[:9]) if which.isdecimal() else labels.get(which)
    if number == item.version:
        return _of_item(item)
    if number is None:
        raise NotFound("Label", address, near=[f"{name}@{label}" for label in nearest(which, labels)])
    try:
        return _of_version(item, desk.version(item.id, number))
    except Missing:
        raise NotFound("Version", address, advice=f"The newest is {name}@{item.version}.") from None


def find_newest(desk: Desk, address: str, expected: Any = None) -> Entry:
    """Return a prompt to be changed.

    Raises:
        NotFound: there is none.
        Moved: the name has an older version, or the caller expects another one.
    """
    entry = find(desk, address)
    if not entry.is_newest:
        raise Moved(f"Prompt {entry.name}", expected=entry.version, current=entry.item.version)
    if expected is not None and str(expected) != str(entry.version):
        raise Moved(f"Prompt {entry.name}", expected=expected, current=entry.version)
    return entry


def _not_found(desk: Desk, name: str) -> NotFound:
    try:
        desk.find(PROMPT, name, states=("archived",))
    except Missing:
        query = ItemQuery([PROMPT], sort="name", ascending=True)
        names = [item.name or "" for item in desk.search(query, _LOOKED_AT).items]
        return NotFound("Prompt", name, near=nearest(name, names))
    return NotFound("Prompt", name, advice="It is archived: a person must restore it first.")


def _of_item(item: Item) -> Entry:
    return Entry(
        item=item,
        version=item.version,
        title=item.title,
        description=item.description,
        body=item.body or "",
        arguments=_arguments(item.extra),
        tags=item.tags,
        updated_at=item.updated_at,
    )


def _of_version(item: Item, then: ItemVersion) -> Entry:
    return Entry(
        item=item,
        version=then.number or 0,
        title=then.title,
        description=then.description,
        body=then.body or "",
        arguments=_arguments(then.extra),
        tags=then.tags,
        updated_at=then.at,
    )


def _arguments(extra: Any) -> tuple[Argument, ...]:
    return tuple(Argument(**argument) for argument in extra.get("arguments", ()))


def prompt_of(item: Item) -> Prompt:
    """Return an item of a list, without its template."""
    return Prompt(
        id=item.id,
        name=item.name or "",
        title=item.title,
        description=item.description,
        arguments=list(_arguments(item.extra)),
        tags=list(item.tags),
        version=item.version,
        updated_at=item.updated_at,
        last_used_at=item.last_used_at,
        prompt_length=item.length,
        prompt_preview=item.preview,
    )


def terms_of(arguments: tuple[Argument, ...] | list[Argument], includes: list[str]) -> str:
    """Return the words besides its texts by which a prompt is found."""
    return " ".join([*(argument.name for argument in arguments), *(_INCLUDES + name for name in includes)])


def used_by(desk: Desk, name: str) -> list[str]:
    """Return the names of the prompts that include a prompt, in whatever version."""
    found, after = [], None
    while True:
        page = desk.search(
            ItemQuery([PROMPT], f'"{_INCLUDES}{name}"', sort="name", ascending=True), 200, after
        )
        found += [item.name or "" for item in page.items if name in item.extra.get("includes", ())]
        if page.after is None:
            return found
        after = page.after


def refuse_blank(content: str) -> None:
    """Refuse a template without a letter.

    Raises:
        BadArguments: it is blank.
    """
    if not content.strip():
        raise BadArguments("Invalid content. Expected: a template that is not blank.", field="content")
