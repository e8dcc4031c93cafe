"""The operations of Sheets, by their names in the catalogue, and batches of requests."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle, Handler
from laconic.sandbox.google.books.book import Row, check_size
from laconic.sandbox.google.drive.changing import touch
from laconic.sandbox.google.drive.files import file_of
from laconic.sandbox.google.refusals import GoogleRefusal, not_done
from laconic.sandbox.google.sheets import spreadsheets, values
from laconic.sandbox.google.sheets.requests import Request
from laconic.sandbox.google.sheets.requests.cells import CELLS
from laconic.sandbox.google.sheets.requests.formats import FORMATS
from laconic.sandbox.google.sheets.requests.moving import MOVING
from laconic.sandbox.google.sheets.requests.protections import PROTECTIONS
from laconic.sandbox.google.sheets.requests.structure import STRUCTURE

__all__ = ["KINDS", "SHEETS", "batch"]

SHEETS: Mapping[str, Handler] = {**spreadsheets.HANDLERS, **values.HANDLERS}
KINDS: Mapping[str, Request] = {**CELLS, **FORMATS, **MOVING, **PROTECTIONS, **STRUCTURE}


def batch(asked: AskedGoogle) -> AnsweredGoogle:
    """Carry out all requests of a batch, or none."""
    book = values.opened(asked, "writer")
    draft = deepcopy(book)
    replies: list[Row] = []
    for place, request in enumerate(asked.body.get("requests", [])):
        if len(request) != 1:
            raise GoogleRefusal(
                400, "badRequest", f"Invalid requests[{place}]: exactly one request is expected."
            )
        [(kind, given)] = request.items()
        if kind not in KINDS:
            raise not_done(f"sheets.spreadsheets.batchUpdate#{kind}")
        try:
            replies.append(KINDS[kind](draft, given))
        except GoogleRefusal as refusal:
            text = (
                refusal.message.rpartition("].")[2].partition(": ")[2]
                if refusal.message.startswith("Invalid requests")
                else refusal.message
            )
            raise GoogleRefusal(400, refusal.reason, f"Invalid requests[{place}].{kind}: {text}") from None
    check_size(draft)
    book |= draft
    touch(asked, file_of(asked, asked.given["spreadsheetId"], "writer"))
    return AnsweredGoogle({"spreadsheetId": book["id"], "replies": replies})
