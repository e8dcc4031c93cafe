"""Opening: how the services of a toolset are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from inspect import signature
from typing import Any

from laconic.data import dataclass

__all__ = ["Factory", "Opening"]

Factory = Callable[..., AsyncIterator[Any]]
"""Takes the toolset's section of the configuration, a mapping or the model of `settings=`, and maybe Home."""


@dataclass(frozen=True)
class Opening:
    """The async generator that yields the services, and what it takes."""

    function: Factory
    per_caller: bool  # it is opened for each caller

    @property
    def takes_home(self) -> bool:
        """True if it wants to know its Home."""
        return len(signature(self.function).parameters) > 1
