"""The tools of the profile `classic` that are one operation each, read from data/tools.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from laconic.servers.google.catalogue.index import Entry, entries
from laconic.servers.google.classic.notation import Argument, arguments_of


@dataclass(frozen=True)
class ClassicTool:
    """A tool under its earlier name."""

    name: str
    entry: Entry  # the operation that it is
    effect: Any
    summary: str
    again: str
    takes: str

    @cached_property
    def arguments(self) -> list[Argument]:
        """What it takes."""
        return arguments_of(self.takes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(one.name for one in self.arguments)


@cache
def classic_tools() -> Mapping[str, ClassicTool]:
    """Return the tools by name."""
    path = files("laconic.servers.google") / "classic" / "data" / "tools.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _tool(name, takes, found) for name, takes in found["takes"].items()}


def _tool(name: str, takes: str, found: Mapping[str, Any]) -> ClassicTool:
    entry = entries()[found["of"].get(name, name)]
    return ClassicTool(
        name,
        entry,
        found["effect"].get(name, entry.effect),
        found["says"].get(name, entry.summary),
        found["again"].get(name, entry.again),
        takes,
    )
