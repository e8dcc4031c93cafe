"""Opening: the presentation that a request is about, and how it is shown."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.answering import AskedGoogle
from laconic.sandbox.google.decks.deck import new_deck, revision_of
from laconic.sandbox.google.drive.files import GOOGLE, file_of, role_of
from laconic.sandbox.google.refusals import wrong_kind

__all__ = ["deck_of", "shown"]

Row = dict[str, Any]
_OWN: Final = ("id", "made", "presets", "comments")  # what is kept and not shown


def deck_of(asked: AskedGoogle, least: str = "reader") -> tuple[Row, Row]:
    """Return the presentation that a request is about, and its file."""
    row = file_of(asked, asked.given["presentationId"], least)
    if row["mimeType"] != f"{GOOGLE}presentation":
        raise wrong_kind("FAILED_PRECONDITION")
    decks = asked.state.rows("decks")
    found = decks.get(row["id"]) or new_deck(asked.state, row["id"], row["name"])
    return found, row


def shown(asked: AskedGoogle, deck: Row, row: Row) -> Row:
    """Return a presentation as it is shown."""
    found = {key: value for key, value in deck.items() if key not in _OWN}
    found["title"] = row["name"]
    if role_of(asked.state, row, asked.person) not in ("reader", "commenter"):
        found["revisionId"] = revision_of(row)
    return found
