"""A stage: servers on a fresh state that only one case sees."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from laconic.evals.model import ToolCard

__all__ = ["Said", "Stage", "Stages"]


@dataclass(frozen=True)
class Said:
    """The answer of a tool: the text that a model sees, and the data of the same answer."""

    text: str
    data: Any
    failed: bool
    is_unknown: bool = False  # there is no such tool


class Stage(Protocol):
    """Servers on a fresh state."""

    instructions: str
    tools: tuple[ToolCard, ...]

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Said:
        """Call a tool as a host would: its text is what a model sees."""

    async def look(self, tool: str, arguments: Mapping[str, Any]) -> Said:
        """Call a tool for the harness: its data is what checks see."""


Stages = Callable[[], AbstractAsyncContextManager[Stage]]
"""Makes a stage of its own for each case, and removes everything afterwards."""


def list_text(tools: tuple[ToolCard, ...]) -> str:
    """Return the tool list as it costs tokens."""
    cards = [{"name": one.name, "description": one.description, "inputSchema": one.schema} for one in tools]
    return json.dumps(cards, ensure_ascii=False, separators=(",", ":"))
