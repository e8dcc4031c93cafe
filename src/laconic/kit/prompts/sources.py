"""Prompts from dynamic sources, in addition to the declared ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from laconic.kit.arguments.described import Described
from laconic.kit.catalogue import unknown
from laconic.kit.declaring.spec import PromptSpec
from laconic.kit.toolset import PromptEntry, PromptSource

if TYPE_CHECKING:
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.supply import Supplies

__all__ = ["Prompts"]


class Prompts:
    """Finds prompts, declared or from a source."""

    def __init__(self, catalogue: Catalogue, supplies: Supplies) -> None:
        self._catalogue = catalogue
        self._supplies = supplies

    async def _sources(self) -> list[tuple[str, PromptSource]]:
        found: list[tuple[str, PromptSource]] = []
        for toolset in self._catalogue.toolsets.values():
            if toolset.prompt_source is not None:
                things = await self._supplies.of(toolset.name)
                found.append((toolset.name, things[toolset.prompt_source]))
        return found

    async def entries(self) -> list[dict[str, Any]]:
        """Return the prompts of the sources as the protocol lists them."""
        return [_wire(entry) for _, source in await self._sources() for entry in await source.list()]

    async def find(self, name: str) -> PromptSpec:
        """Find a prompt, callable like a declared one.

        Raises:
            Unknown: with the nearest name.
        """
        if name in self._catalogue.prompts:
            return self._catalogue.prompts[name]
        names: list[str] = list(self._catalogue.prompts)
        for toolset, source in await self._sources():
            for entry in await source.list():
                if entry.name == name:
                    return _spec(toolset, source, entry)
                names.append(entry.name)
        raise unknown("prompt", name, names)


def _spec(toolset: str, source: PromptSource, entry: PromptEntry) -> PromptSpec:
    async def get(arguments: Mapping[str, str]) -> Any:
        return await source.get(entry.name, arguments)

    return PromptSpec(
        name=entry.name, toolset=toolset, function=get, described=entry.description, takes=_takes(entry)
    )


def _takes(entry: PromptEntry) -> Described:
    properties = {name: {"type": "string", "description": about} for name, about, _ in entry.arguments}
    return Described(properties, [name for name, _, is_required in entry.arguments if is_required])


def _wire(entry: PromptEntry) -> dict[str, Any]:
    arguments = [
        {"name": name, "description": about, "required": needed} for name, about, needed in entry.arguments
    ]
    listed = {"name": entry.name, "description": entry.description, "arguments": arguments}
    return listed | ({"title": entry.title} if entry.title else {})
