"""Markup of strangers' pages: title, descriptions and text, in one pass however broken or hostile it is.

The parser of the standard library takes minutes for some pages of a megabyte, and cannot be stopped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

__all__ = ["Markup"]

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
_MARKUP: Final = re.compile(r"[a-zA-Z/!?]")
_LONGEST: Final = 8192  # characters of a tag; a longer one ends at its first >
_ATTRIBUTE: Final = re.compile(r"([a-zA-Z:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_RAW: Final = {name: re.compile(rf"</{name}", re.IGNORECASE) for name in ("script", "style", "title")}
_HIDDEN: Final = frozenset({"noscript", "template", "svg", "head", "nav", "footer"})
_BLOCKS: Final = frozenset(
    {
        *("article", "blockquote", "br", "dd", "div", "dt", "header", "li", "main", "ol", "p", "pre"),
        *("section", "table", "tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6"),
    }
)


class _Tag(NamedTuple):
    name: str
    is_end: bool
    attributes: str
    content: str  # of an element whose content is no markup


class Markup:
    """What a page says about itself."""

    def __init__(self, text: str) -> None:
        self.title = ""
        self.named: dict[str, str] = {}
        """The contents of `meta` elements, by their names."""
        self._texts: list[str] = []
        self._hidden: dict[str, int] = {}  # how many of these elements are open
        for part in _parts(text):
            if isinstance(part, _Tag):
                self._note(part)
            elif not self._hidden:
                self._texts.append(part)

    @property
    def text(self) -> str:
        """The text, one line for each block."""
        lines = (" ".join(line.split()) for line in html.unescape("".join(self._texts)).split("\n"))
        return "\n".join(line for line in lines if line)

    def _note(self, tag: _Tag) -> None:
        if tag.name == "title" and not tag.is_end and not self.title:
            self.title = html.unescape(tag.content)
        elif tag.name == "meta":
            given = _attributes(tag.attributes)
            name = (given.get("property") or given.get("name") or "").lower()
            self.named.setdefault(name, given.get("content", ""))
        elif tag.name == "body":
            self._hidden.clear()  # a head that was never closed
        elif tag.name in _HIDDEN:
            self._hide(tag)
        elif tag.name in _BLOCKS and not self._hidden:
            self._texts.append("\n")

    def _hide(self, tag: _Tag) -> None:
        depth = self._hidden.get(tag.name, 0) + (-1 if tag.is_end else 1)
        if depth > 0:
            self._hidden[tag.name] = depth
        else:
            self._hidden.pop(tag.name, None)


def _attributes(text: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, double, single, plain in _ATTRIBUTE.findall(text[:_LONGEST]):
        found.setdefault(name.lower(), html.unescape(double or single or plain))
    return found


def _parts(text: str) -> Iterator[str | _Tag]:
    """Yield the texts and the tags of a page; each character is looked at a few times at most."""
    place = 0
    while (start := text.find("<", place)) >= 0:
        yield text[place:start]
        if text.startswith("<!--", start):
            place = _after(text, "-->", start + 4)
            continue
        found = _TAG.match(text, start, start + _LONGEST)
        if found is None and not _MARKUP.match(text, start + 1):
            yield "<"
            place = start + 1
            continue
        if found is None:
            place = _after(text, ">", start)
            continue
        place = found.end()
        name, content = found[2].lower(), ""
        if name in _RAW and not found[1]:
            end = _RAW[name].search(text, place)
            stop = end.start() if end else len(text)
            content, place = text[place:stop], stop
        yield _Tag(name, bool(found[1]), found[3], content)
    yield text[place:]


def _after(text: str, end: str, start: int) -> int:
    place = text.find(end, start)
    return len(text) if place < 0 else place + len(end)
