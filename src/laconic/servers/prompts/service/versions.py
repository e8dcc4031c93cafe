"""Versions: what a prompt was, what changed between two versions, labels on them, and going back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from laconic.kit import BadArguments, Changes, Page, Window
from laconic.library.lists import entries_page
from laconic.servers.prompts.models import PromptComparison, PromptVersion, Saved
from laconic.servers.prompts.service.failing import name_taken
from laconic.servers.prompts.service.records import field_names, saved
from laconic.servers.prompts.service.templates import Templates
from laconic.servers.prompts.store import (
    PROMPT,
    ById,
    Entry,
    Expected,
    Which,
    at_version,
    find,
    find_newest,
    number_of,
)
from laconic.stores import By, Item, ItemEdit, ItemVersion, Shelf, Stale, Taken
from laconic.text import unified_diff

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["Versions"]


class Versions:
    """The past of prompts."""

    def __init__(self, shelf: Shelf, templates: Templates, changes: Changes) -> None:
        self._shelf = shelf
        self._templates = templates
        self._changes = changes

    async def page(self, which: Which, window: Window) -> Page[PromptVersion]:
        """Return the versions of a prompt, the newest first."""
        before = window.position[0] if window.position else None

        def work(desk: Desk) -> tuple[Entry, list[ItemVersion]]:
            entry = find(desk, which)
            return entry, desk.versions(entry.item.id, window.count + 1, before, numbered=True)

        entry, found = await self._shelf.read(work)
        return entries_page(found, window, _version, total=entry.item.version)

    async def history(self, which: Which, count: int, before: int | None = None) -> list[ItemVersion]:
        """Return all entries of a prompt's history, also archiving and the trash, the newest first."""
        return await self._shelf.read(lambda desk: desk.versions(find(desk, which).item.id, count, before))

    async def compare(self, which: Which, to: str | None = None) -> PromptComparison:
        """Return what changed from one version to another: to the newest, unless another is named.

        Without a version, a name means the one before that.

        Raises:
            BadArguments: there is none before it.
        """

        def work(desk: Desk) -> tuple[Entry, Entry]:
            found = find(desk, which)
            item = found.item
            end = item.version if to is None else number_of(item, to)
            begin = found.version
            if isinstance(which, ById) or "@" not in which:
                begin = end - 1
                _refuse_none(item, begin, to)
            return at_version(desk, item, begin), at_version(desk, item, end)

        return _comparison(*await self._shelf.read(work))

    async def revert(self, which: Which, version: str, by: By, *, expected: Expected | None = None) -> Saved:
        """Make a prompt what it was in an earlier version; that is a new version."""

        def look(desk: Desk) -> tuple[Entry, ItemVersion]:
            entry = find_newest(desk, which, expected)
            return entry, desk.version(entry.item.id, number_of(entry.item, version))

        while True:
            entry, then = await self._shelf.read(look)
            await self._templates.check(then.name or "", then.body or "")  # what it includes may be gone
            try:
                done = await self._shelf.run(_going_back(entry, then.number or 0, by))
            except Stale:
                continue  # somebody was faster: what the caller expects is looked at again
            except Taken as taken:
                raise name_taken(then.name or "", taken) from None
            await self._changes.tell("prompts")
            return saved(done.item, done.changed)

    async def label(self, which: Which, label: str) -> int:
        """Put a label on the version that a name means, or move it there; returns the version's number."""

        def work(desk: Desk) -> int:
            entry = find(desk, which)
            desk.label(entry.item.id, label, entry.version)
            return entry.version

        return await self._labelled(work)

    async def unlabel(self, which: Which, label: str) -> int:
        """Take a label away, and return the number of the newest version."""

        def work(desk: Desk) -> int:
            item = find(desk, which).item
            desk.unlabel(item.id, label)
            return item.version

        return await self._labelled(work)

    async def revision(self) -> int:
        """Return a number that every change of a prompt increases; uses do not."""
        return await self._shelf.read(lambda desk: desk.revision([PROMPT]))

    async def _labelled(self, work: Callable[[Desk], int]) -> int:
        number = await self._shelf.run(work)
        await self._changes.tell("prompts")
        return number


def _refuse_none(item: Item, begin: int, to: str | None) -> None:
    """Refuse the version before the first one: an empty diff would pass for no difference to the newest."""
    if begin:
        return
    if item.version == 1:
        raise BadArguments(f"{item.name} has one version only: there is nothing to compare.", field="name")
    advice = f"Compare {item.name}@1 with a later one, such as {item.version}."
    raise BadArguments(f"There is no version before {item.name}@{to}.", field="to", advice=advice)


def _version(one: ItemVersion) -> PromptVersion:
    return PromptVersion(
        version=one.number or 0,
        at=one.at,
        action=one.action,
        by=one.by.author,
        source=one.by.source,
        changed=field_names(one.changed),
        labels=list(one.labels) or None,
        name=one.name or "",
    )


def _going_back(entry: Entry, number: int, by: By) -> Callable[[Desk], ItemEdit]:
    """Return the work that makes a prompt what it was, if it is still what it was when it was looked at."""

    def work(desk: Desk) -> ItemEdit:
        id = entry.item.id
        desk.hold_version(id, number)
        now = find_newest(desk, ById(id))
        if now.version != entry.version:
            raise Stale("It was changed.", now.version)
        return desk.revert(id, number, by)

    return work


def _comparison(one: Entry, other: Entry) -> PromptComparison:
    before, after = _facts(one), _facts(other)
    return PromptComparison(
        name=other.name,
        from_version=one.version,
        to_version=other.version,
        changes={field: [was, after[field]] for field, was in before.items() if was != after[field]},
        diff=unified_diff(one.body, other.body).text,
    )


def _facts(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.then,
        "title": entry.title,
        "description": entry.description,
        "tags": sorted(entry.tags),
        "arguments": [argument.kept() for argument in entry.arguments],
    }
