"""Outlines: what slides say, as data first, then in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.servers.google.slides.deck import Slide, SlideDeck, SlideElement
from laconic.servers.google.slides.texts import paragraphs, plain, units

_LINES: Final = 8  # of a text in an outline
_LETTERS: Final = 400
_ROWS: Final = 3  # of a table in an outline


def element_data(element: SlideElement, *, in_full: bool) -> dict[str, Any]:
    """Return what there is to say about an element; empty lines and shapes have nothing."""
    found: dict[str, Any] = {"id": element.id, "kind": element.kind}
    found |= _inner(element)
    alt = element.data.get("description") or element.data.get("title")
    if alt:
        found["alt"] = alt
    if in_full:
        found["box"] = list(element.box)
    return found


def _inner(element: SlideElement) -> dict[str, Any]:
    data = element.data
    if element.content:
        return {"text": plain(element.content)}
    if "table" in data:
        return {"rows": [[plain(cell.get("text")) for cell in line] for line in element.rows]}
    if "image" in data:
        return {"url": data["image"].get("sourceUrl") or data["image"].get("contentUrl", "")}
    if "video" in data:
        return {"url": data["video"].get("url", "")}
    if "sheetsChart" in data:
        return {
            "spreadsheet": data["sheetsChart"].get("spreadsheetId"),
            "chart": data["sheetsChart"].get("chartId"),
        }
    return {}


def slide_data(deck: SlideDeck, slide: Slide, *, in_full: bool) -> dict[str, Any]:
    """Return a slide as data."""
    about = slide.data.get("slideProperties", {})
    found: dict[str, Any] = {"slide": slide.number, "id": slide.id, "title": slide.title}
    found["layout"] = deck.layouts.get(about.get("layoutObjectId", ""), "")
    found["objects"] = [element_data(one, in_full=in_full) for one in slide.elements]
    if slide.notes:
        found["notes"] = plain(slide.notes)
    if in_full:
        found["notes_id"] = slide.notes_id
    if about.get("isSkipped"):
        found["skipped"] = True
    return found


def outline(slide: Slide) -> str:
    """Return a slide in a few lines: what it says, by object id."""
    heading = slide.heading
    titled = f" ({heading.id})" if heading is not None and heading.content else ""
    skipped = " (skipped)" if slide.data.get("slideProperties", {}).get("isSkipped") else ""
    lines = [f"{slide.id}: {_one_line(slide.title) or '(no title)'}{titled}{skipped}"]
    for element in slide.elements:
        if element is not heading or not element.content:
            lines += _brief(element)
    if slide.notes:
        lines += _texts("notes", [one.line for one in paragraphs(slide.notes)])
    return "\n".join(lines)


def _brief(element: SlideElement) -> list[str]:
    if element.content:
        return _texts(element.id, [one.line for one in paragraphs(element.content)])
    data = element_data(element, in_full=False)
    if "rows" in data:
        rows = [" | ".join(map(_one_line, row)) for row in data["rows"]]
        size = f"{len(rows)} x {element.data['table'].get('columns', 0)} table"
        more = [f"({len(rows) - _ROWS} more rows)"] if len(rows) > _ROWS else []
        return [f"{element.id}: {size}", *_further([*rows[:_ROWS], *more])]
    if element.kind in ("line", "group"):
        return []
    return [f"{element.id}: {_named(data)}"]


def _named(data: Mapping[str, Any]) -> str:
    """Return what an element without text is."""
    parts = [data["kind"]] if "url" in data or "chart" in data else [f"empty {data['kind']}"]
    parts += [f"'{data['alt']}'"] if data.get("alt") else []
    parts += [data["url"]] if data.get("url") and not data.get("alt") else []
    parts += [f"{data['chart']} of {data['spreadsheet']}"] if "chart" in data else []
    return " ".join(parts)


def _texts(name: str, lines: list[str]) -> list[str]:
    whole = "\n".join(lines)
    shown, letters = list[str](), 0
    for line in lines[:_LINES]:
        letters += len(line)
        if shown and letters > _LETTERS:
            break
        shown.append(line if len(line) <= _LETTERS else f"{line[:_LETTERS]}…")
    more = [f"… ({len(whole):,} characters in all)"] if len("\n".join(shown)) < len(whole) else []
    if len(shown) == 1 and not more and not shown[0].startswith(("-", " ")):
        return [f"{name}: {shown[0]}"]
    return [f"{name}:", *_further([*shown, *more])]


def _further(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def whole_slide(deck: SlideDeck, slide: Slide) -> str:
    """Return everything about a slide: each paragraph after the index that it begins at."""
    layout = deck.layouts.get(slide.data.get("slideProperties", {}).get("layoutObjectId", ""), "")
    lines = [f"Slide {slide.number} of {len(deck.slides)}: {slide.id}, layout {layout or 'unknown'}."]
    for element in slide.elements:
        left, top, width, height = element.box
        data = element_data(element, in_full=True)
        place = f"{left},{top} {width}x{height} pt" if "size" in element.data else f"{left},{top} pt"
        alt = f" '{data['alt']}'" if data.get("alt") else ""
        lines.append(
            f"{element.id} {element.kind} {place}{alt}{' ' + data['url'] if data.get('url') else ''}"
        )
        lines += _indexed(element.content)
        lines += [f"  | {' | '.join(map(_one_line, row))}" for row in data.get("rows", [])]
    lines += [f"notes {slide.notes_id}", *_indexed(slide.notes)]
    return "\n".join(lines)


def _indexed(content: Mapping[str, Any] | None) -> list[str]:
    return [f"  {one.start} {one.line}" for one in paragraphs(content)]


def nearby(content: Mapping[str, Any] | None) -> str:
    """Return how long a text is, and what it says, for an index that does not fit."""
    text = plain(content)
    shown = text if len(text) <= 200 else f"{text[:100]} … {text[-100:]}"
    return f"Its text has {units(text)} units: {shown!r}." if text else "It has no text."
