"""HTML becomes a document, as an upload that is converted does."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from laconic.sandbox.google.papers.converting.building import CODE, Builder
from laconic.sandbox.google.papers.converting.markdown import linked
from laconic.sandbox.google.papers.runs import Row, text_run
from laconic.sandbox.google.papers.units import cleaned

__all__ = ["from_html"]

_STYLES: Final = {
    **{tag: {"bold": True} for tag in ("b", "strong")},
    **{tag: {"italic": True} for tag in ("i", "em")},
    **{tag: {"strikethrough": True} for tag in ("s", "del", "strike")},
    **{tag: CODE for tag in ("code", "pre")},
    "u": {"underline": True},
}
_HIDDEN: Final = ("head", "script", "style")
_BLOCKS: Final = ("p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table", "ul", "ol")


def from_html(text: str) -> Row:
    """Return a tab with the content of an HTML text."""
    reader = _HtmlReader()
    reader.feed(cleaned(text))
    reader.close()
    reader.end_block()
    return reader.builder.built()


class _HtmlReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.builder = Builder()
        self.runs: list[Row] = []
        self.open: list[tuple[str, Row]] = []
        self.lists: list[bool] = []  # whether each open list counts
        self.block = ""
        self.rows: list[list[list[Row]]] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.end_block()
            self.block = tag
        if tag in ("ul", "ol"):
            self.lists.append(tag == "ol")
        elif tag == "tr":
            self.rows.append([])
        elif tag == "br":
            self.runs.append(text_run("\v", self._style()))
        elif tag == "img" and given.get("src"):
            self.runs.append(self.builder.image(str(given["src"]), given.get("alt") or ""))
        elif tag == "a" and given.get("href"):
            self.open.append((tag, linked(str(given["href"]))))
        elif tag in _STYLES:
            self.open.append((tag, _STYLES[tag]))

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in _HIDDEN
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append(self.runs)
            self.runs = []
        elif tag == "table" and self.rows:
            self.builder.table([row or [[]] for row in self.rows])
            self.rows = []
        elif tag in _BLOCKS:
            self.end_block()
            self.block = ""
        if tag in ("ul", "ol") and self.lists:
            self.lists.pop()
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place][0] == tag:
                del self.open[place]
                break

    def handle_data(self, data: str) -> None:
        text = re.sub(r"\s+", " ", data)
        if not self.hidden and (text.strip() or (self.runs and text)):
            self.runs.append(text_run(text if self.runs else text.lstrip(), self._style()))

    def _style(self) -> Row:
        found: Row = {}
        for _, style in self.open:
            found |= style
        return found

    def end_block(self) -> None:
        """End the paragraph that is being read, unless it is in a table."""
        if not self.runs or self.rows:
            return
        if self.block == "li":
            self.builder.item(self.runs, len(self.lists) - 1, is_numbered=self.lists[-1:] == [True])
        else:
            is_heading = re.fullmatch("h[1-6]", self.block)
            self.builder.paragraph(self.runs, f"HEADING_{self.block[1]}" if is_heading else "NORMAL_TEXT")
        self.runs = []
