"""A deck of ten slides from markdown: tokens and calls, beside the API's own JSON."""

from __future__ import annotations

import json
from typing import Final

from benchmarks.practice import call
from benchmarks.report import Table
from laconic.kit import Endpoint, Settings
from laconic.kit.testing import count_tokens
from laconic.servers.google.slides.building import SlideBuilder
from laconic.servers.google.slides.drafts import drafts_of
from laconic.servers.google.tools import google

__all__ = ["deck_table"]

_SLIDES: Final = 9
_OWN: Final = ("id", "made", "presets", "comments")  # what the practice instance keeps besides
_SLIDE: Final = (
    "## Pier {n}\n\n- Twelve berths, **six** for guests\n  - keys at the office\n- The crane comes in May\n"
    "- Fees stay as they are\n\nNotes: Thank the builders of pier {n}.\n\n"
)


async def deck_table() -> Table:
    """Measure what a model sends and reads to make a deck, and to read it again."""
    markdown = "# Harbour plan\n\nFor the council\n\n" + "".join(
        _SLIDE.format(n=n) for n in range(1, _SLIDES + 1)
    )
    endpoint = Endpoint([google], settings=Settings(sandbox=True))
    practice = endpoint.supplies.home("google").sandbox
    given = {"title": "Harbour plan", "markdown": markdown}
    made = await call(endpoint, "slides_createPresentation", **given)
    id = made.split()[1]
    asked = sum(one.path != "token" for one in practice.seen)
    outline = await call(endpoint, "slides_getPresentation", presentationId=id)
    await endpoint.close()
    requests = SlideBuilder("slide_").build(drafts_of(markdown))
    deck = {key: value for key, value in practice.state.rows("decks")[id].items() if key not in _OWN}
    sent, read = _tokens(given) + count_tokens(made), count_tokens(outline)
    raw_sent, raw_read = _tokens({"requests": requests}), _tokens(deck)
    rows = [
        [
            "make it from markdown",
            "1",
            str(asked),
            f"{raw_sent:,}",
            f"{sent:,}",
            f"{100 * sent / raw_sent:.0f} %",
        ],
        ["read it again", "1", "1", f"{raw_read:,}", f"{read:,}", f"{100 * read / raw_read:.0f} %"],
    ]
    caption = (
        "A deck of ten slides with nested lists and speaker notes: calls, HTTP requests, and tokens, with "
        "arguments, beside the API's compact JSON: the requests of one batch, and the presentation. The "
        "best-known servers with Slides take that JSON as it is, or one call for each of the requests "
        f"({len(requests)} here)."
    )
    return Table(caption, ["task", "calls", "requests", "raw tokens", "tokens", "of it"], rows)


def _tokens(data: object) -> int:
    return count_tokens(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
