"""Layout: blocks as requests that insert them at one place.

The text comes first, then tables, images and footnotes from last to first, so that none moves another one's
place; then styles, at the places that everything has by then; bullets last, also from last to first: they
remove the tabs that say how deep an item is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from laconic.servers.google.docs.reading.blocks import Block, Span, Spans
from laconic.servers.google.docs.reading.document import Segment, language_range
from laconic.servers.google.docs.reading.flow import units
from laconic.servers.google.docs.writing.bullets import Item, bullets
from laconic.servers.google.docs.writing.styles import FONT, paragraph_style, text_style

Request = dict[str, Any]
Made = tuple[Request, Spans | None]  # a request, and the text of the footnote that it makes
_ALIGNMENTS: Final = {"center": "CENTER", "right": "END"}


@dataclass
class Insertion:
    """Requests, and the footnotes among them, in their order: their texts need the ids of the reply."""

    requests: list[Request] = field(default_factory=list)
    notes: list[Spans] = field(default_factory=list)


def insertion(
    segment: Segment, at: int, blocks: Sequence[Block], *, lead: bool = False, trail: bool = False
) -> Insertion:
    """Return the requests that insert blocks at an index.

    With `lead` the index is the end of a paragraph, which gets a newline of its own; with `trail` it is the
    start of one. With neither, the paragraph at the index is empty, and becomes the last one of the blocks.
    """
    layout = _Layout(segment, at)
    return layout.run(blocks, lead=lead, trail=trail)


class _Layout:
    def __init__(self, segment: Segment, at: int) -> None:
        self._segment = segment
        self._at = at
        self._text: list[str] = []
        self._plain = at  # where text is inserted, before there are tables and objects
        self._final = at  # where it is once they are there
        self._objects: list[list[Made]] = []
        self._styles: list[Request] = []
        self._paragraphs: list[tuple[int, int, Block]] = []
        self._items: list[Item] = []

    def run(self, blocks: Sequence[Block], *, lead: bool, trail: bool) -> Insertion:
        """Return the requests for blocks."""
        if lead and blocks[0].kind != "table":  # a table brings a newline of its own
            self._insert("\n")
        for number, block in enumerate(blocks):
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            self._block(block, has_newline=after.kind != "table" if after else trail)
            if after and block.kind == after.kind == "code":
                self._insert("\n")
        made = [*self._texts(self._at), *(one for part in reversed(self._objects) for one in part)]
        done = Insertion([request for request, _ in made], [note for _, note in made if note is not None])
        done.requests += self._reset(self._at + lead, self._final + (not trail))
        done.requests += self._paragraph_styles()
        done.requests += self._styles
        done.requests += bullets(self._segment, self._items)
        return done

    def _texts(self, at: int) -> list[Made]:
        text = "".join(self._text)
        return (
            [({"insertText": {"location": self._segment.location(at), "text": text}}, None)] if text else []
        )

    def _insert(self, text: str) -> None:
        self._text.append(text)
        length = units(text)
        self._plain += length
        self._final += length

    def _block(self, block: Block, *, has_newline: bool) -> None:
        if block.kind == "table":
            self._table(block)
            return
        start = self._final
        if block.kind == "code":
            self._insert(block.plain)
        else:
            self._insert("\t" * block.level if block.kind == "item" else "")
            self._spans(block.spans)
        end = self._final + 1  # with its newline, whoever inserts it
        self._paragraphs.append((start, end, block))
        if block.kind == "item":
            self._items.append(Item(start, end, block.level, block.mark))
        elif block.kind == "code":
            self._code(start, end, block)
        if has_newline:
            self._insert("\n")

    def _code(self, start: int, end: int, block: Block) -> None:
        self._style(start, end, FONT)
        if block.mark and not self._segment.id and end - 1 > start:
            named = {"name": language_range(block.mark), "range": self._segment.range(start, end - 1)}
            self._styles.append({"createNamedRange": named})

    def _spans(self, spans: Spans) -> None:
        for span in spans:
            start = self._final
            if span.is_text:
                self._insert(span.text)
            else:
                self._objects.append([self._object(span)])
                self._final += 1
            style = text_style(span)
            if style and self._final > start:
                self._style(start, self._final, style)

    def _object(self, span: Span) -> Made:
        place = {"location": self._segment.location(self._plain)}
        if span.image:
            return {"insertInlineImage": {"uri": span.image, **place}}, None
        return {"createFootnote": place}, span.note

    def _style(self, start: int, end: int, style: Any) -> None:
        request = {"range": self._segment.range(start, end), "textStyle": style, "fields": ",".join(style)}
        self._styles.append({"updateTextStyle": request})

    def _table(self, block: Block) -> None:
        """Insert a table: a newline, and what is in it from its last cell to its first."""
        place, rows, columns = self._plain, len(block.rows), len(block.rows[0])
        size = {"rows": rows, "columns": columns, "location": self._segment.location(place)}
        cells: list[list[Made]] = []
        self._final += 4
        for row, contents in enumerate(block.rows):
            for column, spans in enumerate(contents):
                first = place + 4 + row * (1 + 2 * columns) + 2 * column
                aligned = block.aligned[column] if column < len(block.aligned) else ""
                cells.append(self._cell(spans, first, aligned))
                self._final += 2
            self._final += 1
        self._final -= 1
        self._objects.append(
            [({"insertTable": size}, None), *(one for cell in reversed(cells) for one in cell)]
        )

    def _cell(self, spans: Spans, first: int, aligned: str) -> list[Made]:
        kept, begin = (self._plain, self._text, self._objects), self._final
        self._plain, self._text, self._objects = first, [], []
        self._spans(spans)
        made = [*self._texts(first), *(one for part in reversed(self._objects) for one in part)]
        self._plain, self._text, self._objects = kept
        if aligned:
            self._aligned(begin, aligned)
        return made

    def _aligned(self, begin: int, aligned: str) -> None:
        style = {"alignment": _ALIGNMENTS.get(aligned, "START")}
        request = {"range": self._segment.range(begin, self._final + 1), "paragraphStyle": style}
        self._styles.append({"updateParagraphStyle": {**request, "fields": "alignment"}})

    def _reset(self, start: int, end: int) -> list[Request]:
        """Return requests that make everything normal text: what is inserted takes after its neighbours."""
        where = self._segment.range(start, end)
        normal = {"namedStyleType": "NORMAL_TEXT"}
        return [
            {"deleteParagraphBullets": {"range": where}},
            {"updateParagraphStyle": {"range": where, "paragraphStyle": normal, "fields": "*"}},
            {"updateTextStyle": {"range": where, "textStyle": {}, "fields": "*"}},
        ]

    def _paragraph_styles(self) -> list[Request]:
        found = []
        for style, group in groupby(self._paragraphs, key=lambda one: paragraph_style(one[2])):
            members = list(group)
            if style:
                for start, end in _runs(members):
                    where = self._segment.range(start, end)
                    request = {"range": where, "paragraphStyle": style, "fields": ",".join(style)}
                    found.append({"updateParagraphStyle": request})
        return found


def _runs(members: list[tuple[int, int, Block]]) -> list[tuple[int, int]]:
    """Join paragraphs that follow each other."""
    found: list[tuple[int, int]] = []
    for start, end, _ in members:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
