"""Building: drafts of slides as requests, with object ids of our own, so that one batch makes them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.servers.google.docs.reading.blocks import Block, Spans
from laconic.servers.google.slides.drafts import SlideDraft
from laconic.servers.google.slides.wording import Request, Wording, worded

PAGE: Final = (9_144_000, 5_143_500)  # EMU, unless a presentation says otherwise
_AREA: Final = (0.034, 0.224, 0.932, 0.664)  # left, top, width and height of what is below a title
_RIGHT: Final = (0.528, 0.224, 0.437, 0.664)
_ROW: Final = 381_000  # EMU


@dataclass(frozen=True)
class SlideBuilder:
    """Makes requests; ids begin with a prefix that nothing else in the presentation has."""

    prefix: str
    page: tuple[float, float] = PAGE

    def id(self, number: int) -> str:
        """Return the id of a slide."""
        return f"{self.prefix}{number:03}"

    def build(self, drafts: Sequence[SlideDraft], at: int | None = None) -> list[Request]:
        """Return the requests that make slides, at the end or from a place on."""
        found: list[Request] = []
        for number, draft in enumerate(drafts, 1):
            place = None if at is None else at + number - 1
            found += self._slide(self.id(number), draft, place, is_first=number == 1 and at is None)
        return found

    def _slide(self, id: str, draft: SlideDraft, at: int | None, *, is_first: bool) -> list[Request]:
        layout, kinds, gone = _layout(draft, is_first=is_first)
        names = {f"{kind}{index or ''}": f"{id}_{kind.lower()}{index or ''}" for kind, index in kinds}
        mappings = [
            {"layoutPlaceholder": {"type": kind, "index": index}, "objectId": names[f"{kind}{index or ''}"]}
            for kind, index in kinds
        ]
        given: Request = {"objectId": id, "slideLayoutReference": {"predefinedLayout": layout}}
        given |= {"placeholderIdMappings": mappings} if mappings else {}
        given |= {"insertionIndex": at} if at is not None else {}
        found: list[Request] = [{"createSlide": given}]
        found += [{"deleteObject": {"objectId": names[name]}} for name in gone]
        title = next((names[name] for name in names if "TITLE" in name and name not in gone), "")
        if title:
            found += _text(title, draft.title)
        body = next((names[name] for name in ("BODY", "SUBTITLE") if name in names), "")
        if body and draft.body:
            found += worded(draft.body).requests({"objectId": body})
        return found + self._objects(id, draft)

    def _objects(self, id: str, draft: SlideDraft) -> list[Request]:
        """Return the tables and images, one below the other."""
        found: list[Request] = []
        count = len(draft.tables) + len(draft.images)
        left, top, width, height = _RIGHT if draft.body else _AREA
        step = height / max(count, 1)
        places = [self._place(id, left, top + step * number, width, step * 0.95) for number in range(count)]
        for number, table in enumerate(draft.tables, 1):
            found += _table(f"{id}_table{number}", table, places[number - 1])
        for number, (url, alt) in enumerate(draft.images, 1):
            name = f"{id}_image{number}"
            place = places[len(draft.tables) + number - 1]
            found.append({"createImage": {"objectId": name, "url": url, "elementProperties": place}})
            if alt:
                found.append({"updatePageElementAltText": {"objectId": name, "description": alt}})
        return found

    def _place(self, id: str, left: float, top: float, width: float, height: float) -> Request:
        across, down = self.page
        move = {"translateX": round(left * across), "translateY": round(top * down), "unit": "EMU"}
        sizes = {"width": round(width * across), "height": round(height * down)}
        return {
            "pageObjectId": id,
            "size": {name: {"magnitude": size, "unit": "EMU"} for name, size in sizes.items()},
            "transform": {"scaleX": 1, "scaleY": 1, **move},
        }


def _layout(draft: SlideDraft, *, is_first: bool) -> tuple[str, list[tuple[str, int]], list[str]]:
    """Return a layout, the placeholders of it that get ids, and those of them that are not needed."""
    has_objects = bool(draft.tables or draft.images)
    gone = [] if draft.title else ["TITLE"]
    is_opening = is_first and draft.level == 1 and not has_objects and len(draft.body) < 2
    if is_opening and all(block.kind == "paragraph" for block in draft.body):
        return "TITLE", [("CENTERED_TITLE", 0), ("SUBTITLE", 0)], [] if draft.body else ["SUBTITLE"]
    if draft.body and has_objects:
        return "TITLE_AND_TWO_COLUMNS", [("TITLE", 0), ("BODY", 0), ("BODY", 1)], [*gone, "BODY1"]
    if draft.body:
        return "TITLE_AND_BODY", [("TITLE", 0), ("BODY", 0)], gone
    if not draft.title:
        return "BLANK", [], []
    if draft.level == 1 and not has_objects:
        return "SECTION_HEADER", [("TITLE", 0)], []
    return "TITLE_ONLY", [("TITLE", 0)], []


def _text(id: str, spans: Spans) -> list[Request]:
    wording = Wording()
    wording.add(spans)
    return wording.requests({"objectId": id})


def _table(id: str, table: Block, place: Mapping[str, Any]) -> list[Request]:
    columns = max(map(len, table.rows))
    size = {**place["size"], "height": {"magnitude": _ROW * len(table.rows), "unit": "EMU"}}
    given = {"objectId": id, "rows": len(table.rows), "columns": columns}
    found: list[Request] = [{"createTable": {**given, "elementProperties": {**place, "size": size}}}]
    for row, cells in enumerate(table.rows):
        for column, spans in enumerate(cells):
            wording = Wording()
            wording.add(span._replace(bold=True) if row == 0 else span for span in spans)
            location = {"rowIndex": row, "columnIndex": column}
            found += wording.requests({"objectId": id, "cellLocation": location})
    return found
