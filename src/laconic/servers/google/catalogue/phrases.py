"""Phrases: how people ask for the tools, by tool."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files


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
    return found
