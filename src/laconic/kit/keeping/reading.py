"""Reading on: the tool that reads kept texts in slices and any resource, and resources for such slices."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from laconic.kit.answers.cells import one_line
from laconic.kit.answers.content import Resource, Text, Verbatim
from laconic.kit.arguments.problems import unknown_arguments
from laconic.kit.declaring.rules import Rule, exactly_one
from laconic.kit.errors import BadArguments, NotFound, Problem
from laconic.kit.errors.words import show
from laconic.kit.keeping.handles import SCHEME, TOOL, Handles, Whole
from laconic.kit.keeping.shrink import size_of
from laconic.kit.peer import Caller, Peer
from laconic.kit.pipeline import Answer
from laconic.kit.toolset import Toolset
from laconic.kit.translation import failure_of
from laconic.text import (
    BadExpression,
    NoItems,
    NoSection,
    Slice,
    by_characters,
    by_items,
    by_lines,
    by_section,
    count_hits,
    kind_of,
    search,
)

__all__ = ["SCHEME", "reading", "refuse_unknown", "slice_of"]

_RANGE = re.compile(r"\s*(\d+)\s*(?:(-|\.\.|:)\s*(\d*)\s*)?")
_WAYS = ("section", "lines", "items", "characters", "find")
_HITS = 20
Read = Callable[[str, Peer, bool, Mapping[str, Any]], Awaitable[tuple[Answer, str]]]
"""Reads a resource as `resources/read` does, whole or within the budget, and returns it with its type.

The last are parameters of what its toolset makes for each call, such as an account.
"""
_TAGS = 24  # characters around a part


def reading(handles: Handles, budget: int, read: Read, *, has_resources: bool = False) -> Toolset:
    """Return the toolset that reads the answers an endpoint has kept, and its resources.

    Where there are no resources, `uri` is not listed: it would cost tokens for nothing.
    """
    toolset = Toolset("reading", "Reads on in answers that were too long.", is_kit=True)
    only: dict[str, Any] = {"unlisted": ["chosen"]}
    if not has_resources:
        only = {"unlisted": ["chosen", "uri"], "extra_schema": {"required": ["handle"]}}

    rules = [_one_source(has_resources), _one_way(has_resources)]

    @toolset.read(name=TOOL, budget=0, relays="uri", gathers="chosen", rules=rules, **only)
    async def read_on(
        caller: Caller,
        peer: Peer,
        handle: str | None = None,
        uri: Annotated[str | None, "Of a resource, in place of handle."] = None,
        section: str | None = None,
        lines: str | None = None,
        items: str | None = None,
        characters: str | None = None,
        find: str | None = None,
        chosen: Annotated[dict[str, Any] | None, "Such as an account, for uri."] = None,
    ) -> list[Any] | Answer:
        """Read more of an answer that was too long, in one of the ways it names."""
        ways = zip(_WAYS, (section, lines, items, characters, find), strict=True)
        way = next(((name, wanted) for name, wanted in ways if wanted is not None), None)
        if chosen and uri is None:
            refuse_unknown(chosen)
        if uri is not None:
            asked = partial(read, uri, peer, way is not None, chosen or {})
            whole = await _resource_text(asked, uri, is_whole=way is not None)
            if way is None or isinstance(whole, Answer):
                return whole if isinstance(whole, Answer) else [whole]
            told = [Text(whole.remark)] if whole.remark else []
            return _part(Whole(whole.text, TOOL, kind_of(whole.text)), *way, budget - _TAGS) + told
        assert handle is not None and way is not None  # the rules say so
        return _part(await handles.open(caller.name, handle), *way, budget - _TAGS)

    for way in _WAYS:
        _resource(toolset, handles, way, budget)
    return toolset


def _one_source(has_resources: bool) -> Rule:
    missing = "Missing handle or uri: pass one of them." if has_resources else "Missing handle: string."

    def rule(given: Mapping[str, Any]) -> Problem | None:
        if (given.get("handle") is None) is not (given.get("uri") is None):
            return None
        if given.get("uri") is None:
            return Problem("handle", missing)
        return Problem("uri", "handle and uri exclude each other. Expected: one of them.", given["uri"])

    return rule


def _one_way(has_resources: bool) -> Rule:
    """A kept text was too long, so a handle needs a way to read it; a resource may be short."""

    def rule(given: Mapping[str, Any]) -> Problem | None:
        is_handle = given.get("handle") is not None or not (has_resources or given.get("uri"))
        has_way = any(given.get(way) is not None for way in _WAYS)
        return exactly_one(*_WAYS)(given) if has_way or is_handle else None

    return rule


def refuse_unknown(chosen: Mapping[str, Any], known: Sequence[str] = ()) -> None:
    """Refuse arguments that neither the tool has nor what it reads; `known` are those of the latter.

    Raises:
        BadArguments: with the names that were probably meant.
    """
    unknown = [name for name in chosen if name not in known]
    if unknown:
        every = ["handle", "uri", *_WAYS, *known]
        raise BadArguments(unknown_arguments({name: chosen[name] for name in unknown}, every, every))


async def _resource_text(
    read: Callable[[], Awaitable[tuple[Answer, str]]], uri: str, *, is_whole: bool
) -> Verbatim | Answer:
    """Return the text of a resource; an answer if it failed, was shortened, or is no text."""
    answer, mime = await read()
    value = answer.value
    if answer.failure is not None:
        return answer
    words = value.block.text if isinstance(value, Verbatim) else value
    if isinstance(words, str) and (is_whole or size_of(answer) == len(words)):
        return replace(value, name="part") if isinstance(value, Verbatim) else Verbatim(words, name="part")
    if is_whole:
        raise BadArguments(
            [Problem("uri", f"Invalid uri {show(uri)}: it is no text. Expected: no way to read it.", uri)]
        )
    if isinstance(value, bytes):
        return Answer([Resource(uri, value, mime)], value=value)
    return answer


def _part(whole: Whole, way: str, wanted: str, budget: int) -> list[Any]:
    text, onward = _read(whole, way, wanted, budget)
    shown = Text(text) if way == "find" else Verbatim(text, name="part")
    return [shown, Text(onward)] if onward else [shown]


def _resource(toolset: Toolset, handles: Handles, way: str, budget: int) -> None:
    @toolset.resource(f"{SCHEME}://{{handle}}/{way}/{{+wanted}}", name=f"kept_{way}", hint=TOOL)
    async def part(
        caller: Caller, handle: Annotated[str, "The handle."], wanted: Annotated[str, "Which part."]
    ) -> Verbatim:
        """A slice of an answer that was too long, as the tool read_on gives it."""
        text, onward = _read(await handles.open(caller.name, handle), way, wanted, budget - _TAGS)
        return Verbatim(text, remark=onward)


def _read(whole: Whole, way: str, wanted: str, budget: int) -> tuple[str, str]:
    """Return one slice, and how to read on."""
    if way == "find":
        return _found(whole, wanted), ""
    if way == "section":
        return _within(whole, _section(whole.text, wanted), budget)
    first, last = _range(way, wanted, len(whole.text))
    if way == "characters":
        last = min(last, first + budget)
        return _cut(by_characters(whole.text, first, last, whole.kind), len(whole.text))
    return _within(whole, _units(whole, way, first, last), budget)


def _units(whole: Whole, way: str, first: int, last: int) -> Slice:
    try:
        found = (
            by_lines(whole.text, first, last)
            if way == "lines"
            else by_items(whole.text, first, last, whole.kind)
        )
    except NoItems as error:
        raise BadArguments(
            [Problem(way, f"Invalid {way}: {error} Expected: another way.", f"{first}-{last}")]
        ) from None
    if found.first > found.total:
        raise BadArguments(
            [Problem(way, f"Invalid {way} {first}. Expected: from 1 to {found.total:,}.", f"{first}-{last}")]
        )
    return found


def _within(whole: Whole, found: Slice, budget: int) -> tuple[str, str]:
    """Return a whole slice, or as much of it as the budget allows."""
    if len(found.text) <= budget:
        return found.text, _more(found)
    return _cut(by_characters(whole.text, found.start, found.start + budget, whole.kind), found.end)


def _cut(piece: Slice, end: int) -> tuple[str, str]:
    if piece.end >= end:
        return piece.text, ""
    return piece.text, f"[{end - piece.end:,} characters more: characters='{piece.end}-{end}'.]"


def _more(found: Slice) -> str:
    if found.unit == "characters" or not found.more:
        return ""
    return slice_of(found.unit, found.first, found.last, found.total)


def slice_of(unit: str, first: int, last: int, total: int) -> str:
    """Return the line that says which part of a text is shown."""
    return f"[{unit} {first:,} to {last:,} of {total:,}.]"


def _section(text: str, path: str) -> Slice:
    try:
        return by_section(text, path)
    except NoSection as error:
        failure = failure_of(error)
        if isinstance(failure, NotFound):
            failure.advice = "Use find to look for words, or lines for a range."
        raise failure from None


def _range(way: str, wanted: str, end: int) -> tuple[int, int]:
    match = _RANGE.fullmatch(wanted)
    first = int(match[1]) if match else 0
    last = (
        int(match[3]) if match and match[3] else end if match and (match[2] or way == "characters") else first
    )
    least = 0 if way == "characters" else 1
    if match is None or first < least or last < first:
        message = f"Invalid {way} {show(wanted)}. Expected: a range, such as {least}-50."
        raise BadArguments([Problem(way, message, wanted)])
    return first, last


def _found(whole: Whole, words: str) -> str:
    try:
        hits = search(whole.text, words, most=_HITS, kind=whole.kind)
        total = count_hits(whole.text, words) if len(hits) == _HITS else len(hits)
    except BadExpression as error:
        raise BadArguments(
            [Problem("find", f"Invalid find {show(words)}. Invalid regex: {error}.", words)]
        ) from None
    if not hits:
        return f"{show(words)} does not occur."
    lines = [f"Found {total:,}{f', the first {_HITS}' if total > _HITS else ''}:"]
    for hit in hits:
        place = f"item {hit.item}" if hit.item else f"line {hit.line}"
        is_heading = hit.section and hit.section.rpartition("/")[2] in hit.excerpt
        section = f" ({hit.section})" if hit.section and not is_heading else ""
        lines.append(one_line(f"{place}{section}: {hit.excerpt}"))
    return "\n".join(lines)
