"""What is served: toolsets with the kit's own, and what is found in them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from laconic.kit.listing import Listing
from laconic.kit.loading import Load, Toolsets

if TYPE_CHECKING:
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.declaring.spec import ToolSpec
    from laconic.kit.settings import Settings
    from laconic.kit.toolset import Toolset

__all__ = ["Served"]


class Served:
    """The toolsets of an endpoint; with a saved listing, each is loaded when one of its tools is called."""

    def __init__(
        self,
        given: Sequence[Toolset] | Mapping[str, Load],
        settings: Settings,
        saved: Listing | None,
        reading: Callable[[bool], Toolset],
        finding: Callable[[bool], Toolset],
    ) -> None:
        """Take toolsets, or functions that load them, and the kit's own.

        `reading` is told whether there are resources, `finding` whether a toolset reaches other systems.
        """
        self._given = given
        self._settings = settings
        self.saved = saved
        self._reading = reading
        self._finding = finding
        self._parts: dict[str, Catalogue] = {}

    @cached_property
    def toolsets(self) -> Toolsets:
        """What is served, with the kit's own; a toolset is loaded when it is first asked for."""
        served = Toolsets(self._given)
        given = list(served)

        def any_of(fact: str) -> bool:
            return any(getattr(served[name], fact) for name in given)

        if self._settings.budget:
            saved = self.saved  # it knows without loading the others
            served.add(
                "reading", lambda: self._reading(saved.has_resources if saved else any_of("resources"))
            )
        if self._settings.long_list or self._has_aside(served):
            served.add("tools", lambda: self._finding(any_of("open_world")))
        return served

    def _has_aside(self, served: Toolsets) -> bool:
        """True if a profile puts tools aside."""
        if self.saved is not None:
            return any(one["aside"] for one in self.saved.profiles.values())
        chosen = self._settings.tools
        return any(one.select(chosen.get(one.name, "")).aside for one in served.values() if one.profiles)

    @cached_property
    def catalogue(self) -> Catalogue:
        """Everything that is served; loads every toolset.

        Raises:
            BadConfiguration: a tool is allowed or denied that does not exist.
        """
        found = self._catalogue(self.toolsets)
        if self._settings.allow or self._settings.deny:
            from laconic.kit.declaring.permitted import check_patterns

            own = (one for one in self.toolsets.values() if not one.is_kit)
            check_patterns((s for one in own for s in one.tools), self._settings.allow, self._settings.deny)
        return found

    def _catalogue(self, names: Iterable[str]) -> Catalogue:
        from laconic.kit.catalogue import Catalogue

        return Catalogue([self.toolsets[name] for name in names], self._settings)

    def tool(self, name: str) -> ToolSpec:
        """Find a tool by any of its names; loads only its toolset, where the listing knows which that is.

        Raises:
            Unknown: with the nearest name.
        """
        is_whole = "catalogue" in self.__dict__  # every toolset is loaded
        owner = self.saved.owners.get(name) if self.saved and not is_whole else None
        return self.catalogue.tool(name) if owner is None else self.part(owner).tool(name)

    def part(self, toolset: str) -> Catalogue:
        """Return what one toolset serves; loads only that one."""
        if toolset not in self._parts:
            self._parts[toolset] = self._catalogue([toolset])
        return self._parts[toolset]

    @cached_property
    def listing(self) -> Listing:
        """The lists that clients see."""
        return self.saved or Listing.of(self.catalogue, self._settings)

    @property
    def cached(self) -> Mapping[str, float]:
        """The toolsets with cached reads, and the longest time of each."""
        return (self.saved or self.catalogue).cached
