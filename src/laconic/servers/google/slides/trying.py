"""Trying: what requests would do, said without sending them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.slides.deck import SlideDeck
from laconic.servers.google.slides.telling import counted, objects_of
from laconic.servers.google.slides.texts import plain
from laconic.servers.google.slides.wording import Request

_LONGEST: Final = 160  # letters of a request


def makes(kind: str) -> bool:
    """True for a kind of request that makes an object."""
    return kind.startswith(("create", "group")) and kind != "createParagraphBullets"


def new_id_of(kind: str, given: Mapping[str, Any]) -> str:
    """Return the id that a request wants for the object that it makes."""
    name = "groupObjectId" if kind == "groupObjects" else "objectId"
    return str(given.get(name) or "") if makes(kind) else ""


def tried(deck: SlideDeck, requests: Sequence[Request]) -> str:
    """Return what requests would do; an object that will not exist is an error."""
    known = {one.id for slide in deck.slides for one in slide.elements}
    known |= {name for slide in deck.slides for name in (slide.id, slide.notes_id)}
    for place, request in enumerate(requests):
        [(kind, given)] = request.items()
        target = given.get("tableObjectId") or given.get("imageObjectId") or given.get("objectId", "")
        if makes(kind):
            known |= {new_id_of(kind, given)}
            known |= {str(one.get("objectId")) for one in given.get("placeholderIdMappings", [])}
        elif target and target not in known and kind != "updatePageProperties":
            where = f"requests[{place}].{kind}"
            message = f"{where}: There is no object '{target}'. {objects_of(deck, target, given)}"
            raise BadArguments([Problem(where, message, target)])
        if kind == "duplicateObject":
            known |= set(given.get("objectIds", {}).values())
    lines = "\n".join(_lines(deck, requests))
    return f"Would send {counted(len(requests), 'request')}, nothing was sent:\n{lines}"


def _lines(deck: SlideDeck, requests: Sequence[Request]) -> Iterator[str]:
    """Yield what requests would do; a text that is deleted and written again is one line."""
    old = ""
    for request, after in zip(requests, [*requests[1:], {}], strict=True):
        [(kind, given)] = request.items()
        is_all = given.get("textRange", {}).get("type") == "ALL"
        if kind == "deleteText" and is_all and _target(after.get("insertText", {})) == _target(given):
            old = f"{_short(_text_at(deck, given))} -> "
        elif old:
            yield f"text of {' '.join(map(str, _target(given)))}: {old}{_short(given.get('text', ''))}"
            old = ""
        else:
            yield f"{kind}: {_would(deck, kind, given)}"


def _target(given: Mapping[str, Any]) -> list[Any]:
    cell = given.get("cellLocation")
    place = [] if cell is None else ["row", cell.get("rowIndex", 0), "column", cell.get("columnIndex", 0)]
    return [given.get("objectId", ""), *place]


def _text_at(deck: SlideDeck, given: Mapping[str, Any]) -> str:
    """Return the text that a request is about, as it was read."""
    found = deck.find(given.get("objectId", ""))
    if found is None:
        return ""
    slide, element = found
    if element is None or "cellLocation" not in given:
        return plain(element.content if element is not None else slide.notes)
    cells = [cell for row in element.rows for cell in row]
    wanted = given["cellLocation"]
    for cell in cells:
        at = cell.get("location", {})
        if all(at.get(name, 0) == wanted.get(name, 0) for name in ("rowIndex", "columnIndex")):
            return plain(cell.get("text"))
    return ""


def _short(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _would(deck: SlideDeck, kind: str, given: Mapping[str, Any]) -> str:
    if kind == "replaceAllText":
        wanted = given.get("containsText", {})
        count = _occurrences(deck, wanted, given.get("pageObjectIds", []))
        return f"{counted(count, 'occurrence')} of {wanted.get('text')!r}"
    found = deck.find(given.get("objectId", ""))
    if kind == "deleteObject" and found is not None and found[1] is None:
        return f"slide {found[0].number} {found[0].id}: {found[0].title}"
    text = ", ".join(f"{name} {value!r}" for name, value in given.items())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _occurrences(deck: SlideDeck, wanted: Mapping[str, Any], pages: Sequence[str]) -> int:
    word, count = str(wanted.get("text", "")), 0
    for slide in deck.slides:
        texts = [plain(one.content) for one in slide.elements]
        texts += [plain(cell.get("text")) for one in slide.elements for row in one.rows for cell in row]
        texts += [] if pages else [plain(slide.notes)]
        if not pages or slide.id in pages:
            for text in texts:
                count += text.count(word) if wanted.get("matchCase") else text.lower().count(word.lower())
    return count
