"""The whole document, or a section of it, as markdown, with what markdown could not express."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from laconic.servers.google.docs.markdown.writing import MarkdownWriter
from laconic.servers.google.docs.reading.blocking import blocks_of
from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.docs.reading.document import Document, Tab
from laconic.servers.google.docs.reading.outline import Section


@dataclass(frozen=True)
class MarkdownView:
    """Markdown of a document, and what it leaves out: names with how often each occurs."""

    text: str
    losses: Losses

    @property
    def left_out(self) -> str:
        """What markdown could not express, in words; empty if nothing."""
        return ", ".join(f"{words} ({count})" for words, count in self.losses.most_common())


def view_of(document: Document, part: Section | Tab | None = None) -> MarkdownView:
    """Return a document, one tab or one section as markdown.

    Tabs, if there are several, and headers and footers are set apart by comments.
    """
    losses = Losses()
    writer = MarkdownWriter()
    if isinstance(part, Section):
        blocks = blocks_of(part.tab, part.segment, losses, part.start, part.end)
        return MarkdownView("".join(writer.write(blocks)), losses)
    tabs = [part] if isinstance(part, Tab) else document.tabs
    texts = [text for tab in tabs for text in _tab(tab, losses, is_named=len(document.tabs) > 1)]
    return MarkdownView("\n\n".join(text for text in texts if text), losses)


def _tab(tab: Tab, losses: Losses, *, is_named: bool) -> Iterator[str]:
    if is_named:
        yield f"<!-- tab {tab.id}: {tab.title} -->"
    for segment in tab.segments:
        if segment.kind == "footnote":
            continue
        text = "".join(MarkdownWriter().write(blocks_of(tab, segment, losses)))
        if segment.kind != "body" and text:
            yield f"<!-- {segment.kind} {segment.id} -->"
        yield text
