"""Profiles: which tools of a toolset are listed, and which can only be found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from laconic.data import dataclass
from laconic.kit.errors import BadConfiguration
from laconic.text import did_you_mean, nearest

if TYPE_CHECKING:
    from laconic.kit.declaring.spec import ToolSpec

__all__ = ["Choice", "Profile", "Selected"]

Choice = Collection[str] | Callable[["ToolSpec"], bool]
"""Names of tools, or what is true of those that are chosen."""


@dataclass(frozen=True)
class Profile:
    """A choice of tools; those that it neither lists nor puts aside are not served."""

    listed: Choice
    aside: Choice = ()  # reached through the finding tools, which are then served as well
    also: bool = False  # list them under their second names, too
    instructions: str | None = None  # of this profile alone, in place of the toolset's


@dataclass(frozen=True)
class Selected:
    """The tools of one toolset that are served."""

    listed: Mapping[str, ToolSpec]  # by the name under which each is listed
    aside: tuple[ToolSpec, ...] = ()
    profile: str = ""
    known: tuple[str, ...] = field(default=())  # the toolset's profiles

    @property
    def tools(self) -> list[ToolSpec]:
        """All of them, each once."""
        return [*{id(spec): spec for spec in (*self.listed.values(), *self.aside)}.values()]

    @classmethod
    def of(cls, toolset: str, tools: Iterable[ToolSpec], known: Mapping[str, Profile], name: str) -> Selected:
        """Select the tools of a profile; without one, all tools.

        Raises:
            BadConfiguration: the profile does not exist, or names a tool that does not.
        """
        if not name:
            return cls(_by_name(toolset, ((spec.name, spec) for spec in tools)), known=tuple(known))
        if name not in known:
            known_ones = f"Known: {', '.join(known)}." if known else "It has none."
            hint = did_you_mean(nearest(name, known), otherwise=known_ones)
            raise BadConfiguration(f"The server '{toolset}' has no profile '{name[:80]}'.{hint}", advice="")
        return cls._chosen(toolset, list(tools), known[name], name, tuple(known))

    @classmethod
    def _chosen(
        cls, toolset: str, tools: list[ToolSpec], profile: Profile, name: str, known: tuple[str, ...]
    ) -> Selected:
        listed = [pair for spec in tools for pair in _names(spec, profile)]
        shown = {id(spec) for _, spec in listed}
        aside = [spec for spec in tools if id(spec) not in shown and _chooses(profile.aside, spec)]
        for choice in (profile.listed, profile.aside):
            _check(f"{toolset}, profile {name}", choice, tools)
        return cls(_by_name(toolset, listed), tuple(aside), name, known)


def _by_name(toolset: str, listed: Iterable[tuple[str, ToolSpec]]) -> dict[str, ToolSpec]:
    found: dict[str, ToolSpec] = {}
    for name, spec in listed:
        if found.setdefault(name, spec) is not spec:
            raise BadConfiguration(f"Two tools of {toolset} are called {name}.")
    return found


def _names(spec: ToolSpec, profile: Profile) -> list[tuple[str, ToolSpec]]:
    """Return the names under which a profile lists a tool."""
    if callable(profile.listed):
        own = [spec.name] if profile.listed(spec) else []
    else:
        own = [name for name in (spec.name, *spec.seconds) if name in profile.listed]
    more = spec.seconds if own and profile.also else ()
    return [(name, spec) for name in dict.fromkeys((*own, *more))]


def _chooses(choice: Choice, spec: ToolSpec) -> bool:
    return choice(spec) if callable(choice) else spec.name in choice


def _check(where: str, choice: Choice, tools: list[ToolSpec]) -> None:
    if callable(choice):
        return
    known = [name for spec in tools for name in (spec.name, *spec.seconds)]
    for name in choice:
        if name not in known:
            raise BadConfiguration(f"{where}: there is no tool '{name}'.{did_you_mean(nearest(name, known))}")
