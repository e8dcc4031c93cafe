"""Making presentations: empty ones, and whole ones from markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from laconic.kit import BadArguments, Failure, Problem
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.batches import send_batch
from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.slides.building import SlideBuilder
from laconic.servers.google.slides.drafts import SlideDraft, drafts_of, not_kept
from laconic.servers.google.slides.noting import write_notes

_PREFIX: Final = "slide_"
_FILL: Final = "Fill it with slides_edit and addSlides, or delete it."


async def make_deck(access: Access, title: str, markdown: str | None) -> str:
    """Create a presentation; with markdown, its slides and their notes.

    Raises:
        Failure: it was not created, or could not be filled; then it says which one is there.
    """
    losses = Losses()
    drafts = drafts_of(markdown, losses) if markdown else []
    if markdown is not None and not drafts:
        raise BadArguments([Problem("markdown", "The markdown has no slide: begin one with a heading.")])
    made = await access.call("slides_create", title=title, fields="presentationId,slides.objectId")
    id = made["presentationId"]
    address = f"https://docs.google.com/presentation/d/{id}/edit"
    if not drafts:
        return f"Created {id}: {address}"
    try:
        await _fill(access, id, drafts, [one["objectId"] for one in made.get("slides", [])])
    except Failure as failure:
        is_empty = failure.changed is False
        state = "but its slides were not" if is_empty else "but perhaps not its slides"
        failure.message = f"The presentation {id} was created, {state}: {failure.message}"
        failure.says_changed = failure.changed = True
        failure.advice = _FILL if is_empty else f"Look at it with slides_getPresentation. If empty: {_FILL}"
        raise
    first, last = SlideBuilder(_PREFIX).id(1), SlideBuilder(_PREFIX).id(len(drafts))
    slides = f"{len(drafts)} slides, {first} to {last}" if len(drafts) > 1 else f"1 slide, {first}"
    created = f"Created {id} with {slides}"
    noted = await write_notes(access, id, drafts, SlideBuilder(_PREFIX), f"{created}.")
    notes = f", {noted} with notes" if noted else ""
    return f"{created}{notes}: {address}{not_kept(losses, '. ')}"


async def _fill(access: Access, id: str, drafts: Sequence[SlideDraft], old: Sequence[str]) -> None:
    requests = SlideBuilder(_PREFIX).build(drafts)
    requests += [{"deleteObject": {"objectId": one}} for one in old]
    await send_batch(access, "slides", id, requests)
