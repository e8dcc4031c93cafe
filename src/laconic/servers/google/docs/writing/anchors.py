"""Anchors: the place that a text or a heading names, or words that help to name it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.reading.document import Document, Segment, Tab
from laconic.servers.google.docs.reading.finding import Found, places_of
from laconic.servers.google.docs.reading.outline import Section, find_section
from laconic.servers.google.docs.reading.suggested import present_text
from laconic.text import NoSection, did_you_mean, nearest, nearest_lines

_SHOWN = 12  # places that are named
_WIDTH = 120  # characters of a line that is named
_PART: Final = re.compile(r"^<!-- (tab|header|footer) (\S+?)(?:: .*)? -->$", re.MULTILINE)
Scope = Sequence[tuple[Tab, Segment]]


def tab_of(document: Document, wanted: str | None) -> Tab | None:
    """Return the tab that a caller names; None for all.

    Raises:
        BadArguments: there is none, with those that there are.
    """
    if not wanted:
        return None
    found = document.tab(wanted)
    if found is None:
        names = [tab.title for tab in document.tabs]
        told = ", ".join(f"{tab.title} ({tab.id})" for tab in document.tabs[:20])
        hint = did_you_mean(nearest(wanted, names), quote="'")
        raise BadArguments([Problem("tab", f"There is no tab '{wanted[:80]}'.{hint} Tabs: {told}.", wanted)])
    return found


def scope_of(document: Document, tab: Tab | None, segment: str | None) -> Scope:
    """Return the segments that a caller means: all of one kind, one by its id, or all.

    Raises:
        BadArguments: there is none such.
    """
    scope = [(one, part) for one, part in document.segments() if tab is None or one is tab]
    if segment is None:
        return scope
    found = [(one, part) for one, part in scope if segment in (part.id, part.kind)]
    if not found:
        there = ", ".join(f"{part.kind} {part.id}".strip() for _, part in scope[:20])
        message = f"There is no '{segment[:80]}' here. There are: {there}."
        raise BadArguments([Problem("segment", message, segment)])
    return found


def check_parts(document: Document, markdown: str, tab: Tab, segment: Segment) -> None:
    """Refuse markdown of a whole document for one part of it: the others would become text there.

    Raises:
        BadArguments: with the parts that are not meant.
    """
    known = {("tab", one.id) for one in document.tabs}
    known |= {(part.kind, part.id) for _, part in document.segments()}
    others = known - {("tab", tab.id), (segment.kind, segment.id)}
    found = [f"{kind} {id}" for kind, id in _PART.findall(markdown) if (kind, id) in others]
    if found:
        raise BadArguments(
            f"This markdown has other parts of the document, too ({', '.join(found[:_SHOWN])}), which would "
            "be written here. Leave them out, each with its comment; write them with tab or segment."
        )


def section_of(document: Document, wanted: str, tab: Tab | None, field: str = "section") -> Section:
    """Return the section that a caller names.

    Raises:
        BadArguments: there is none, or more than one.
    """
    try:
        return find_section(document, wanted, tab)
    except NoSection as missing:
        shown = "; ".join(missing.candidates[:_SHOWN])
        if missing.ambiguous:
            message = f"'{wanted[:80]}' names {len(missing.candidates)} sections: {shown}. Pass one path."
        elif shown:
            message = f"There is no section '{wanted[:80]}'. Near it: {shown}."
        else:
            message = f"There is no section '{wanted[:80]}': the document has no headings."
        raise BadArguments([Problem(field, message, wanted)]) from missing


def place_of(
    places: Sequence[Found], wanted: str, nth: int | None, scope: Scope, instead: str = ""
) -> Found | str:
    """Return the one place that is meant, or why that is not clear; `instead` says what else can be done."""
    if not places:
        return nothing_found(wanted, scope)
    if nth is None and len(places) == 1:
        return places[0]
    if nth is not None and 1 <= abs(nth) <= len(places):
        return places[nth - 1 if nth > 0 else nth]
    count = f"'{_short(wanted)}' occurs {len(places)} times" if len(places) > 1 else "It occurs once"
    shown = "\n".join(f"{number}. {one.excerpt}" for number, one in enumerate(places[:_SHOWN], 1))
    more = f"\n… and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    asked = f"Pass nth, or more of the text{instead}" if nth is None else f"There is no number {nth}"
    return f"{count}. {asked}:\n{shown}{more}"


def places_in(document: Document, wanted: str, scope: Scope, section: Section | None) -> list[Found]:
    """Return the places of a text, in a section if one is given."""
    if section is None:
        return list(places_of(document, wanted, scope))
    flow = section.segment.flow
    first, last = flow.offset(section.start), flow.offset(section.end)
    found = places_of(document, wanted, [(section.tab, section.segment)])
    return [one for one in found if first <= one.start and one.end <= last]


def nothing_found(wanted: str, scope: Scope) -> str:
    """Return the words for a text that does not occur: why not, or the lines that are nearest to it."""
    text = "\n".join(segment.flow.text for _, segment in scope)
    plain = _plain(wanted)
    if plain != wanted and plain in text:
        return f"'{_short(wanted)}' does not occur, but '{_short(plain)}' does: pass text without markdown."
    near = dict.fromkeys(" ".join(one.text.split())[:_WIDTH] for one in nearest_lines(text, wanted))
    told = f" Nearest: {'; '.join(repr(one) for one in near)}." if near else ""
    if any(plain in present_text(segment.content) for _, segment in scope):
        told += " There are suggestions inside it, and find sees them as text: edit around them."
    return f"'{_short(wanted)}' does not occur.{told}"


def _plain(wanted: str) -> str:
    """Return a text as it reads without signs of markdown."""
    return "\n".join(block.plain for block in parse_markdown(wanted)) or wanted


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
