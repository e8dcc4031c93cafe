"""Opening a presentation: its outline as it is, or as it was when somebody began to read it in pages."""

from __future__ import annotations

from typing import Any, Final

from laconic.servers.google.api.access import Access
from laconic.servers.google.kept import HeldWords, Holding, KeptText, own_revision
from laconic.servers.google.slides.deck import SlideDeck
from laconic.servers.google.slides.outline import outline, slide_data

WORDS: Final = HeldWords(
    as_then="The presentation was changed since you began: these slides are as they were then.",
    ours="You changed the presentation since the page before, so slides may have moved.",
    gone="The presentation was changed, and the version that you began to read is not kept any longer.",
)
_PASSING: Final = "contentUrl"  # the address of an image: it lasts half an hour


def outline_of(access: Access, id: str) -> Holding:
    """Return how the outline of a presentation is read in pages of one version."""

    async def ask() -> KeptText:
        began = access.kept.now()
        return _as_text(await SlideDeck.of(access, id), began)

    async def ask_revision() -> str:
        answer = await access.call("slides_get", presentationId=id, fields="revisionId")
        return str(answer.get("revisionId", ""))

    return Holding(access.kept, id, "outline", ask, ask_revision, WORDS)


def _as_text(deck: SlideDeck, began: float) -> KeptText:
    slides = [{**slide_data(deck, one, in_full=False), "words": outline(one)} for one in deck.slides]
    revision = deck.revision or own_revision(_lasting(deck.data))
    return KeptText.of_data(slides, revision, began, deck.title)


def _lasting(data: Any) -> Any:
    """Return data without what changes though nobody changed it."""
    if isinstance(data, dict):
        return {name: _lasting(one) for name, one in data.items() if name != _PASSING}
    return [_lasting(one) for one in data] if isinstance(data, list) else data
