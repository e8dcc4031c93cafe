"""Prompts that come and go: what their source gives, and how each is listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from laconic.data import dataclass
from laconic.kit.answers.content import Message
from laconic.kit.peer import Caller

__all__ = ["PromptEntry", "PromptSource"]


@dataclass(frozen=True)
class PromptEntry:
    """A prompt of a dynamic source, as it is listed."""

    name: str
    description: str = ""
    arguments: Sequence[tuple[str, str, bool]] = ()  # name, description, required
    title: str | None = None
    key: Any = None  # the source's own, such as a version; clients do not see it


class PromptSource(Protocol):
    """Prompts that change while the server runs; report each change to `Changes`."""

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        """Return at most `count` of the caller's prompts in a fixed order, after the one of that name.

        The name may be that of a prompt which is gone: continue where it would be.
        """

    async def find(self, caller: Caller, name: str) -> PromptEntry | None:
        """Return the prompt of a name, which may also be one that is not listed, such as `review@3`."""

    async def get(
        self, caller: Caller, entry: PromptEntry, arguments: Mapping[str, str]
    ) -> str | Sequence[Message]:
        """Render a prompt that `find` returned."""

    async def complete(
        self, caller: Caller, entry: PromptEntry, argument: str, typed: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """Suggest values for an argument; `others` are the arguments that are filled in already."""
