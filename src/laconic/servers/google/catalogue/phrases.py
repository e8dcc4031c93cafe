"""Phrases: how people ask for the tools, by tool."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from laconic.servers.google.catalogue.index import entries


def phrases() -> dict[str, Sequence[str]]:
    """Return what people say who want a tool, as a toolset takes it."""
    text = (files("laconic.servers.google") / "catalogue" / "data" / "phrases.txt").read_text(
        encoding="utf-8"
    )
    found: dict[str, Sequence[str]] = {}
    for block in text.split("\n\n")[1:]:
        tools, _, lines = block.partition("\n")
        said = " ".join(lines.split()).split("; ")
        for name in tools.split():
            found[name] = [*found.get(name, ()), *said]
    for entry in entries().values():
        if entry.instead and entry.name in found:
            found.setdefault(entry.instead, found[entry.name])  # whoever wants the one wants the other
    return found
