"""Making presentations: empty ones, and whole ones from markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.kit import BadArguments, Failure, Problem
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.batches import send_batch
from laconic.servers.google.slides.building import SlideBuilder
from laconic.servers.google.slides.deck import SlideDeck
from laconic.servers.google.slides.drafts import SlideDraft, drafts_of

_PREFIX = "slide_"


async def make_deck(access: Access, title: str, markdown: str | None) -> str:
    """Create a presentation; with markdown, its slides and their notes.

    Raises:
        Failure: it was not created, or could not be filled; then it says which one is there.
    """
    drafts = drafts_of(markdown) if markdown else []
    if markdown is not None and not drafts:
        raise BadArguments([Problem("markdown", "The markdown has no slide: begin one with a heading.")])
    made = await access.call("slides_create", title=title, fields="presentationId,slides.objectId")
    id = made["presentationId"]
    address = f"https://docs.google.com/presentation/d/{id}/edit"
    if not drafts:
        return f"Created {id}: {address}"
    try:
        noted = await _fill(access, id, drafts, [one["objectId"] for one in made.get("slides", [])])
    except Failure as failure:
        failure.message = f"The presentation {id} was created, but its slides were not: {failure.message}"
        failure.says_changed = failure.changed = True
        failure.advice = "Fill it with slides_edit and addSlides, or delete it."
        raise
    first, last = SlideBuilder(_PREFIX).id(1), SlideBuilder(_PREFIX).id(len(drafts))
    slides = f"{len(drafts)} slides, {first} to {last}" if len(drafts) > 1 else f"1 slide, {first}"
    notes = f", {noted} with notes" if noted else ""
    return f"Created {id} with {slides}{notes}: {address}"


async def _fill(access: Access, id: str, drafts: Sequence[SlideDraft], old: Sequence[str]) -> int:
    requests = SlideBuilder(_PREFIX).build(drafts)
    requests += [{"deleteObject": {"objectId": one}} for one in old]
    await send_batch(access, "slides", id, requests)
    return await write_notes(access, id, drafts, SlideBuilder(_PREFIX))


async def write_notes(access: Access, id: str, drafts: Sequence[SlideDraft], builder: SlideBuilder) -> int:
    """Write the notes of new slides, whose places exist only now; return of how many."""
    wanted = {builder.id(number): draft.notes for number, draft in enumerate(drafts, 1) if draft.notes}
    if not wanted:
        return 0
    deck = SlideDeck(await access.call("slides_get", presentationId=id, fields=_NOTES))
    requests: list[dict[str, Any]] = [
        {"insertText": {"objectId": slide.notes_id, "text": "\n".join(wanted[slide.id])}}
        for slide in deck.slides
        if slide.id in wanted
    ]
    await send_batch(access, "slides", id, requests)
    return len(requests)


_NOTES = "slides(objectId,slideProperties.notesPage.notesProperties)"
