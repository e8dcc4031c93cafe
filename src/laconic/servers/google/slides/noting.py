"""Noting: speaker notes of new slides, in a batch of their own, because their places exist only now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from laconic.kit import Conflict, Failure, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.batches import send_batch
from laconic.servers.google.slides.building import SlideBuilder
from laconic.servers.google.slides.deck import Slide, SlideDeck
from laconic.servers.google.slides.drafts import SlideDraft
from laconic.servers.google.slides.telling import counted
from laconic.servers.google.slides.texts import plain
from laconic.servers.google.slides.wording import Request

_FIELDS: Final = "slides(objectId,slideProperties.notesPage)"
_ADVICE: Final = "Do not repeat what is done: write missing notes with slides_edit and setNotes."


async def write_notes(
    access: Access, id: str, drafts: Sequence[SlideDraft], builder: SlideBuilder, done: str
) -> int:
    """Write the notes of new slides; return of how many. `done` says what is there already.

    Raises:
        Conflict: they could not be written, or it is not known; the slides are there.
    """
    wanted = {builder.id(at): "\n".join(one.notes) for at, one in enumerate(drafts, 1) if one.notes}
    if not wanted:
        return 0
    try:
        await _written(access, id, wanted)
    except Failure as failure:
        notes = f"the notes of {counted(len(wanted), 'slide')}"
        why = f"{done} But not {notes}: {failure.message}"
        raise Conflict(why, changed=True, advice=_ADVICE) from failure
    return len(wanted)


async def _written(access: Access, id: str, wanted: Mapping[str, str]) -> None:
    try:
        await send_batch(access, "slides", id, _requests(await _slides(access, id, wanted), wanted))
    except UpstreamDown as failure:
        slides = await _slides(access, id, wanted)
        if any(plain(one.notes) for one in slides):
            return  # only the answer was lost: a batch is done as a whole
        if not slides:
            raise failure from None
        await send_batch(access, "slides", id, _requests(slides, wanted))


async def _slides(access: Access, id: str, wanted: Mapping[str, str]) -> list[Slide]:
    deck = SlideDeck(await access.call("slides_get", presentationId=id, fields=_FIELDS))
    return [slide for slide in deck.slides if slide.id in wanted]


def _requests(slides: Sequence[Slide], wanted: Mapping[str, str]) -> list[Request]:
    return [{"insertText": {"objectId": one.notes_id, "text": wanted[one.id]}} for one in slides]
