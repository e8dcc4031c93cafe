"""Takes: what a tool made from data accepts, as its author describes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

__all__ = ["Takes"]


class Takes(Protocol):
    """The arguments of a tool that is no function of its own; `Described` makes them from a schema."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of all arguments, an object, as models see it."""

    @property
    def names(self) -> Collection[str]:
        """The names of all arguments, also those that are not listed."""

    def notation(self) -> str:
        """Return the arguments in short form, `id: string, at?: Place`; further lines explain names in it."""

    def check(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of one call as the tool gets them; all given names are known.

        Raises:
            BadArguments: with every problem.
        """
