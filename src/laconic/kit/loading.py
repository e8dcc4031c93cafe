"""Loading: the toolsets of an endpoint by name, each imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.kit.toolset import Toolset

__all__ = ["Load", "Toolsets"]

Load = Callable[[], "Toolset"]


class Toolsets(Mapping[str, "Toolset"]):
    """Toolsets by name, in the order in which they are served."""

    def __init__(self, given: Sequence[Toolset] | Mapping[str, Load]) -> None:
        """Take toolsets, or functions that load them, by name.

        Raises:
            BadConfiguration: two of them have the same name.
        """
        self._loads: dict[str, Load] = {}
        self._loaded: dict[str, Toolset] = {}
        loads = given.items() if isinstance(given, Mapping) else ((one.name, _loaded(one)) for one in given)
        for name, load in loads:
            self.add(name, load)

    def add(self, name: str, load: Load) -> None:
        """Add a toolset.

        Raises:
            BadConfiguration: another has its name.
        """
        if name in self._loads:
            raise BadConfiguration("Two toolsets have the same name.")
        self._loads[name] = load

    def __getitem__(self, name: str) -> Toolset:
        """Return a toolset; the first time, load it."""
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = self._loads[name]()
        return found

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a toolset; nothing is loaded."""
        return name in self._loads

    def __iter__(self) -> Iterator[str]:
        return iter(self._loads)

    def __len__(self) -> int:
        return len(self._loads)


def _loaded(toolset: Toolset) -> Load:
    return lambda: toolset
