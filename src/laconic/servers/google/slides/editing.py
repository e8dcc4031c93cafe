"""Editing: requests of Google's kinds and forms of our own, checked here, and sent as one batch."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.batches import send_batch
from laconic.servers.google.catalogue.batches import checked_request, kinds_of
from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.slides.deck import SlideDeck
from laconic.servers.google.slides.drafts import not_kept
from laconic.servers.google.slides.forms import FORMS
from laconic.servers.google.slides.noting import write_notes
from laconic.servers.google.slides.planning import SlidePlan
from laconic.servers.google.slides.telling import counted, outcome, telling_slides
from laconic.servers.google.slides.trying import makes, new_id_of, tried
from laconic.servers.google.slides.wording import Request
from laconic.text import did_you_mean, nearest

_ID: Final = re.compile(r"\w[\w:-]{4,49}", re.ASCII)
_EXAMPLE: Final = "insertText, or a form such as setNotes"


async def edit_deck(
    access: Access, id: str, given: Sequence[Mapping[str, Any]], revision: str | None, *, dry_run: bool
) -> str:
    """Carry out requests and forms: all of them, or none.

    Raises:
        BadArguments: one is unknown, or does not fit; with its place, and what there is instead.
        Moved: the presentation is not the one that was read.
    """
    _check_kinds(given)
    has_forms = any(kind in FORMS for one in given for kind in one)
    deck = await SlideDeck.of(access, id) if has_forms or dry_run else None
    plan = SlidePlan(deck) if deck is not None else None
    requests = [part for place, one in enumerate(given) for part in _made(plan, place, one)]
    if not requests:
        return "Nothing is to be changed."
    if dry_run and deck is not None:
        return tried(deck, requests) + not_kept(plan.losses if plan is not None else Losses(), "\n")
    control = revision or (deck.revision if deck is not None else "")
    async with telling_slides(access, id, requests, control):
        done = await send_batch(
            access, "slides", id, requests, {"requiredRevisionId": control} if control else None
        )
    if plan is None:
        return outcome(requests, done.get("replies", []), _revision(done))
    lost = not_kept(plan.losses)
    told = outcome(requests, done.get("replies", []), "")
    noted = await write_notes(access, id, plan.drafts, plan.builder, told)
    if noted:
        return f"{told} Wrote the notes of {counted(noted, 'slide')}.{lost}"
    return outcome(requests, done.get("replies", []), _revision(done)) + lost


def _revision(done: Mapping[str, Any]) -> str:
    return str(done.get("writeControl", {}).get("requiredRevisionId", ""))


def _check_kinds(given: Sequence[Mapping[str, Any]]) -> None:
    known = [*kinds_of("slides"), *FORMS]
    for place, one in enumerate(given):
        if len(one) != 1 or next(iter(one)) not in known:
            word = next(iter(one), "")
            hint = did_you_mean(nearest(word, known), quote="'")
            forms = ", ".join(f"{name} {{{', '.join(needed)}}}" for name, (needed, _) in FORMS.items())
            message = (
                f"Invalid requests[{place}]: expected one key, a kind of request, such as {_EXAMPLE}.{hint} "
                f"Forms: {forms}. tools_find finds Google's kinds."
            )
            raise BadArguments([Problem(f"requests[{place}]", message, word)])


def _made(plan: SlidePlan | None, place: int, one: Mapping[str, Any]) -> list[Request]:
    [(kind, inner)] = one.items()
    if plan is not None and kind in FORMS:
        return plan.requests(place, kind, inner)
    request = checked_request("slides", "presentationId", place, one, _EXAMPLE)
    _check_inner(f"requests[{place}].{kind}", kind, request[kind])
    if plan is not None:
        plan.note(request)
    return [request]


def _check_inner(where: str, kind: str, given: Mapping[str, Any]) -> None:
    """Refuse what Google would refuse with less helpful words."""
    new = new_id_of(kind, given)
    if new and not _ID.fullmatch(new):
        message = (
            f"{where}: an object id has 5 to 50 letters, digits, _, - or :, and does not begin with - or :."
        )
        raise BadArguments([Problem(f"{where}.objectId", message, new)])
    about = given.get("elementProperties", {})
    if makes(kind) and kind not in ("createSlide", "groupObjects") and not about.get("pageObjectId"):
        message = f"{where}: elementProperties.pageObjectId, the slide, is missing."
        raise BadArguments([Problem(f"{where}.elementProperties", message)])
    is_moved = kind == "updatePageElementTransform"
    move = given.get("transform") if is_moved else about.get("transform")
    if move is not None and not (move.get("scaleX") or move.get("shearX")):
        message = f"{where}: the transform needs scaleX and scaleY (1 keeps the size) and unit, EMU or PT."
        raise BadArguments([Problem(f"{where}.transform", message, move)])
