"""Texts of shapes and cells: their paragraphs, with where each begins in UTF-16 units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SlideParagraph:
    """A paragraph without its newline."""

    start: int
    text: str
    level: int | None = None  # of a list
    glyph: str = ""

    @property
    def line(self) -> str:
        """The paragraph as a line of markdown."""
        text = " ".join(self.text.splitlines())
        if self.level is None:
            return text
        sign = self.glyph if self.glyph[:1].isalnum() else "-"
        return f"{'  ' * self.level}{sign} {text}"


def units(text: str) -> int:
    """Return how many UTF-16 units a text has, which indices count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def paragraphs(content: Mapping[str, Any] | None) -> list[SlideParagraph]:
    """Return the paragraphs of a text; none if it is empty."""
    found: list[SlideParagraph] = []
    for marker, start, text in _marked(content or {}):
        bullet = marker.get("bullet")
        level = bullet.get("nestingLevel", 0) if bullet is not None else None
        found.append(SlideParagraph(start, text, level, (bullet or {}).get("glyph", "")))
    return found


def _marked(content: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], int, str]]:
    marker: Mapping[str, Any] | None = None
    start, parts = 0, list[str]()
    for element in content.get("textElements", []):
        if "paragraphMarker" in element:
            if marker is not None:
                yield marker, start, _without_end(parts)
            marker, start, parts = element["paragraphMarker"], element.get("startIndex", 0), []
        inner = element.get("textRun") or element.get("autoText") or {}
        parts.append(inner.get("content", ""))
    if marker is not None:
        yield marker, start, _without_end(parts)


def _without_end(parts: list[str]) -> str:
    return "".join(parts).removesuffix("\n").replace("\v", " ")


def plain(content: Mapping[str, Any] | None) -> str:
    """Return a text without its last newline."""
    return "\n".join(one.text for one in paragraphs(content))
