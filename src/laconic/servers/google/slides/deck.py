"""Decks: a presentation as it was read, its slides by number or id, and what is on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.api.access import Access
from laconic.servers.google.slides.texts import plain
from laconic.text import did_you_mean, nearest

FIELDS: Final = "presentationId,title,revisionId,pageSize,slides,layouts(objectId,layoutProperties)"
POINT: Final = 12_700  # EMU
_TITLES: Final = ("TITLE", "CENTERED_TITLE")
_KINDS: Final = {
    "shape": "shape",
    "table": "table",
    "image": "image",
    "line": "line",
    "video": "video",
    "sheetsChart": "chart",
    "elementGroup": "group",
    "wordArt": "word art",
    "speakerSpotlight": "spotlight",
}


@dataclass(frozen=True)
class SlideElement:
    """Something on a slide."""

    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its object id."""
        return str(self.data["objectId"])

    @property
    def kind(self) -> str:
        """What it is, in a word; of a placeholder what that is for."""
        key = next((name for name in _KINDS if name in self.data), "")
        own = self.data.get("shape", {})
        return str(
            own.get("placeholder", {}).get("type") or own.get("shapeType") or _KINDS.get(key, "object")
        )

    @property
    def content(self) -> Mapping[str, Any] | None:
        """The text of a shape."""
        found: Mapping[str, Any] | None = self.data.get("shape", {}).get("text")
        return found

    @property
    def rows(self) -> list[list[Mapping[str, Any]]]:
        """The cells of a table; merged ones are there once."""
        return [line.get("tableCells", []) for line in self.data.get("table", {}).get("tableRows", [])]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height in points; of what is turned, as if it were not."""
        move, size = self.data.get("transform", {}), self.data.get("size", {})
        scales = (move.get("scaleX", 0), move.get("scaleY", 0))
        places = [_points(move.get(name, 0), move) for name in ("translateX", "translateY")]
        sides = [
            abs(scale) * _points(size.get(name, {}).get("magnitude", 0), size.get(name, {}))
            for scale, name in zip(scales, ("width", "height"), strict=True)
        ]
        left, top, width, height = (round(one) for one in (*places, *sides))
        return left, top, width, height


def _points(value: float, unit: Mapping[str, Any]) -> float:
    return value if unit.get("unit") == "PT" else value / POINT


@dataclass(frozen=True)
class Slide:
    """A slide, its number from 1 on, and what is on it."""

    number: int
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its object id."""
        return str(self.data["objectId"])

    @cached_property
    def elements(self) -> list[SlideElement]:
        """Everything on it, also what is in groups."""
        return [SlideElement(one) for one in _within(self.data.get("pageElements", []))]

    @property
    def heading(self) -> SlideElement | None:
        """The placeholder that has its title."""
        return next((one for one in self.elements if one.kind in _TITLES), None)

    @property
    def title(self) -> str:
        """Its title; without one, its first words."""
        if self.heading is not None and self.heading.content:
            return plain(self.heading.content)
        first = next((plain(one.content) for one in self.elements if one.content), "")
        return first.partition("\n")[0][:60]

    @property
    def notes_id(self) -> str:
        """The object id of its speaker notes; there may be no such shape yet."""
        page = self._notes
        return str(page.get("notesProperties", {}).get("speakerNotesObjectId", ""))

    @property
    def notes(self) -> Mapping[str, Any] | None:
        """Its speaker notes."""
        for one in _within(self._notes.get("pageElements", [])):
            if one["objectId"] == self.notes_id:
                found: Mapping[str, Any] | None = one.get("shape", {}).get("text")
                return found
        return None

    @property
    def _notes(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.data.get("slideProperties", {}).get("notesPage", {})
        return found


def _within(elements: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for one in elements:
        yield one
        yield from _within(one.get("elementGroup", {}).get("children", []))


@dataclass(frozen=True)
class SlideDeck:
    """A presentation as it was when it was read."""

    data: Mapping[str, Any]

    @classmethod
    async def of(cls, access: Access, id: str) -> SlideDeck:
        """Ask for it."""
        return cls(await access.call("slides_get", presentationId=id, fields=FIELDS))

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.data.get("title", ""))

    @property
    def revision(self) -> str:
        """The name of its state; empty for those who may not change it."""
        return str(self.data.get("revisionId", ""))

    @cached_property
    def slides(self) -> list[Slide]:
        """Its slides in order."""
        return [Slide(number, one) for number, one in enumerate(self.data.get("slides", []), 1)]

    @cached_property
    def layouts(self) -> Mapping[str, str]:
        """The names of its layouts by id."""
        found = self.data.get("layouts", [])
        return {one["objectId"]: one.get("layoutProperties", {}).get("name", "") for one in found}

    def slide(self, wanted: str | int, field: str = "slide") -> Slide:
        """Return a slide by its number or its id.

        Raises:
            BadArguments: there is none, with those that there are.
        """
        text = str(wanted).strip()
        for one in self.slides:
            if one.id == text or (text.isdecimal() and int(text) == one.number):
                return one
        hint = did_you_mean(nearest(text, [one.id for one in self.slides]), quote="'")
        message = f"There is no slide '{text[:60]}'.{hint} {self.words()}"
        raise BadArguments([Problem(field, message, wanted)])

    def find(self, id: str) -> tuple[Slide, SlideElement | None] | None:
        """Return what has an object id: a slide, its notes, or an element with its slide."""
        for slide in self.slides:
            if id in (slide.id, slide.notes_id):
                return slide, None
            for element in slide.elements:
                if element.id == id:
                    return slide, element
        return None

    def words(self) -> str:
        """Return the slides in a sentence."""
        shown = [f"{one.number} {one.id}" for one in self.slides[:_MOST]]
        more = f" and {len(self.slides) - _MOST} more" if len(self.slides) > _MOST else ""
        return f"Slides: {', '.join(shown) or 'none'}{more}."


_MOST: Final = 30  # slides that an error names
