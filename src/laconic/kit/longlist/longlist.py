"""The toolset of a long tool list: find a tool in plain words, see its signature, call it.

There is one calling tool per effect, so that a host can still allow reads and ask before deletions: the
annotations of a calling tool are true for every tool it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, NamedTuple

from pydantic import Field

from laconic.kit.arguments.known import arguments_of
from laconic.kit.catalogue import Catalogue
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.errors import BadArguments, BadConfiguration, Problem, Refused, Unknown
from laconic.kit.errors.words import listing
from laconic.kit.longlist.areas import areas_text
from laconic.kit.longlist.finder import USUAL, Finder, best
from laconic.kit.longlist.relaying import Run, add_callers
from laconic.kit.longlist.sketch import first_sentence, sketch
from laconic.kit.peer import Caller
from laconic.kit.toolset import Toolset
from laconic.text import estimate_tokens

__all__ = ["long_list"]

_TOOLSET = "tools"
_MOST_TOOLS = 50
_MOST_WORDS = 14  # of a description in the list of tools found
_MOST_TOKENS = 220  # of an answer, estimated: 300 are promised, and estimates may be a third too low
_NOTHING = "Nothing found: use other words, or the name of an area."


class _IndexedTool(NamedTuple):
    """A tool as the finder sees it."""

    name: str
    description: str
    parameters: tuple[str, ...]
    toolset: str
    says: tuple[str, ...]


def long_list(catalogue: Callable[[], Catalogue], run: Run, *, open_world: bool = False) -> Toolset:
    """Return the toolset that reaches every tool; `open_world` is true if one of them is."""
    toolset = Toolset(_TOOLSET, "Finds and calls tools that are not listed.", is_kit=True)

    @cache
    def finder(may_write: bool) -> Finder:
        _check_phrases(catalogue().toolsets.values())
        reachable = _reachable(catalogue(), may_write)
        served = {spec.name for spec in reachable.values()}
        return Finder(_entry(spec) for spec in reachable.values() if spec.behind not in served)

    @toolset.read(budget=0)
    async def tools_find(
        caller: Caller,
        query: Annotated[str, "What you want to do, in plain words."],
        limit: Annotated[int, Field(ge=1, le=_MOST_TOOLS)] = USUAL,
    ) -> str:
        """Find tools for a task; tools_describe shows their arguments."""
        matching = finder(caller.may_write).matching(query)
        found = [one.name for one in best(matching, limit)]
        tools = _reachable(catalogue(), caller.may_write)
        return _listed(tools, found, len(matching), limit) if found else _browsed(tools)

    @toolset.read
    async def tools_describe(
        caller: Caller, names: Annotated[list[str], Field(min_length=1), "Of tools."]
    ) -> str:
        """Show the arguments of tools."""
        return _described(catalogue(), names, caller)

    add_callers(toolset, catalogue, run, open_world)
    return toolset


def _reachable(catalogue: Catalogue, may_write: bool) -> dict[str, ToolSpec]:
    """Return the tools that a caller may call, by name; those of the kit are listed anyway."""
    others = (spec for spec in catalogue.tools.values() if not catalogue.toolsets[spec.toolset].is_kit)
    return {spec.name: spec for spec in others if may_write or not spec.writes}


def _entry(spec: ToolSpec) -> _IndexedTool:
    return _IndexedTool(spec.name, spec.description, tuple(spec.names), spec.toolset, tuple(spec.says))


def _check_phrases(toolsets: Iterable[Toolset]) -> None:
    for toolset in toolsets:
        unknown = toolset.phrases.keys() - {spec.name for spec in toolset.tools}
        if unknown:
            raise BadConfiguration(
                f"The phrases of {toolset.name} are for tools it does not have: {listing(sorted(unknown))}."
            )


def _listed(tools: Mapping[str, ToolSpec], found: list[str], matching: int, limit: int) -> str:
    """Return one line per tool, and how many more match; at the usual limit, within the promised tokens."""
    lines = [_line(tools[name]) for name in found]
    while limit <= USUAL and len(lines) > 1 and sum(map(estimate_tokens, lines)) > _MOST_TOKENS:
        lines.pop()
    more = matching - len(lines)
    way = "; a larger limit shows them" if limit < _MOST_TOOLS else ""
    return "\n".join([*lines, f"[{more} more match less well{way}.]"] if more else lines)


def _line(spec: ToolSpec) -> str:
    return f"{spec.name} ({spec.effect.value}): {first_sentence(spec.description, _MOST_WORDS)}"


def _browsed(tools: Mapping[str, ToolSpec]) -> str:
    """Return the areas of all tools, within the promised tokens."""
    names: dict[str, list[str]] = {}
    for name, spec in tools.items():
        names.setdefault(spec.toolset, []).append(name)
    return f"{_NOTHING}\n{areas_text(names, _MOST_TOKENS - estimate_tokens(_NOTHING))}"


def _sketched(spec: ToolSpec) -> str:
    known = arguments_of(spec)
    written = known.notation()
    if written is None:
        return sketch(spec.name, spec.effect.value, spec.description, known.schema)
    arguments, *types = written.split("\n")
    return "\n".join([f"{spec.name}({arguments}) {spec.effect.value}: {spec.description}", *types])


def _described(catalogue: Catalogue, names: list[str], caller: Caller) -> str:
    """Return one line per name, even for a name that does not exist.

    Raises:
        BadArguments: none of the names exists.
        Refused: the caller may call none of the tools.
    """
    lines: list[str] = []
    wrong: list[Problem] = []
    refused: list[Refused] = []
    for name in dict.fromkeys(names):
        try:
            spec = catalogue.tool(name)
        except Unknown as error:
            wrong.append(Problem("names", error.message, name))
            lines.append(error.message)
            continue
        if spec.writes and not caller.may_write:
            refused.append(caller.refusal(spec.name))
            lines.append(refused[-1].message)
            continue
        lines.append(_sketched(spec))
    if len(refused) == len(lines):
        raise refused[0]
    if len(wrong) == len(lines):
        raise BadArguments(wrong, code="TOOL_NOT_FOUND", category="not_found")
    return "\n".join(lines)
