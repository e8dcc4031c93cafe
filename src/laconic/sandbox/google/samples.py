"""Sample files: a harbour's folder, the same every time."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.answering import AskedGoogle
from laconic.sandbox.google.books.book import new_book, new_sheet
from laconic.sandbox.google.books.cells import entered
from laconic.sandbox.google.docs.threads import new_post
from laconic.sandbox.google.drive.about import add_top
from laconic.sandbox.google.drive.changing import add_file, touch
from laconic.sandbox.google.drive.files import FOLDER, GOOGLE, files_of, permission, root_id
from laconic.sandbox.google.papers.converting.importing import import_document
from laconic.sandbox.google.papers.sample import HANDBOOK, add_handbook
from laconic.sandbox.google.site.blobs import Blobs
from laconic.sandbox.google.site.people import Person
from laconic.sandbox.google.slides.sample import add_deck
from laconic.sandbox.state import State

__all__ = ["ALICE", "BOB", "fill"]

ALICE: Final = "alice@harbour.example"
BOB: Final = "bob@harbour.example"
_DAY: Final = "2026-10-{:02}T09:00:00.000Z"
_SCOPE: Final = "https://www.googleapis.com/auth/drive"
_MONTHS: Final = ("January", "February", "March", "April", "May", "June")
_BOATS: Final = ("Albatross", "Bluebell", "Cormorant", "Dolphin", "Eider", "Fulmar", "Gannet", "Heron")
_TALK: Final = (
    (11, BOB, "Also on Sundays?"),
    (12, ALICE, "Only in summer."),
    (13, BOB, "Then say so here."),
)
_MINUTES: Final = """# Minutes of the harbour council

## Berths

The north pier gets twelve new berths. Bob asks three builders for offers.

## Crane

The crane is booked twice in May. Carol moves one of the bookings.

## Fees

Fees stay as they are until spring.
"""


def fill(state: State, blobs: Blobs, refresh: str) -> None:
    """Add people and files."""
    grant = {"id": refresh, "email": ALICE, "scope": _SCOPE, "client": "practice"}
    state.rows("grants")[refresh] = grant  # type: ignore[index]  # by text
    for email in (ALICE, BOB):
        root = root_id(email)
        files_of(state)[root] = {
            **{"id": root, "name": "My Drive", "mimeType": FOLDER, "version": 1, "trashed": False},
            **{
                "owner": email,
                "permissions": [permission("user", "owner", email)],
                "revisions": [],
                "order": 0,
            },
            **{"createdTime": _DAY.format(1), "modifiedTime": _DAY.format(1)},
        }
    harbour = _add(state, blobs, 2, name="Harbour", mimeType=FOLDER)
    inside: dict[str, Any] = {"parents": [harbour["id"]]}
    _budget(state, blobs, inside)
    _boats(state, blobs, inside)
    minutes = _document(state, blobs, 5, "Minutes October", _MINUTES, **inside)
    minutes["permissions"].append(permission("user", "writer", BOB))
    minutes["permissions"].append(permission("anyone", "reader"))
    _add(
        state,
        blobs,
        6,
        name="Pier plan.txt",
        mimeType="text/plain",
        text="North pier: 12 berths.\n",
        **inside,
    )
    _document(state, blobs, 7, "Old ideas", "Nothing yet.", trashed=True)
    _document(state, blobs, 8, "Bob's secrets", "Do not read.", by=BOB)
    shared = _add(state, blobs, 9, by=BOB, name="Ferry timetable", mimeType=f"{GOOGLE}spreadsheet")
    shared["permissions"].append(permission("user", "reader", ALICE))
    new_book(state, shared["id"], "Ferry timetable", "Time,Boat\n08:00,Dolphin\n12:00,Heron\n")
    _drive(state, blobs)
    add_handbook(state, _add(state, blobs, 10, name=HANDBOOK, mimeType=f"{GOOGLE}document", **inside))
    deck = _add(state, blobs, 11, name="Harbour plan", mimeType=f"{GOOGLE}presentation", **inside)
    add_deck(_asked(state, blobs, 11, ALICE), deck)


def _asked(state: State, blobs: Blobs, day: int, by: str) -> AskedGoogle:
    return AskedGoogle(state, blobs, Person(by, ("drive",)), _DAY.format(day), {})


def _add(state: State, blobs: Blobs, day: int, **fields: Any) -> dict[str, Any]:
    asked = _asked(state, blobs, day, fields.pop("by", ALICE))
    row = add_file(asked, fields)
    row["trashed"] = bool(fields.get("trashed"))
    if not row["mimeType"].startswith(GOOGLE):
        blobs.put(row["id"], str(fields.get("text", "")).encode())
    touch(asked, row)
    return row


def _document(state: State, blobs: Blobs, day: int, name: str, text: str, **fields: Any) -> dict[str, Any]:
    row = _add(state, blobs, day, name=name, mimeType=f"{GOOGLE}document", **fields)
    import_document(state, row, text, "text/markdown")
    return row


def _budget(state: State, blobs: Blobs, inside: dict[str, Any]) -> None:
    row = _add(state, blobs, 3, name="Budget 2026", mimeType=f"{GOOGLE}spreadsheet", **inside)
    book = new_book(state, row["id"], "Budget 2026", "Month,Fees,Repairs,Fuel,Balance\n")
    sheet = book["sheets"][0]
    sheet["properties"]["title"] = "Months"
    for place, month in enumerate(_MONTHS, 2):
        fees, repairs, fuel = 1200 + 150 * place, 300 + 40 * place, 210 + 5 * place
        sheet["rows"].append([month, fees, repairs, fuel, {"f": f"=B{place}-C{place}-D{place}"}])
    last = len(_MONTHS) + 1
    sums = [{"f": f"=SUM({letter}2:{letter}{last})"} for letter in "BCDE"]
    sheet["rows"].append(["Total", *sums])
    notes = new_sheet(book, {"title": "Notes & plans"})
    notes["rows"] += [["Note", "By", "When"], ["Fees rise in July", "Alice", entered("2026-07-01")]]
    fees_cells = {
        "sheetId": 0,
        "startRowIndex": 1,
        "endRowIndex": last,
        "startColumnIndex": 1,
        "endColumnIndex": 2,
    }
    book["namedRanges"].append({"namedRangeId": "fees", "name": "Fees", "range": fees_cells})


def _boats(state: State, blobs: Blobs, inside: dict[str, Any]) -> None:
    row = _add(state, blobs, 4, name="Boats and berths", mimeType=f"{GOOGLE}spreadsheet", **inside)
    lines = [f"{boat},{place},{8 + place % 5} m" for place, boat in enumerate(_BOATS * 15, 1)]
    book = new_book(state, row["id"], "Boats and berths", "\n".join(["Boat,Berth,Length", *lines]))
    book["sheets"][0]["properties"]["title"] = "Boats"


def _drive(state: State, blobs: Blobs) -> None:
    asked = _asked(state, blobs, 10, ALICE)
    drive = {
        "id": "0AHarbourOfficePVA",
        "name": "Harbour office",
        "createdTime": _DAY.format(1),
        "hidden": False,
    }
    full = {**drive, "permissions": [permission("user", "organizer", ALICE)], "request": "first"}
    state.rows("drives")[drive["id"]] = full  # type: ignore[index]  # by text
    add_top(asked, drive)
    hours = _add(
        state,
        blobs,
        10,
        name="Opening hours.txt",
        mimeType="text/plain",
        parents=[drive["id"]],
        text="9 to 5",
    )
    hours["talk"] = [_said(day, by, text) for day, by, text in reversed(_TALK)]


def _said(day: int, by: str, text: str) -> dict[str, Any]:
    """Return a comment that somebody made on a day."""
    person = Person(by, ("drive",))
    comment = new_post("comment", f"AAAAharbour{day}", text, person, _DAY.format(day))
    return {**comment, "resolved": False, "replies": []}
