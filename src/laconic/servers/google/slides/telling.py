"""Telling: what a batch changed, and, if Google refuses it, what there is instead of what was not found."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from laconic.kit import BadArguments, Failure, Moved
from laconic.servers.google.api.access import Access
from laconic.servers.google.slides.deck import Slide, SlideDeck
from laconic.servers.google.slides.outline import nearby
from laconic.servers.google.slides.wording import Request
from laconic.text import did_you_mean, nearest
from laconic.upstream import Invalid

_PLACE: Final = re.compile(r"requests\[(\d+)\]")
_LOST: Final = re.compile(r"\(([\w:-]+)\) could not be found")
_MOST: Final = 30  # objects that a sentence names
_NAMES: Final = ("objectId", "tableObjectId", "imageObjectId", "groupObjectId")
_LISTS: Final = ("childrenObjectIds", "objectIds", "pageElementObjectIds", "slideObjectIds")


def counted(count: int, noun: str) -> str:
    """Return a number of things in words."""
    return f"{count} {noun}{'s' * (count != 1)}"


def outcome(requests: Sequence[Request], replies: Sequence[Mapping[str, Any]], revision: str) -> str:
    """Return what a batch changed, in words."""
    groups: dict[str, list[str]] = {"Created": [], "Changed": [], "Deleted": []}
    replaced, is_replacing = 0, False
    for request, reply in zip(requests, [*replies, *[{}] * len(requests)], strict=False):
        [(kind, given)] = request.items()
        answer: Mapping[str, Any] = next(iter(reply.values()), {})
        is_replacing = is_replacing or kind.startswith("replaceAll")
        replaced += answer.get("occurrencesChanged", 0)
        new = answer.get("objectId") or answer.get("commentThread", {}).get("commentId")
        names = [new] if new else list(_touched(given))
        groups["Created" if new else "Deleted" if kind == "deleteObject" else "Changed"] += names
    created, passing = set(groups["Created"]), set(_placed(requests))
    groups["Deleted"] = [one for one in groups["Deleted"] if one not in passing]
    groups["Changed"] = [one for one in groups["Changed"] if one not in created]
    parts = [f"Done: {counted(len(requests), 'request')}."]
    parts += [f"{word} {_listed(names)}." for word, names in groups.items() if names]
    parts += [f"Replaced {counted(replaced, 'occurrence')}."] if is_replacing else []
    parts += [f"Revision {revision}."] if revision else []
    return " ".join(parts)


def _placed(requests: Sequence[Request]) -> Iterator[str]:
    """Yield the placeholders that requests make: who deletes one at once means a slide without it."""
    for request in requests:
        for one in request.get("createSlide", {}).get("placeholderIdMappings", []):
            yield str(one.get("objectId", ""))


def _touched(given: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(given[name]) for name in _NAMES if given.get(name))
    yield from (str(one) for name in _LISTS for one in given.get(name, []))


def _listed(names: Sequence[str]) -> str:
    own = list(dict.fromkeys(names))
    more = f" and {len(own) - _MOST} more" if len(own) > _MOST else ""
    return f"{', '.join(own[:_MOST])}{more}"


@asynccontextmanager
async def telling_slides(
    access: Access, id: str, requests: Sequence[Request], revision: str
) -> AsyncIterator[None]:
    """Add to a refusal what the presentation has: objects, the text at an index, cells or layouts."""
    try:
        yield
    except Failure as failure:
        if not isinstance(failure.__cause__, Invalid):
            raise
        try:
            deck = await SlideDeck.of(access, id)
        except Failure:  # what was refused matters more
            raise failure from failure.__cause__
        if "revision" in failure.message.lower():
            raise Moved(
                "The presentation",
                expected=revision,
                current=deck.revision,
                field="revision",
                advice="Nothing was done. Read it again, then repeat the change.",
            ) from failure.__cause__
        more = _more(deck, failure.message, requests)
        raise BadArguments(f"{failure.message} {more}".strip(), about=failure.about) from failure.__cause__


def _more(deck: SlideDeck, message: str, requests: Sequence[Request]) -> str:
    place = _PLACE.search(message)
    given: Mapping[str, Any] = {}
    if place and int(place[1]) < len(requests):
        given = next(iter(requests[int(place[1])].values()))
    if "layout" in message.lower():
        return f"Its layouts: {', '.join(sorted(set(deck.layouts.values())))}."
    if "unique" in message:
        return "Choose another id, or leave it out."
    lost = _LOST.search(message)
    if lost:
        return objects_of(deck, lost[1], given)
    found = deck.find(next(iter(_touched(given)), ""))
    if found is None:
        return ""
    slide, element = found
    if element is not None and element.rows:
        table = element.data["table"]
        size = f"{table.get('rows', 0)} rows and {table.get('columns', 0)} columns"
        return f"{element.id} has {size}, counted from 0.{_cell(element.rows, given)}"
    if element is None and given.get("objectId") == slide.id:
        return ""
    return f"{given.get('objectId', '')}: {nearby(element.content if element else slide.notes)}"


def _cell(rows: Sequence[Sequence[Mapping[str, Any]]], given: Mapping[str, Any]) -> str:
    wanted = given.get("cellLocation", {})
    for cells in rows:
        for cell in cells:
            at = cell.get("location", {})
            if all(at.get(name, 0) == wanted.get(name, 0) for name in ("rowIndex", "columnIndex")):
                return f" That cell: {nearby(cell.get('text'))}"
    return ""


def objects_of(deck: SlideDeck, lost: str, given: Mapping[str, Any]) -> str:
    """Return the objects that there are instead of one that was not found."""
    page = given.get("elementProperties", {}).get("pageObjectId", "")
    known = [one.id for slide in deck.slides for one in slide.elements] + [one.id for one in deck.slides]
    hint = did_you_mean(nearest(lost, [one for one in known if one != lost]), quote="'").strip()
    if lost == page:
        return f"{hint} {deck.words()}".strip()
    shown, left = list[str](), _MOST
    for slide in deck.slides:
        if left <= 0:
            shown.append("…")
            break
        shown.append(_on(slide, left))
        left -= len(slide.elements) + 1
    return f"{hint} Objects by slide: {'; '.join(shown) or 'none'}.".strip()


def _on(slide: Slide, most: int) -> str:
    names = [f"{one.id} ({one.kind})" for one in slide.elements[:most]]
    return f"{slide.number} {slide.id}: {', '.join(names) or 'nothing'}"
