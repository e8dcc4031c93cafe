"""Planning: forms of changes as the requests that they mean, worked out on a deck as it was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from laconic.kit import BadArguments, Problem
from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.slides.building import PAGE, SlideBuilder
from laconic.servers.google.slides.deck import Slide, SlideDeck, SlideElement
from laconic.servers.google.slides.drafts import SlideDraft, drafts_of
from laconic.servers.google.slides.forms import FORMS, Given, check_form, number_in, slides_in, text_in
from laconic.servers.google.slides.listing import blocks_of
from laconic.servers.google.slides.texts import plain
from laconic.servers.google.slides.wording import Request, worded

_TextPlace = tuple[str, int, int]  # an object and, in a table, the row and the column


class SlidePlan:
    """Works out forms one after the other; numbers of slides are those that the deck had when it was read."""

    def __init__(self, deck: SlideDeck) -> None:
        self.deck = deck
        self.order = [slide.id for slide in deck.slides]
        self.drafts: list[SlideDraft] = []  # of new slides, for their notes
        self.losses = Losses()  # what slides cannot have of their markdown
        self.builder = SlideBuilder(self._prefix(), _page(deck))
        self._filled: dict[_TextPlace, bool | None] = {}  # None: it is not known
        self._copies = 0
        self._unnamed = count(1)

    def _prefix(self) -> str:
        taken = {element.id for slide in self.deck.slides for element in slide.elements}
        taken |= {slide.id for slide in self.deck.slides}
        number = 1
        while any(id.startswith(f"new{number}_") for id in taken):
            number += 1
        return f"new{number}_"

    def requests(self, place: int, form: str, given: Any) -> list[Request]:
        """Return the requests that a form means.

        Raises:
            BadArguments: it does not fit, with its place.
        """
        where = f"requests[{place}].{form}"
        try:
            check_form(given, *FORMS[form])
            make: Callable[[Given], list[Request]] = getattr(self, _method(form))
            return make(given)
        except BadArguments as error:
            message = f"{where}: {error.message}"
            raise BadArguments([Problem(where, message, error.given)]) from error

    def note(self, request: Request) -> None:
        """Take a request of the caller's own into account, for the forms after it."""
        [(kind, given)] = request.items()
        id = given.get("objectId", "")
        if kind == "createSlide":
            new = id or f"unnamed {next(self._unnamed)}"  # with a space, which no object id has
            self.order.insert(given.get("insertionIndex", len(self.order)), new)
        elif kind == "deleteObject" and id in self.order:
            self.order.remove(id)
        elif kind in ("insertText", "deleteText"):
            is_all = given.get("textRange", {}).get("type") == "ALL"
            self._filled[_place_of(given)] = kind == "insertText" or (False if is_all else None)

    def _slide(self, wanted: str | int, field: str = "slide") -> Slide:
        """Return a slide that is still there."""
        slide = self.deck.slide(wanted, field)
        if slide.id not in self.order:
            raise BadArguments(f"Slide {slide.number} {slide.id} was deleted by a request before this one.")
        return slide

    def _replace_text(self, given: Given) -> list[Request]:
        criteria = {"text": text_in(given, "find"), "matchCase": bool(given.get("matchCase", True))}
        request: Request = {"containsText": criteria, "replaceText": text_in(given, "replace", or_empty=True)}
        if "slides" in given:
            request["pageObjectIds"] = [self._slide(one, "slides").id for one in slides_in(given)]
        return [{"replaceAllText": request}]

    def _set_text(self, given: Given) -> list[Request]:
        id, text = str(given["object"]), text_in(given, "text", or_empty=True)
        found = self.deck.find(id)
        element = found[1] if found else None
        if element is not None and element.rows:
            if "row" not in given or "column" not in given:
                raise BadArguments(f"{id} is a table: pass row and column, which count from 0.")
            row, column = (number_in(given, name, 0) for name in ("row", "column"))
            return self._cell(element, row, column, text)
        if found and found[0].id == id:
            texts = ", ".join(f"{one.id} ({one.kind})" for one in found[0].elements)
            raise BadArguments(f"{id} is a slide, which has no text of its own. On it: {texts or 'nothing'}.")
        content = element.content if element is not None else None
        if found and found[0].notes_id == id:
            content = found[0].notes
        return self._written({"objectId": id}, text, is_filled=bool(plain(content)))

    def _set_notes(self, given: Given) -> list[Request]:
        slide, text = self._slide(given["slide"]), text_in(given, "text", or_empty=True)
        return self._written({"objectId": slide.notes_id}, text, is_filled=bool(plain(slide.notes)))

    def _written(self, target: Request, text: str, *, is_filled: bool) -> list[Request]:
        place = _place_of(target)
        found: list[Request] = []
        filled = self._filled.get(place, is_filled)
        if filled is None:  # Google refuses to delete nothing
            found.append({"insertText": {**target, "text": " "}})
        if filled is not False:
            found.append({"deleteText": {**target, "textRange": {"type": "ALL"}}})
        if text and "cellLocation" in target:
            found.append({"insertText": {**target, "text": text}})
        elif text:
            found += worded(blocks_of(text)).requests(target)
        self._filled[place] = bool(text)
        return found

    def _fill_table(self, given: Given) -> list[Request]:
        id = str(given["table"])
        found = self.deck.find(id)
        element = found[1] if found else None
        if element is None or not element.rows:
            tables = [one.id for slide in self.deck.slides for one in slide.elements if one.rows]
            raise BadArguments(f"There is no table '{id}'. Tables: {', '.join(tables) or 'none'}.")
        rows = given["rows"]
        top, left = (number_in(given, name, 0, absent=0) for name in ("row", "column"))
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise BadArguments("rows must be a list of rows, each a list of cells.")
        requests: list[Request] = []
        for down, row in enumerate(rows):
            for across, cell in enumerate(row):
                if cell is not None:
                    requests += self._cell(element, top + down, left + across, str(cell))
        return requests

    def _cell(self, element: SlideElement, row: int, column: int, text: str) -> list[Request]:
        for cells in element.rows:
            for cell in cells:
                at = cell.get("location", {})
                if (at.get("rowIndex", 0), at.get("columnIndex", 0)) == (row, column):
                    location = {"rowIndex": row, "columnIndex": column}
                    target = {"objectId": element.id, "cellLocation": location}
                    return self._written(target, text, is_filled=bool(plain(cell.get("text"))))
        table = element.data["table"]
        size = f"{table.get('rows', 0)} rows and {table.get('columns', 0)} columns"
        raise BadArguments(
            f"{element.id} has no cell at row {row}, column {column}: it has {size}, counted from 0, and "
            "merged cells count once. insertTableRows and insertTableColumns add some."
        )

    def _move_slides(self, given: Given) -> list[Request]:
        chosen = {self._slide(one, "slides").id for one in slides_in(given)}
        return self._moved([id for id in self.order if id in chosen], given)

    def _moved(self, moved: Sequence[str], given: Given) -> list[Request]:
        to = number_in(given, "to", 1, len(self.order))
        rest = [id for id in self.order if id not in moved]
        at = self.order.index(rest[to - 1]) if to <= len(rest) else len(self.order)
        self.order = [*rest[: to - 1], *moved, *rest[to - 1 :]]
        return [{"updateSlidesPosition": {"slideObjectIds": list(moved), "insertionIndex": at}}]

    def _duplicate_slide(self, given: Given) -> list[Request]:
        slide = self._slide(given["slide"])
        self._copies += 1
        new = f"{self.builder.prefix}copy{self._copies}"
        self.order.insert(self.order.index(slide.id) + 1, new)
        found: list[Request] = [{"duplicateObject": {"objectId": slide.id, "objectIds": {slide.id: new}}}]
        return found + (self._moved([new], given) if "to" in given else [])

    def _add_slides(self, given: Given) -> list[Request]:
        drafts = drafts_of(text_in(given, "markdown"), self.losses)
        at = number_in(given, "at", 1, len(self.order) + 1, absent=len(self.order) + 1)
        if not drafts:
            raise BadArguments("The markdown has no slide: begin one with a heading.")
        if self.drafts:
            raise BadArguments("Pass all new slides in one addSlides.")
        self.drafts = drafts
        names = [self.builder.id(number) for number in range(1, len(drafts) + 1)]
        self.order[at - 1 : at - 1] = names
        return self.builder.build(drafts, at - 1)


def _method(form: str) -> str:
    return "_" + re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", form)


def _place_of(target: Request) -> _TextPlace:
    cell = target.get("cellLocation", {})
    return target.get("objectId", ""), cell.get("rowIndex", 0), cell.get("columnIndex", 0)


def _page(deck: SlideDeck) -> tuple[float, float]:
    size = deck.data.get("pageSize", {})
    width, height = (size.get(name, {}).get("magnitude", 0) for name in ("width", "height"))
    return (width, height) if width and height else PAGE
