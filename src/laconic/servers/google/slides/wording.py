"""Wording: blocks as one text with styles and lists, as requests that write it into a shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.servers.google.docs.reading.blocks import BOX, NUMBER, Block, Span
from laconic.servers.google.slides.texts import units

Request = dict[str, Any]
_PRESETS: Final = {NUMBER: "NUMBERED_DIGIT_ALPHA_ROMAN", BOX: "BULLET_CHECKBOX"}
_CODE: Final = "Courier New"


@dataclass
class Wording:
    """A text, where its styles are, and which of its paragraphs are lists."""

    text: str = ""
    styles: list[tuple[int, int, dict[str, Any]]] = field(default_factory=list)
    lists: list[tuple[int, int, str]] = field(default_factory=list)  # with the mark of each

    def add(self, spans: Iterable[Span], *, is_code: bool = False) -> None:
        """Add text in its styles."""
        for span in spans:
            start = units(self.text)
            self.text += span.text
            style = _style(span, is_code=is_code)
            if style and span.text:
                self.styles.append((start, units(self.text), style))

    def requests(self, target: Mapping[str, Any]) -> list[Request]:
        """Return the requests that write it into an empty shape or cell.

        Lists come last, from the end: they take tabs away, which moves what is after them.
        """
        if not self.text:
            return []
        found: list[Request] = [{"insertText": {**target, "text": self.text}}]
        for start, end, style in self.styles:
            given = {**target, "textRange": _range(start, end), "style": style, "fields": ",".join(style)}
            found.append({"updateTextStyle": given})
        for start, end, mark in reversed(self.lists):
            preset = {"bulletPreset": _PRESETS[mark]} if mark in _PRESETS else {}
            given = {**target, "textRange": _range(start, end), **preset}
            found.append({"createParagraphBullets": given})
        return found


def _range(start: int, end: int) -> dict[str, Any]:
    return {"type": "FIXED_RANGE", "startIndex": start, "endIndex": end}


def _style(span: Span, *, is_code: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, key in (("bold", "bold"), ("italic", "italic"), ("strike", "strikethrough")):
        if getattr(span, name):
            found[key] = True
    if span.code or is_code:
        found["fontFamily"] = _CODE
    if span.link:
        found["link"] = {"url": span.link}
    return found


def worded(blocks: Sequence[Block]) -> Wording:
    """Return blocks as a text, one paragraph each; tabs before it are the level in a list."""
    found, mark = Wording(), ""
    for number, block in enumerate(blocks):
        if number:
            found.add([Span("\n")])
        start = units(found.text)
        if block.kind == "item":
            found.add([Span("\t" * block.level)])
        found.add(block.spans, is_code=block.kind == "code")
        end = units(found.text)
        if block.kind != "item":
            mark = ""
        elif mark and (block.level or block.mark == mark):
            first, _, _ = found.lists.pop()
            found.lists.append((first, end, mark))
        else:
            mark = block.mark
            found.lists.append((start, end, mark))
    return found
