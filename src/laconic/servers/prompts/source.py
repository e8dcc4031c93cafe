"""The prompts capability: what hosts list, fill in and complete, often as slash commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from laconic.kit import Caller, NotFound, PromptEntry
from laconic.servers.prompts.kept import KeptList
from laconic.servers.prompts.models import Argument
from laconic.servers.prompts.models.names import is_address
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import PROMPT, arguments_of, find
from laconic.stores import Item, ItemQuery, Shelf

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["Source"]

_LAST: Final = "~"  # after every id


class Source:
    """Lists and renders active prompts; a name may have a version or a label."""

    def __init__(self, library: Library, shelf: Shelf, kept: KeptList) -> None:
        self._library = library
        self._shelf = shelf
        self._kept = kept

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        """Return prompts by name; the first page comes from the kept list if nothing has changed."""
        if after is None and (known := self._kept.read(count)) is not None:
            return known

        def work(desk: Desk) -> tuple[list[PromptEntry], int, float | None]:
            query = ItemQuery([PROMPT], sort="name", ascending=True)
            found = desk.search(query, count, None if after is None else (after, _LAST)).items
            until = desk.next_archiving([PROMPT])
            return [*map(_entry, found)], desk.revision([PROMPT]), until.timestamp() if until else None

        entries, revision, until = await self._shelf.read(work)
        if after is None:
            self._kept.write(entries, count, revision, until)
        return entries

    async def find(self, caller: Caller, name: str) -> PromptEntry | None:
        """Return the prompt of a name, also in an earlier version."""
        if not is_address(name):
            return None
        try:
            entry = await self._shelf.read(lambda desk: find(desk, name))
        except NotFound:
            return None
        return PromptEntry(
            name, _about(entry.title, entry.description), _arguments(entry.arguments), entry.title, entry
        )

    async def get(self, caller: Caller, entry: PromptEntry, arguments: Mapping[str, str]) -> str:
        """Fill in a prompt, and note that it was used."""
        return await self._library.templates.fill(entry.key, arguments)

    async def complete(
        self, caller: Caller, entry: PromptEntry, argument: str, typed: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """Suggest the choices of an argument, or its default."""
        known: Argument | None = next((one for one in entry.key.arguments if one.name == argument), None)
        if known is None:
            return []
        values = known.choices or ([known.default] if known.default else [])
        folded = typed.casefold()
        hits = [value for value in values if folded in value.casefold()]
        return sorted(hits, key=lambda value: not value.casefold().startswith(folded))


def _entry(item: Item) -> PromptEntry:
    about = _about(item.title, item.description)
    return PromptEntry(item.name or "", about, _arguments(arguments_of(item.extra)), item.title)


def _about(title: str | None, description: str | None) -> str:
    return description or title or ""


def _arguments(arguments: Sequence[Argument]) -> list[tuple[str, str, bool]]:
    return [(argument.name, _hint(argument), argument.is_required) for argument in arguments]


def _hint(argument: Argument) -> str:
    """Return what a person should know who fills it in."""
    parts = [argument.description or ""]
    if argument.choices:
        parts.append(f"One of: {', '.join(argument.choices)}.")
    if argument.default is not None:
        parts.append(f"Default: {argument.default}.")
    return " ".join(part for part in parts if part)
