"""Prompts from dynamic sources, in addition to the declared ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.arguments.described import Described
from laconic.kit.catalogue import unknown
from laconic.kit.declaring.spec import PromptSpec
from laconic.kit.redaction import redacted_log
from laconic.kit.toolset import PromptEntry, PromptSource

if TYPE_CHECKING:
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.peer import Caller
    from laconic.kit.supplying.supply import Supplies

__all__ = ["Place", "Prompts", "wire"]

log = redacted_log("laconic.prompts")

Place = tuple[str, str]
_LOOKED_AT: Final = 200  # prompts that may have been meant


class Prompts:
    """Finds prompts, declared or from a source."""

    def __init__(self, catalogue: Catalogue, supplies: Supplies) -> None:
        self._catalogue = catalogue
        self._supplies = supplies

    async def _sources(self, caller: Caller) -> AsyncIterator[tuple[str, PromptSource]]:
        for toolset in self._catalogue.toolsets.values():
            if toolset.prompt_source is not None:
                things = await self._supplies.of(toolset.name, caller)
                yield toolset.name, things[toolset.prompt_source]

    async def page(
        self, caller: Caller, place: Place | None, count: int, declared: Sequence[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], Place | None]:
        """Return prompts as the protocol lists them, from a place on, and where the next page begins.

        A place is a toolset, or nothing for declared prompts, and the last name before it.
        """
        origin, after = place or ("", "")
        found: list[tuple[Place, dict[str, Any]]] = []
        if not origin:
            names = [prompt["name"] for prompt in declared]
            begin = names.index(after) + 1 if after in names else 0
            found += [(("", prompt["name"]), prompt) for prompt in declared[begin:]]
        is_reached = not origin
        async for toolset, source in self._sources(caller):
            is_first, is_reached = toolset == origin, is_reached or toolset == origin
            if is_reached and len(found) <= count:
                last = after if is_first else None
                entries = await source.page(caller, last, count + 1 - len(found))
                found += [((toolset, one.name), wire(one)) for one in _past(last, entries, toolset)]
        shown = found[:count]
        return [prompt for _, prompt in shown], shown[-1][0] if len(found) > count else None

    async def find(self, caller: Caller, name: str) -> PromptSpec:
        """Find a prompt, callable like a declared one.

        Raises:
            Unknown: with the nearest name.
        """
        if name in self._catalogue.prompts:
            return self._catalogue.prompts[name]
        toolset, source, entry = await self.entry(caller, name)
        return _spec(toolset, source, entry, caller)

    async def entry(self, caller: Caller, name: str) -> tuple[str, PromptSource, PromptEntry]:
        """Find a prompt of a source.

        Raises:
            Unknown: with the nearest name, among the first of each source.
        """
        names: list[str] = list(self._catalogue.prompts)
        async for toolset, source in self._sources(caller):
            entry = await source.find(caller, name)
            if entry is not None:
                return toolset, source, entry
            names += [one.name for one in await source.page(caller, None, _LOOKED_AT)]
        raise unknown("prompt", name, names)


def _past(last: str | None, entries: Sequence[PromptEntry], toolset: str) -> Sequence[PromptEntry]:
    """Return the entries after the last one that was shown; clients would ask for a list without end."""
    names = [entry.name for entry in entries]
    if last is None or last not in names:
        return entries
    log.warning("the prompt source of %s lists '%s' again, which it was to begin after", toolset, last)
    return entries[names.index(last) + 1 :]


def _spec(toolset: str, source: PromptSource, entry: PromptEntry, caller: Caller) -> PromptSpec:
    async def get(arguments: Mapping[str, str]) -> Any:
        return await source.get(caller, entry, arguments)

    return PromptSpec(
        name=entry.name, toolset=toolset, function=get, described=entry.description, takes=_takes(entry)
    )


def _takes(entry: PromptEntry) -> Described:
    properties = {name: {"type": "string", "description": about} for name, about, _ in entry.arguments}
    return Described(properties, [name for name, _, is_required in entry.arguments if is_required])


def wire(entry: PromptEntry) -> dict[str, Any]:
    """Return an entry as the protocol lists it."""
    arguments = [
        {"name": name, "description": about, "required": needed} for name, about, needed in entry.arguments
    ]
    listed = {"name": entry.name, "description": entry.description, "arguments": arguments}
    return listed | ({"title": entry.title} if entry.title else {})
