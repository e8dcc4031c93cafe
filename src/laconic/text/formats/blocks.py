"""Blocks of markdown: which lines are headings, and which are inside fences, HTML or front matter."""

import re
from typing import NamedTuple

from laconic.lazily import regex
from laconic.text.formats.table import is_rule
from laconic.text.lines import Span, line_spans

_ATX = regex(r"(#{1,6})(?:[ \t]|$)")
_UNDERLINE = regex(r"=+$|-+$")
_BREAK = regex(r"(?:([-*_])[ \t]*)(?:\1[ \t]*){2,}$")
_ITEM = regex(r"(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$)")
_ITEM_IN_TEXT = regex(r"(?:[-+*]|1[.)])[ \t]+(?=\S)")  # does not need a blank line before it
_FENCE = regex(r"(`{3,})[^`]*$|(~{3,})")
_OPENING = frozenset(" \t#=-`~<>*+_[|:0123456789")  # how a line that is not plain text may start
_DEFINITION = regex(r"\[[^\]]+\]:")
_KEY = regex(r"[\w\"'-][^:=\r\n]*[:=](?:\s|$)|#")
_RAW_TAGS = "script|pre|style|textarea"
_BLOCK_TAGS = (
    "address|article|aside|blockquote|body|center|details|dialog|dd|div|dl|dt|fieldset|figcaption|figure|footer|"
    "form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|p|section|summary|table|tbody|td|"
    "tfoot|th|thead|title|tr|ul"
)
# A tag alone on its line sets a text apart, as `text.tags` does: unlike in CommonMark, that text is markdown.
# Tags of HTML keep their meaning, except two that no markdown has and many records do.
_APART = regex(rf"</?(?:body|title|(?!(?:{_RAW_TAGS}|{_BLOCK_TAGS})>)[a-z][\w-]*)>$", re.I)
# What opens an HTML block, and what ends it; the last cannot interrupt a paragraph.
_HTML = [
    (regex("<!--"), regex("-->")),
    (regex(rf"<(?:{_RAW_TAGS})(?:[\s>]|$)", re.I), regex(rf"</(?:{_RAW_TAGS})>", re.I)),
    (regex(rf"</?(?:{_BLOCK_TAGS})(?:[\s/>]|$)", re.I), regex(r"^\s*$")),
    (regex(r"<(?:[a-z][\w-]*(?:\s[^<>]*)?/?|/[a-z][\w-]*\s*)>$", re.I), regex(r"^\s*$")),
]


class HeadingMark(NamedTuple):
    """A heading: a line, or a paragraph with an underline; its line counts from 1."""

    level: int
    title: str
    start: int
    end: int
    line: int


class Fence(NamedTuple):
    """Fenced code, and the line that closes it."""

    start: int
    end: int
    closing: str


class _Open(NamedTuple):
    start: int
    mark: str
    indent: int  # of the list item that contains it


class Blocks:
    """The headings and fences of a markdown text, found line by line according to CommonMark."""

    def __init__(self, text: str) -> None:
        self.headings: list[HeadingMark] = []
        self.fences: list[Fence] = []
        self._text = text
        self._fence: _Open | None = None
        self._html: re.Pattern[str] | None = None  # ends the current HTML block
        self._lists: list[int] = []  # indentation of the current list items
        self._paragraph: Span | None = None  # its start and line number
        self._lazy = False  # text continues a list item, quotation or table instead of starting a paragraph
        self._scan(line_spans(text))

    def _scan(self, lines: list[Span]) -> None:
        for number in range(_front_matter(self._text, lines), len(lines)):
            self._line(number + 1, *lines[number])
        if self._fence:
            self._close(len(self._text))

    def _line(self, number: int, start: int, end: int) -> None:
        line = self._text[start:end]
        bare = line.strip()
        if self._is_inside(line, bare, start, end):
            return
        if not bare:
            self._paragraph, self._lazy = None, False
        elif line[0] not in _OPENING or (line[0] == "|" and not self._paragraph):  # most lines
            self._read_text(number, start)
        else:
            self._read(number, start, end, bare, _indent(line))

    def _is_inside(self, line: str, bare: str, start: int, end: int) -> bool:
        if self._html:
            self._html = None if self._html.search(line) else self._html
            return True
        if self._fence is None:
            return False
        if bare and _indent(line) < self._fence.indent:  # the list item ends, and with it the fence
            self._close(start)
            return False
        mark = self._fence.mark
        if bare.startswith(mark) and not bare.strip(mark[0]) and _indent(line) < self._fence.indent + 4:
            self._close(end)
        return True

    def _close(self, end: int) -> None:
        if self._fence:
            self.fences.append(Fence(self._fence.start, end, " " * self._fence.indent + self._fence.mark))
        self._fence = None

    def _read(self, number: int, start: int, end: int, bare: str, indent: int) -> None:
        while self._lists and indent < self._lists[-1]:
            self._lists.pop()
        inner = indent - (self._lists[-1] if self._lists else 0)
        if inner >= 4:
            return  # indented code, or more of the paragraph
        if self._opens(bare, start) or (not self._lists and self._heads(number, start, end, bare)):
            return
        if _BREAK.match(bare):
            self._paragraph, self._lazy = None, False
        elif item := (_ITEM_IN_TEXT if self._paragraph else _ITEM).match(bare):
            self._enter(start, bare, indent, item.end())
        elif self._lists or bare[0] == ">" or self._is_table_rule(start, bare):
            self._paragraph, self._lazy = None, _may_continue(bare.lstrip("> \t"))
        elif self._paragraph or not _DEFINITION.match(bare):
            self._read_text(number, start)

    def _enter(self, start: int, bare: str, indent: int, width: int) -> None:
        marker = len(bare[:width].rstrip())
        self._lists.append(indent + (width if marker < width < marker + 5 else marker + 1))
        self._paragraph, self._lazy = None, _may_continue(bare[width:])
        self._opens(bare[width:], start)

    def _is_table_rule(self, start: int, bare: str) -> bool:
        return self._paragraph is not None and is_rule(bare) and "|" in self._text[self._paragraph[0] : start]

    def _read_text(self, number: int, start: int) -> None:
        if self._lazy:
            return
        self._lists.clear()
        self._paragraph = self._paragraph or (start, number)

    def _opens(self, bare: str, start: int) -> bool:
        """True if the line opens fenced code or an HTML block."""
        if fence := _FENCE.match(bare):
            self._fence = _Open(start, fence[1] or fence[2], self._lists[-1] if self._lists else 0)
        elif not (bare.startswith("<") and self._opens_html(bare)):
            return False
        self._paragraph, self._lazy = None, False
        return True

    def _opens_html(self, bare: str) -> bool:
        if _APART.match(bare):
            return True  # and it is closed again
        for opening, ending in _HTML[:-1] if self._paragraph or self._lazy else _HTML:
            if found := opening.match(bare):
                self._html = None if ending.search(bare, found.end()) else ending
                return True
        return False

    def _heads(self, number: int, start: int, end: int, bare: str) -> bool:
        if found := _ATX.match(bare):
            self._head(HeadingMark(len(found[1]), _without_hashes(bare[found.end(1) :]), start, end, number))
        elif self._paragraph and _UNDERLINE.match(bare):
            first, line = self._paragraph
            self._head(HeadingMark(1 if bare[0] == "=" else 2, self._text[first:start], first, end, line))
        else:
            return False
        return True

    def _head(self, mark: HeadingMark) -> None:
        self.headings.append(mark._replace(title=" ".join(mark.title.split())))
        self._paragraph, self._lazy = None, False


def _without_hashes(title: str) -> str:
    """Return a title without its closing hashes."""
    bare = title.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else title


def _may_continue(content: str) -> bool:
    """True if the content of a list item or quotation can continue on a line outside it."""
    return bool(content) and not _FENCE.match(content) and not _ATX.match(content)


def _indent(line: str) -> int:
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blank.expandtabs(4))


def _front_matter(text: str, lines: list[Span]) -> int:
    """Count the lines of the front matter: `---` or `+++`, keys, and the same mark again."""
    first = text[slice(*lines[0])].lstrip("\ufeff").rstrip() if len(lines) > 2 else ""
    if first not in {"---", "+++"} or not _KEY.match(text, lines[1][0]):
        return 0
    for number in range(1, len(lines)):
        if text[slice(*lines[number])].rstrip() in {first, "..." if first == "---" else first}:
            return number + 1
    return 0
