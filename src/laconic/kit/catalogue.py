"""The catalogue: which tools, resources and prompts are served, under which names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote

from laconic.kit.declaring.signature import EachCall
from laconic.kit.declaring.spec import PromptSpec, ResourceSpec, Spec, ToolSpec
from laconic.kit.errors import BadConfiguration, Unknown
from laconic.kit.errors.words import clean, listing, safe_name
from laconic.kit.settings import Settings, section_of
from laconic.kit.toolset import Toolset
from laconic.text import did_you_mean, nearest

__all__ = ["Catalogue", "dotted", "unknown"]

S = TypeVar("S", bound=Spec)


def dotted(name: str, toolset: Toolset) -> str:
    """Return the dotted spelling, `taiga.list_epics`, of a name whose toolset has one."""
    return name.replace("_", ".", 1) if toolset.dotted else name


class Catalogue:
    """The tools, resources and prompts of all toolsets served together."""

    def __init__(
        self,
        toolsets: Sequence[Toolset],
        settings: Settings | None = None,
    ) -> None:
        settings = settings or Settings()
        self.toolsets = {toolset.name: toolset for toolset in toolsets}
        if len(self.toolsets) != len(toolsets):
            raise BadConfiguration("Two toolsets have the same name.")
        self._before = settings.prefixes
        self.selected = {one.name: one.select(settings.tools.get(one.name, "")) for one in toolsets}
        self._all = _by_name(
            "tools", (spec for toolset in toolsets for spec in self._served(toolset, settings))
        )
        is_off = settings.read_only
        self.tools = {
            name: spec
            for name, spec in self._all.items()
            if not (is_off and spec.writes and not spec.reads_with)
        }
        self.prompts = _by_name("prompts", (spec for toolset in toolsets for spec in toolset.prompts))
        self.resources = [spec for toolset in toolsets for spec in toolset.resources]
        self._patterns = [(_pattern(spec.uri), spec) for spec in self.resources if spec.is_template]
        self._other = self._other_names()

    def _served(self, toolset: Toolset, settings: Settings) -> list[ToolSpec]:
        """Return the tools of a toolset as they are configured: with a prefix, with what is listed."""
        tools, each = self._permitted(toolset, settings), toolset.each
        prefix = self._before.get(toolset.name, "")
        if any(callable(one.listed) for one in each.values()):
            with suppress(BadConfiguration):  # calls are answered with it
                section = section_of(toolset.root.name, toolset.root.settings, settings)
                each = {kind: one.decided(section) for kind, one in each.items()}
        if not prefix and each is toolset.each:
            return tools
        return [_configured(spec, prefix, each) for spec in tools]

    def _permitted(self, toolset: Toolset, settings: Settings) -> list[ToolSpec]:
        tools, allow, deny = self.selected[toolset.name].tools, settings.allow, settings.deny
        if toolset.is_kit or not (allow or deny):
            return tools
        from laconic.kit.declaring.permitted import is_permitted

        return [spec for spec in tools if is_permitted(spec, allow, deny)]

    def listed(self, pinned: Collection[str] = ()) -> Iterator[tuple[str, ToolSpec]]:
        """Yield the tools that are listed, with the name of each: those of the profiles, and pinned ones."""
        for toolset, selected in self.selected.items():
            before = self._before.get(toolset, "")
            found = dict(selected.listed) | {
                spec.name: spec for spec in selected.aside if spec.name in pinned
            }
            for name, declared in found.items():
                spec = self.tools.get(before + declared.name)
                if spec is not None:
                    yield before + name, spec

    @property
    def owners(self) -> dict[str, str]:
        """The toolset of each tool, by every name that it answers to."""
        return {name: spec.toolset for name, spec in {**self._other, **self._all}.items()}

    @property
    def cached(self) -> dict[str, float]:
        """The longest time that a read is answered from the cache, by the toolset whose services it uses."""
        found: dict[str, float] = {}
        for spec in self.tools.values():
            if spec.cache:
                found[spec.service] = max(spec.cache, found.get(spec.service, 0))
        return found

    def _other_names(self) -> dict[str, ToolSpec]:
        other: dict[str, ToolSpec] = {}
        for spec in self._all.values():
            toolset, before = self.toolsets[spec.toolset], self._before.get(spec.toolset, "")
            seconds = (before + name for name in spec.seconds)
            for name in [*(former.name for former in spec.formers), *seconds, dotted(spec.name, toolset)]:
                if name != spec.name and other.setdefault(name, spec) is not spec:
                    raise BadConfiguration(f"{name} is a name of both {other[name].name} and {spec.name}.")
        return {name: spec for name, spec in other.items() if name not in self._all}

    def tool(self, name: str) -> ToolSpec:
        """Find a tool by its present, former or dotted name, including one that is switched off.

        Raises:
            Unknown: with the nearest name.
        """
        found = self._all.get(name) or self._other.get(name)
        if found is None:
            raise unknown("tool", name, self.tools)
        return found

    def prompt(self, name: str) -> PromptSpec:
        """Find a prompt.

        Raises:
            Unknown: with the nearest name.
        """
        found = self.prompts.get(name)
        if found is None:
            raise unknown("prompt", name, self.prompts)
        return found

    def resource(self, uri: str) -> tuple[ResourceSpec, dict[str, str]]:
        """Find the resource with this address, and the values of its variables.

        After a question mark there may be parameters that can be left out: those of its function, and of
        what its toolset makes for each call.

        Raises:
            Unknown: with the nearest address.
        """
        address, _, query = uri.partition("?")
        chosen = dict(parse_qsl(query))
        plain = self._resource(address) if chosen else None
        if plain is not None and chosen.keys() <= plain[0].defaults.keys():
            return plain[0], plain[1] | chosen
        found = self._resource(uri)
        if found is None:
            addresses = [spec.uri for spec in self.resources]
            every = f"Known: {listing(addresses)}." if addresses else ""
            raise unknown("resource", uri, addresses, otherwise=every)
        return found

    def _resource(self, uri: str) -> tuple[ResourceSpec, dict[str, str]] | None:
        for spec in self.resources:
            if spec.uri == uri:
                return spec, {}
        for pattern, spec in self._patterns:
            match = pattern.fullmatch(uri)
            if match:
                return spec, {name: unquote(value) for name, value in match.groupdict().items()}
        return None


def _configured(spec: ToolSpec, prefix: str, each: Mapping[type, EachCall]) -> ToolSpec:
    """Return a tool with a prefix and with what is listed; made once, since its arguments cost much more."""
    made: dict[Any, ToolSpec] = spec.__dict__.setdefault("_configured", {})  # where cached properties are
    key = (prefix, *((one.function, one.listed) for one in each.values()))
    if key not in made:
        behind = prefix + spec.behind if spec.behind else ""
        made[key] = replace(spec, name=prefix + spec.name, behind=behind, each=each)
    return made[key]


def _by_name(kind: str, specs: Iterable[S]) -> dict[str, S]:
    found: dict[str, S] = {}
    for spec in specs:
        if spec.name in found:
            first = found[spec.name].toolset
            raise BadConfiguration(
                f"Two {kind} are called {spec.name}: one of {first}, one of {spec.toolset}.",
                advice="Serve one of the two toolsets, or configure a prefix.",
            )
        found[spec.name] = spec
    return found


def unknown(kind: str, name: str, known: Iterable[str] = (), otherwise: str = "") -> Unknown:
    """Return the failure for a name that nothing of this kind has, with the nearest name, or other words."""
    hint = did_you_mean(map(safe_name, nearest(name, known)), otherwise=otherwise)
    code = "TOOL_NOT_FOUND" if kind == "tool" else "RESOURCE_NOT_FOUND"
    return Unknown(f"Unknown {kind} '{clean(name[:80])}'.{hint}", given=name, code=code)


def _pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of an address: `{name}` matches one part of a path, `{+path}` any number."""
    parts = re.split(r"\{(\+?)(\w+)\}", template)
    pattern = re.escape(parts[0])
    for sign, name, literal in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        pattern += f"(?P<{name}>{'.+' if sign else '[^/]+'})" + re.escape(literal)
    return re.compile(pattern)
