"""Reading on: the tool and the resources through which kept texts are read in slices."""

from __future__ import annotations

import re
from typing import Annotated, Any

from laconic.kit.content import Text
from laconic.kit.errors import BadArguments, NotFound, Problem, show
from laconic.kit.handles import Handles, Whole
from laconic.kit.peer import Caller
from laconic.kit.rules import exactly_one
from laconic.kit.toolset import Toolset
from laconic.text import slices
from laconic.text.markdown import NoSection

__all__ = ["SCHEME", "TOOL", "reading"]

SCHEME = "kept"
TOOL = "read_on"
_RANGE = re.compile(r"\s*(\d+)\s*(?:-|\.\.|:)\s*(\d*)\s*")
_WAYS = ("section", "lines", "items", "characters", "find")


def reading(handles: Handles, budget: int) -> Toolset:
    """Make the toolset that reads what an endpoint keeps aside."""
    toolset = Toolset("kept", "Reads on in answers that were too long.", case="snake")

    @toolset.read(name=TOOL, budget=0, rules=[exactly_one(*_WAYS)])
    async def read_on(
        caller: Caller,
        handle: Annotated[str, "From the answer that was too long."],
        section: Annotated[str | None, "A heading, or a path of headings with / between."] = None,
        lines: Annotated[str | None, "Such as 120-180."] = None,
        items: Annotated[str | None, "Entries of a list or rows of a table, such as 26-50."] = None,
        characters: Annotated[str | None, "Such as 25000-50000."] = None,
        find: Annotated[str | None, "Words, or a regular expression between slashes."] = None,
    ) -> list[Any]:
        """Read more of a long answer: a section, lines, items, characters, or where words occur."""
        whole = await handles.open(caller.name, handle)
        way, wanted = next(
            (w, v) for w, v in zip(_WAYS, (section, lines, items, characters, find), strict=True) if v
        )
        text, onward = _read(whole, way, wanted, budget)
        return [Text(text), Text(onward)] if onward else [Text(text)]

    for way in _WAYS:
        _resource(toolset, handles, way, budget)
    return toolset


def _resource(toolset: Toolset, handles: Handles, way: str, budget: int) -> None:
    @toolset.resource(f"{SCHEME}://{{handle}}/{way}/{{+wanted}}", name=f"kept_{way}", hint=TOOL)
    async def part(
        caller: Caller, handle: Annotated[str, "The handle."], wanted: Annotated[str, "Which."]
    ) -> str:
        """A slice of a kept text: the same as the tool gives."""
        text, _ = _read(await handles.open(caller.name, handle), way, wanted, budget)
        return text


def _read(whole: Whole, way: str, wanted: str, budget: int) -> tuple[str, str]:
    """One slice, and the words that say how to go on."""
    text = whole.text
    if way == "find":
        return _found(text, wanted), ""
    if way == "section":
        start, end = _section(text, wanted)
        return _within(text, start, end, budget)
    first, last = _range(way, wanted)
    if way == "characters":
        piece = slices.by_characters(text, first, min(last or first + budget, first + budget))
        return _slice(text, piece, len(text))
    piece = slices.by_lines(text, first, last) if way == "lines" else slices.by_items(text, first, last)
    return _within(text, piece.start, piece.end, budget)


def _within(text: str, start: int, end: int, budget: int) -> tuple[str, str]:
    """A span, or as much of it as the budget allows."""
    piece = slices.by_characters(text, start, min(end, start + budget))
    return _slice(text, piece, end)


def _slice(text: str, piece: slices.Slice, end: int) -> tuple[str, str]:
    if piece.end >= end:
        return piece.text, ""
    return piece.text, f"[{end - piece.end:,} characters more: characters='{piece.end}-{end}'.]"


def _section(text: str, path: str) -> tuple[int, int]:
    try:
        found = slices.by_section(text, path)
    except NoSection as error:
        raise NotFound(
            "Section",
            path,
            near=error.candidates[:3],
            advice="Use find to look for words, or lines for a range.",
        ) from None
    return found.start, found.end


def _range(way: str, wanted: str) -> tuple[int, int | None]:
    match = _RANGE.fullmatch(wanted) or re.fullmatch(r"\s*(\d+)()\s*", wanted)
    if match is None or (match[2] and int(match[2]) < int(match[1])):
        raise BadArguments(
            [Problem(way, f"Invalid {way} {show(wanted)}. Expected: a range, such as 1-50.", wanted)]
        )
    last = int(match[2]) if match[2] else None
    is_single = last is None and "-" not in wanted and way != "characters"
    return int(match[1]), int(match[1]) if is_single else last


def _found(text: str, words: str) -> str:
    hits = slices.search(text, words)
    if not hits:
        return f"{show(words)} does not occur."
    lines = [f"{len(hits):,} found:" if len(hits) > 1 else "1 found:"]
    for hit in hits[:20]:
        where = f" ({hit.section})" if getattr(hit, "section", "") else ""
        lines.append(f"line {hit.line}{where}: {hit.excerpt}")
    if len(hits) > 20:
        lines.append(f"{len(hits) - 20:,} more: look for longer words.")
    return "\n".join(lines)
