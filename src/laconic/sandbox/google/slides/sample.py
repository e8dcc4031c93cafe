"""The sample presentation: a harbour's plan, made by the same requests that callers send."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.answering import AskedGoogle
from laconic.sandbox.google.decks.deck import new_deck, text_of
from laconic.sandbox.google.decks.objects import Editing
from laconic.sandbox.google.slides.operations import SLIDE_KINDS

__all__ = ["add_deck"]

Row = dict[str, Any]
_PLAN: Final = (
    "North pier: 12 berths\n\tSix for guests\n\tSix for fishing boats\nCrane moves in May\nFees stay"
)
_ROWS: Final = (("Work", "Weeks", "Cost"), ("Piles", "6", "42,000"), ("Deck", "4", "18,500"))
_LEFT: Final = {"scaleX": 1, "scaleY": 1, "translateX": 311_700, "translateY": 1_200_000, "unit": "EMU"}


def add_deck(asked: AskedGoogle, row: Row) -> None:
    """Fill a file with the presentation."""
    deck = new_deck(asked.state, row["id"], row["name"])
    editing = Editing(deck, asked)
    for request in [*_title(), *_plan(), *_table(), *_picture()]:
        [(kind, given)] = request.items()
        SLIDE_KINDS[kind](editing, given)
    notes = deck["slides"][1]["slideProperties"]["notesPage"]["notesProperties"]["speakerNotesObjectId"]
    text = "Say that the guests pay for their own berths.\nAsk Bob about the crane."
    SLIDE_KINDS["insertText"](editing, {"objectId": notes, "text": text})
    row["text"] = text_of(deck)


def _title() -> list[Row]:
    return [
        {"insertText": {"objectId": "i0", "text": "Harbour plan 2027"}},
        {"insertText": {"objectId": "i1", "text": "For the council, ⚓ 12 October"}},
    ]


def _slide(id: str, layout: str, **placeholders: str) -> Row:
    mappings = [
        {"layoutPlaceholder": {"type": kind}, "objectId": object} for kind, object in placeholders.items()
    ]
    reference = {"predefinedLayout": layout}
    return {
        "createSlide": {"objectId": id, "slideLayoutReference": reference, "placeholderIdMappings": mappings}
    }


def _plan() -> list[Row]:
    return [
        _slide("plan_slide", "TITLE_AND_BODY", TITLE="plan_title", BODY="plan_body"),
        {"insertText": {"objectId": "plan_title", "text": "What we build"}},
        {"insertText": {"objectId": "plan_body", "text": _PLAN}},
        {"createParagraphBullets": {"objectId": "plan_body", "textRange": {"type": "ALL"}}},
    ]


def _table() -> list[Row]:
    about = {"pageObjectId": "cost_slide", "transform": _LEFT}
    found: list[Row] = [
        _slide("cost_slide", "TITLE_ONLY", TITLE="cost_title"),
        {"insertText": {"objectId": "cost_title", "text": "What it costs"}},
        {"createTable": {"objectId": "cost_table", "rows": 3, "columns": 3, "elementProperties": about}},
    ]
    for down, cells in enumerate(_ROWS):
        for across, text in enumerate(cells):
            place = {"rowIndex": down, "columnIndex": across}
            found.append({"insertText": {"objectId": "cost_table", "cellLocation": place, "text": text}})
    return found


def _picture() -> list[Row]:
    about = {"pageObjectId": "view_slide", "transform": _LEFT}
    url = "https://pictures.harbour.example/north-pier.png"
    return [
        _slide("view_slide", "TITLE_ONLY", TITLE="view_title"),
        {"insertText": {"objectId": "view_title", "text": "The view from the pier"}},
        {"createImage": {"objectId": "view_image", "url": url, "elementProperties": about}},
        {"updatePageElementAltText": {"objectId": "view_image", "description": "Boats at the north pier"}},
    ]
