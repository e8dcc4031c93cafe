"""Drafts: markdown as slides, each with a title, a body, tables, images and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.reading.blocks import Block, Span, Spans

_NOTES: Final = re.compile(r"(?:speaker )?notes?:\s*", re.IGNORECASE)
_ALT: Final = re.compile(r"!\[([^\]\n]+)\]\(<?([^)\s>]+)")


@dataclass
class SlideDraft:
    """What a slide is to show."""

    title: Spans = ()
    level: int = 0  # of its heading
    body: list[Block] = field(default_factory=list)
    tables: list[Block] = field(default_factory=list)
    images: list[tuple[str, str]] = field(default_factory=list)  # addresses with descriptions
    notes: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """True if nothing is on it."""
        return not (self.title or self.body or self.tables or self.images or self.notes)


def drafts_of(markdown: str) -> list[SlideDraft]:
    """Return the slides of a text: one for each heading of the first two levels, and after each rule."""
    alts = {url: alt for alt, url in _ALT.findall(markdown)}
    drafts, in_notes = [SlideDraft()], False
    for block in parse_markdown(markdown):
        is_heading = block.kind == "heading" and block.level <= 2
        if block.kind == "rule" or is_heading:
            in_notes = False
            if not drafts[-1].is_empty:
                drafts.append(SlideDraft())
            if is_heading:
                drafts[-1].title, drafts[-1].level = tuple(_words(block.spans)), block.level
            continue
        found = _NOTES.match(block.plain) if block.kind == "paragraph" else None
        in_notes = in_notes or found is not None
        if in_notes:
            text = block.plain[found.end() :] if found else block.plain
            drafts[-1].notes += [text] if text else []
        else:
            _add(drafts[-1], block, alts)
    return [draft for draft in drafts if not draft.is_empty]


def _add(draft: SlideDraft, block: Block, alts: dict[str, str]) -> None:
    if block.kind == "table":
        draft.tables.append(block)
        return
    draft.images += [(span.image, alts.get(span.image, "")) for span in block.spans if span.image]
    words = tuple(_words(block.spans))
    if block.kind == "heading":
        words = tuple(span._replace(bold=True) for span in words)
    if "".join(span.text for span in words).strip():
        draft.body.append(block._replace(spans=words))


def _words(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what is text; footnotes are in brackets, images are elsewhere."""
    for span in spans:
        if span.note is not None:
            yield Span(f" ({''.join(one.text for one in span.note)})")
        elif not span.image:
            yield span
