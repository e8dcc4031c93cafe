"""Blocking: the content of a segment as blocks, with what markdown cannot express."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, Final

from laconic.servers.google.docs.reading.blocks import (
    BOX,
    BULLET,
    NUMBER,
    Block,
    Losses,
    Span,
    merged,
    stripped,
)
from laconic.servers.google.docs.reading.document import Segment, Tab
from laconic.servers.google.docs.reading.runs import is_mono, note_of, spans_of
from laconic.servers.google.docs.reading.suggested import is_suggested, present

ALIGNED: Final = {"CENTER": "center", "END": "right"}
_UNSAID: Final = {
    "alignment": "alignment",
    "lineSpacing": "line spacing",
    "pageBreakBefore": "page breaks",
    "indentEnd": "indents",
}
_QUIET: Final = ("START", "ALIGNMENT_UNSPECIFIED", "JUSTIFIED", 100)


def blocks_of(
    tab: Tab, segment: Segment, losses: Losses, start: int = 0, end: int | None = None
) -> Iterator[Block]:
    """Yield the blocks of a segment, or of a part of it; empty paragraphs are none."""
    above = -1  # the level of the list item before
    before = _level_before(segment, start)  # the same, of an item that is not among these
    for block in _blocks_of(tab, segment, losses, start, end):
        level, known = min(block.level, above + 1), max(above, before)
        above = before = -1
        if block.kind == "item":
            if block.level > known + 1:
                losses["skipped levels of lists"] += 1
            block, above = block._replace(level=level), level
        yield block


def headings_in(tab: Tab, segment: Segment) -> Iterator[Block]:
    """Yield the blocks of a segment that are headings."""
    for element in present(segment.content):
        named = element.get("paragraph", {}).get("paragraphStyle", {}).get("namedStyleType", "")
        block = _block(element, tab, Losses()) if _is_heading(named) else None
        if block is not None and block.kind == "heading":
            yield block


def _is_heading(named: str) -> bool:
    return named == "TITLE" or named.startswith("HEADING_")


def _level_before(segment: Segment, start: int) -> int:
    bullets = (
        one.get("paragraph", {}).get("bullet") for one in segment.content if one.get("endIndex") == start
    )
    bullet = next(bullets, None)
    return -1 if bullet is None else int(bullet.get("nestingLevel", 0))


def _blocks_of(tab: Tab, segment: Segment, losses: Losses, start: int, end: int | None) -> Iterator[Block]:
    code: list[Block] = []
    for element in present(segment.content):
        begin = element.get("startIndex", 0)
        if begin < start or (end is not None and begin >= end):
            continue
        block = _block(element, tab, losses)
        if block is not None and block.kind == "code":
            code.append(block)
            continue
        if block is None and _is_only_suggested(element):
            continue  # code goes on after it
        if code:
            yield _joined_code(code, tab if not segment.id else None)
            code = []
        if block is not None:
            yield block
    if code:
        yield _joined_code(code, tab if not segment.id else None)


def _is_only_suggested(element: Mapping[str, Any]) -> bool:
    """True for a table or a paragraph that is not there yet."""
    parts = element.get("paragraph", {}).get("elements", ())
    return is_suggested(element) if "table" in element else bool(parts) and all(map(is_suggested, parts))


def _block(element: Mapping[str, Any], tab: Tab, losses: Losses) -> Block | None:
    start, end = element.get("startIndex", 0), element.get("endIndex", 0)
    if "paragraph" in element:
        found = _paragraph(element["paragraph"], tab, losses)
        return found._replace(start=start, end=end) if found else None
    if "table" in element and is_suggested(element):
        losses["suggestions"] += 1
        return None
    if "table" in element:
        return _table(element["table"], tab, losses)._replace(start=start, end=end)
    if "tableOfContents" in element:
        losses["tables of contents"] += 1
    elif start:
        losses["section breaks"] += 1
    return None


def _paragraph(paragraph: Mapping[str, Any], tab: Tab, losses: Losses) -> Block | None:
    style, elements = paragraph.get("paragraphStyle") or {}, paragraph.get("elements", ())
    there = [one for one in elements if not is_suggested(one)]
    if elements and not there:
        losses["suggestions"] += 1
        return None
    if any("horizontalRule" in one for one in there):
        return Block("rule")
    if _is_code(style, there):
        return Block("code", (Span("".join(one["textRun"].get("content", "") for one in there)),))
    spans = merged(spans_of(elements, tab, losses))
    if paragraph.get("positionedObjectIds"):
        losses["floating images"] += 1
    if all(not span.text.strip() and span.is_text for span in spans):
        return Block("rule") if _has(style, "borderBottom") else None
    named = style.get("namedStyleType", "")
    bullet = paragraph.get("bullet")
    if bullet and _is_heading(named):
        losses["headings in lists"] += 1
    elif bullet:
        return Block("item", stripped(spans), bullet.get("nestingLevel", 0), _mark(bullet, tab))
    _count_unsaid(style, losses)
    if named.startswith("HEADING_"):
        return Block("heading", spans, int(named[-1]))
    if named == "TITLE":
        losses["the style Title"] += 1
        return Block("heading", spans, 1)
    if named == "SUBTITLE":
        losses["the style Subtitle"] += 1
    return Block("quote" if _has(style, "borderLeft") else "paragraph", spans)


def _is_code(style: Mapping[str, Any], elements: Any) -> bool:
    if not style.get("shading", {}).get("backgroundColor", {}).get("color"):
        return False
    is_line = len(elements) > 1 and elements[-1].get("textRun", {}).get("content") == "\n"
    words = elements[:-1] if is_line else elements  # people style the words, seldom the end of a line
    return all("textRun" in one and is_mono(one["textRun"].get("textStyle") or {}) for one in words)


def _has(style: Mapping[str, Any], border: str) -> bool:
    return bool(style.get(border, {}).get("width", {}).get("magnitude"))


def _count_unsaid(style: Mapping[str, Any], losses: Losses) -> None:
    for key, words in _UNSAID.items():
        value = style.get(key)
        if value and value not in _QUIET and value != {"unit": "PT"}:
            losses[words] += 1
    if style.get("indentStart", {}).get("magnitude") and not _has(style, "borderLeft"):
        losses["indents"] += 1


def _mark(bullet: Mapping[str, Any], tab: Tab) -> str:
    known = tab.data.get("lists", {}).get(bullet.get("listId"), {}).get("listProperties", {})
    levels = known.get("nestingLevels") or [{}]
    level = levels[min(bullet.get("nestingLevel", 0), len(levels) - 1)]
    if level.get("glyphSymbol"):
        return BULLET
    kind = level.get("glyphType", "GLYPH_TYPE_UNSPECIFIED")
    return BOX if kind == "GLYPH_TYPE_UNSPECIFIED" else BULLET if kind == "NONE" else NUMBER


def _table(table: Mapping[str, Any], tab: Tab, losses: Losses) -> Block:
    rows, aligned = [], list[set[str]]()
    for row in table.get("tableRows", ()):
        if row.get("suggestedInsertionIds"):
            losses["suggestions"] += 1
            continue
        cells = []
        for column, cell in enumerate(row.get("tableCells", ())):
            style = cell.get("tableCellStyle") or {}
            if style.get("rowSpan", 1) > 1 or style.get("columnSpan", 1) > 1:
                losses["merged cells"] += 1
            if style.get("backgroundColor", {}).get("color"):
                losses["colours of cells"] += 1
            cells.append(note_of(cell.get("content", ()), tab, losses))
            if column == len(aligned):
                aligned.append(set())
            aligned[column] |= {_alignment(one) for one in cell.get("content", ())}
        rows.append(tuple(cells))
    widest = max(map(len, rows), default=0)
    filled = tuple((*row, *[()] * (widest - len(row))) for row in rows)
    columns = tuple(next(iter(one)) if len(one) == 1 else "" for one in aligned)
    return Block("table", rows=filled, aligned=columns)


def _alignment(element: Mapping[str, Any]) -> str:
    style = element.get("paragraph", {}).get("paragraphStyle", {})
    return ALIGNED.get(style.get("alignment", ""), "")


def _joined_code(lines: list[Block], tab: Tab | None) -> Block:
    start, end = lines[0].start, lines[-1].end
    text = "".join(one.plain for one in lines).removesuffix("\n")
    known = tab.languages if tab else []
    at = bisect_left(known, (start, 0, ""))
    is_known = at < len(known) and known[at][0] < end
    return Block("code", (Span(text),), mark=known[at][2] if is_known else "", start=start, end=end)
