"""Parsing: any markdown as blocks, with what a document cannot express."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from laconic.servers.google.docs.markdown.footnotes import MISSING, NOTES, USED, add_footnotes
from laconic.servers.google.docs.reading.blocks import (
    BOX,
    BREAK,
    BULLET,
    NUMBER,
    Block,
    Losses,
    Span,
    merged,
    stripped,
)
from laconic.servers.google.docs.reading.flow import taken

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TAG: Final = re.compile(r"<(/?)([a-zA-Z]+)[^>]*>")
_STYLES: Final = {
    **{"strong": "bold", "b": "bold", "em": "italic", "i": "italic"},
    **{"del": "strike", "s": "strike", "strike": "strike", "code": "code"},
}
_BOX: Final = re.compile(r"\[([ xX])\][ \t]+")
NO_TEXT: Final = "footnotes without a text"  # their signs become letters
_STYLED: Final = re.compile(r"[*_`~]|\]\(")
_DEEPEST: Final = 8  # levels of lists below the first


@cache
def parser() -> MarkdownIt:
    """Return the parser; addresses stay as they are written."""
    from markdown_it import MarkdownIt

    class _Parser(MarkdownIt):
        def validateLink(self, url: str) -> bool:  # the library's name
            return True

        def normalizeLink(self, url: str) -> str:
            return url

    made = _Parser("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    add_footnotes(made)
    return made


def parse_markdown(text: str, losses: Losses | None = None) -> list[Block]:
    """Return the blocks of a markdown text."""
    env: dict[str, Any] = {}
    reading = _Reading(env, Losses() if losses is None else losses)
    for token in parser().parse(taken(text).replace(BREAK, " "), env):
        reading.take(token)
    unused = len(env.get(NOTES, {}).keys() - env.get(USED, set()))
    if unused:
        reading.losses["footnotes that nothing refers to"] += unused
    if env.get(MISSING):
        reading.losses[NO_TEXT] += len(env[MISSING])
    return reading.blocks


def has_styles(text: str) -> bool:
    """True for a text that reads as styled, or as a link or an image, if it is taken for markdown."""
    if not _STYLED.search(text):
        return False
    spans = (span for block in parse_markdown(text) for span in block.spans)
    return any(span.image or span != Span(span.text) for span in spans if span.note is None)


class _Reading:
    """Goes through the tokens, and knows which lists and quotes are open."""

    def __init__(self, env: dict[str, Any], losses: Losses) -> None:
        self.blocks: list[Block] = []
        self._env = env
        self.losses = losses
        self._lists: list[str] = []
        self._fresh: list[bool] = []  # per open item: nothing of it was read yet
        self._quotes = 0
        self._heading = 0
        self._rows: list[list[tuple[Span, ...]]] = []
        self._aligned: list[str] = []
        self._in_table = False

    def take(self, token: Token) -> None:
        """Read one token."""
        method = getattr(self, f"_{token.type}", None)
        if method:
            method(token)

    def _bullet_list_open(self, token: Token) -> None:
        self._list(BULLET)

    def _ordered_list_open(self, token: Token) -> None:
        self._list(NUMBER)
        if token.attrGet("start") not in (None, 1):
            self.losses["lists that start at another number"] += 1

    def _list(self, mark: str) -> None:
        if self._quotes and not self._lists:
            self.losses["blocks inside a quote"] += 1
        self._lists.append(mark)

    def _bullet_list_close(self, token: Token) -> None:
        self._lists.pop()

    _ordered_list_close = _bullet_list_close

    def _list_item_open(self, token: Token) -> None:
        self._fresh.append(True)

    def _list_item_close(self, token: Token) -> None:
        self._fresh.pop()

    def _blockquote_open(self, token: Token) -> None:
        self._quotes += 1
        if self._quotes > 1 or self._lists:
            self.losses["quotes in quotes or lists"] += 1

    def _blockquote_close(self, token: Token) -> None:
        self._quotes -= 1

    def _heading_open(self, token: Token) -> None:
        self._heading = int(token.tag[1])

    def _heading_close(self, token: Token) -> None:
        self._heading = 0

    def _hr(self, token: Token) -> None:
        self._add(Block("rule"))

    def _fence(self, token: Token) -> None:
        language = token.info.split()[0].replace("`", "") if token.info.split() else ""
        text = token.content.removesuffix("\n")
        self._add(Block("code", (Span(text),) if text else (), mark=language))

    _code_block = _fence

    def _html_block(self, token: Token) -> None:
        text = re.sub(r"<!--.*?-->", "", token.content, flags=re.S)
        words = _TAG.sub("", text).strip()
        if text.strip():
            self.losses["HTML"] += 1
        if words:
            self._add(Block("paragraph", merged([Span(" ".join(words.split()))])))

    def _table_open(self, token: Token) -> None:
        self._in_table, self._rows, self._aligned = True, [], []

    def _tr_open(self, token: Token) -> None:
        self._rows.append([])

    def _th_open(self, token: Token) -> None:
        self._aligned.append(str(token.attrGet("style") or "").removeprefix("text-align:"))

    def _table_close(self, token: Token) -> None:
        self._in_table = False
        rows = tuple(tuple(row) for row in self._rows)
        self._add(Block("table", rows=rows, aligned=tuple(self._aligned)))

    def _inline(self, token: Token) -> None:
        spans = self.spans(token.children or ())
        if self._in_table:
            self._rows[-1].append(stripped(spans))
        elif all(not span.text.strip() and span.is_text for span in spans):
            return
        elif self._heading:
            self._add(Block("heading", spans, self._heading))
        elif self._lists:
            self._item(token, spans)
        else:
            self._add(Block("quote" if self._quotes else "paragraph", spans))

    def _item(self, token: Token, spans: tuple[Span, ...]) -> None:
        if not self._fresh[-1]:
            last = self.blocks[-1]
            if last.kind == "item" and last.level == len(self._lists) - 1:
                self.losses["paragraphs in one list item"] += 1
                self.blocks[-1] = last._replace(spans=merged([*last.spans, Span(BREAK), *spans]))
            else:
                self.losses["blocks inside a list item"] += 1
                self.blocks.append(Block("paragraph", spans))
            return
        mark, level = self._lists[-1], min(len(self._lists) - 1, _DEEPEST)
        if level < len(self._lists) - 1:
            self.losses["levels of lists below the ninth"] += 1
        box = _BOX.match(token.content) if mark == BULLET else None
        if box and spans[0].text.startswith(box[0]):
            if box[1] != " ":
                self.losses["ticks of boxes"] += 1
            mark, spans = BOX, merged([spans[0]._replace(text=spans[0].text[box.end() :]), *spans[1:]])
        self._fresh[-1] = False
        self.blocks.append(Block("item", stripped(spans), self._level(level), mark))

    def _level(self, level: int) -> int:
        """Return the level of an item: at most one below the item before it."""
        last = self.blocks[-1] if self.blocks else None
        return min(level, last.level + 1 if last is not None and last.kind == "item" else 0)

    def _add(self, block: Block) -> None:
        if self._fresh:
            self._fresh[-1] = False
            self.losses["blocks inside a list item"] += 1
        elif self._quotes and block.kind != "quote":
            self.losses["blocks inside a quote"] += 1
        self.blocks.append(block)

    def spans(self, tokens: Sequence[Token]) -> tuple[Span, ...]:
        """Return the spans of inline tokens."""
        return _Inline(self._env, self.losses).read(tokens)


class _Inline:
    def __init__(self, env: dict[str, Any], losses: Losses) -> None:
        self._env = env
        self._losses = losses
        self._on: dict[str, int] = {}  # how often each style is open
        self._links: list[str] = []
        self._found: list[Span] = []

    def read(self, tokens: Sequence[Token]) -> tuple[Span, ...]:
        for token in tokens:
            self._take(token)
        return merged(self._found)

    def _take(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self._text(token.content)
        elif kind == "softbreak":
            self._text(" ")
        elif kind == "hardbreak":
            self._text(BREAK)
        elif kind == "code_inline":
            self._text(token.content, code=True)
        elif kind == "link_open":
            self._links.append(str(token.attrGet("href") or ""))
            self._losses.update(["titles of links"] if token.attrGet("title") else ())
        elif kind == "link_close":
            self._links.pop()
        elif kind == "image":
            self._image(token)
        elif kind == "footnote":
            self._note(token.content)
        elif kind == "html_inline":
            self._tag(token.content)
        else:
            name, _, way = kind.rpartition("_")
            self._turn(name, way == "open")

    def _text(self, text: str, code: bool = False) -> None:
        on = self._on.get
        link = self._links[-1] if self._links else ""
        is_code = code or bool(on("code"))
        self._found.append(
            Span(text, bool(on("bold")), bool(on("italic")), bool(on("strike")), is_code, link)
        )

    def _turn(self, name: str, opens: bool) -> None:
        style = _STYLES.get(name)
        if style:
            self._on[style] = max(0, self._on.get(style, 0) + (1 if opens else -1))

    def _tag(self, text: str) -> None:
        found = _TAG.match(text)
        name = found[2].lower() if found else ""
        if name == "br":
            self._text(BREAK)
        elif found and name in _STYLES:
            self._turn(name, not found[1])
        elif not text.startswith("<!--"):
            self._losses["HTML"] += 1

    def _image(self, token: Token) -> None:
        address = str(token.attrGet("src") or "")
        words = "".join(child.content for child in token.children or ())
        if words or token.attrGet("title"):
            self._losses["descriptions of images"] += 1
        link = self._links[-1] if self._links else ""
        if address.startswith(("https://", "http://")):
            self._found.append(Span("", link=link, image=address))
        else:
            self._losses["images that are not on the web"] += 1
            self._text(words)

    def _note(self, name: str) -> None:
        self._env.setdefault(USED, set()).add(name)
        found: list[Span] = []
        for text in self._env[NOTES][name].split("\n\n"):
            if found:
                self._losses["paragraphs in one footnote"] += 1
                found.append(Span(BREAK))
            inner = parser().parseInline(text, {})[0].children or ()
            found += _Inline({}, self._losses).read(inner)
        self._found.append(Span("", note=stripped(found)))
