"""Drafts: markdown as slides, each with a title, a body, tables, images and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.reading.blocks import Block, Losses, Span, Spans

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


def not_kept(losses: Losses, before: str = " ") -> str:
    """Return what slides cannot have of a markdown text, in words; nothing if they have all of it."""
    told = ", ".join(f"{words} ({count})" for words, count in losses.most_common())
    return f"{before}Not kept: {told}." if told else ""


def drafts_of(markdown: str, losses: Losses | None = None) -> list[SlideDraft]:
    """Return the slides of a text: one for each heading of the first two levels, and after each rule."""
    losses = Losses() if losses is None else losses
    alts = {url: alt for alt, url in _ALT.findall(markdown)}
    drafts, in_notes = [SlideDraft()], False
    for block in parse_markdown(markdown, losses):
        is_heading = block.kind == "heading" and block.level <= 2
        if block.kind == "rule" or is_heading:
            in_notes = False
            if not drafts[-1].is_empty:
                drafts.append(SlideDraft())
            if is_heading:
                drafts[-1].title, drafts[-1].level = tuple(_words(block.spans)), block.level
                drafts[-1].images += _images(block.spans, alts)
            continue
        found = _NOTES.match(block.plain) if block.kind == "paragraph" else None
        in_notes = in_notes or found is not None
        if in_notes:
            text = block.plain[found.end() :] if found else block.plain
            drafts[-1].notes += [text] if text else []
            losses["tables in notes"] += block.kind == "table"
            losses["images in notes"] += len(_images(block.spans, alts))
        else:
            _add(drafts[-1], block, alts, losses)
    del losses["descriptions of images"]  # slides have them
    losses += Losses()  # without what is 0
    return [draft for draft in drafts if not draft.is_empty]


def _add(draft: SlideDraft, block: Block, alts: dict[str, str], losses: Losses) -> None:
    if block.kind == "table":
        losses["images in tables"] += sum(len(_images(cell, alts)) for row in block.rows for cell in row)
        rows = tuple(tuple(tuple(_words(cell)) for cell in row) for row in block.rows)
        draft.tables.append(block._replace(rows=rows))
        return
    draft.images += _images(block.spans, alts)
    words = tuple(_words(block.spans))
    if block.kind == "heading":
        words = tuple(span._replace(bold=True) for span in words)
    if "".join(span.text for span in words).strip():
        draft.body.append(block._replace(spans=words))


def _images(spans: Iterable[Span], alts: dict[str, str]) -> list[tuple[str, str]]:
    return [(span.image, alts.get(span.image, "")) for span in spans if span.image]


def _words(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what is text; footnotes are in brackets, images are elsewhere."""
    for span in spans:
        if span.note is not None:
            yield Span(f" ({''.join(one.text for one in span.note)})")
        elif not span.image:
            yield span
