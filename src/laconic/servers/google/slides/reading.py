"""Reading presentations: an outline in pages, one slide in full, also as data."""

from __future__ import annotations

from dataclasses import replace

from laconic.kit import Page, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.kept import is_own
from laconic.servers.google.models.slides import SlideOutline
from laconic.servers.google.slides.deck import SlideDeck
from laconic.servers.google.slides.opening import outline_of
from laconic.servers.google.slides.outline import slide_data, whole_slide


async def read_deck(
    access: Access, id: str, slide: str | None, window: Window
) -> Page[SlideOutline] | SlideOutline:
    """Return what a presentation says, or all about one slide.

    Raises:
        Failure: there is no such presentation or slide.
    """
    if slide is None:
        return await _outline(access, id, window)
    deck = await SlideDeck.of(access, id)
    one = deck.slide(slide)
    whole = f"{_head(deck.title, deck.revision)}\n{whole_slide(deck, one)}"
    return SlideOutline(**slide_data(deck, one, in_full=True)).in_full(whole)


async def _outline(access: Access, id: str, window: Window) -> Page[SlideOutline]:
    """Return a page of the outline; all pages are of the version of the first.

    Raises:
        Conflict: that is not kept any longer, and somebody else changed the presentation.
    """
    holding = outline_of(access, id)
    if window.position is None:
        found = await holding.ask()
        remark = _head(found.title, "" if is_own(found.revision) else found.revision)
    else:
        last, mark = window.position
        found, remark = await holding.reopened(str(mark))
        window = replace(window, position=(last, found.mark))
    slides = [SlideOutline(**one) for one in found.data]
    if window.position is None and len(slides) > 1:  # also a page that is too long is cut
        await holding.hold(found)
    page = window.cut(slides, key=lambda item: (item.slide, found.mark))
    return replace(page, remark=remark)


def _head(title: str, revision: str) -> str:
    about = f"revision {revision}" if revision else "you may not change it"
    return f"'{' '.join(title.split())}', {about}."
