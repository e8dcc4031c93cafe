"""Markdown becomes a document, as an upload that is converted does."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from laconic.sandbox.google.papers.converting.building import CODE, Builder
from laconic.sandbox.google.papers.runs import Row, text_run
from laconic.sandbox.google.papers.units import cleaned

__all__ = ["from_markdown", "inline"]

_ITEM: Final = re.compile(r"( *)([*+-]|\d+[.)]) +(.*)")
_HEADING: Final = re.compile(r"(#{1,6}) +(.*?)(?: +#+)?")
_NOTE: Final = re.compile(r"\[\^([^\]]+)\]: ?(.*)")
_RULER: Final = re.compile(r"\|?[ :|-]*-[ :|-]*")
_INLINE: Final = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|`(?P<code>[^`]+)`|!\[(?P<alt>[^\]]*)\]\((?P<source>[^)\s]+)\)"
    r"|\[\^(?P<note>[^\]]+)\]|\[(?P<label>[^\]]+)\]\((?P<address>[^)\s]+)\)"
    r"|\*\*(?P<bold>.+?)\*\*(?!\*)|~~(?P<gone>.+?)~~|\*(?P<italic>[^\s*](?:[^*]*[^\s*])?)\*"
    r"|(?<!\w)_(?P<slanted>[^_\s](?:[^_]*[^_\s])?)_(?!\w)"
)
_STYLES: Final = {"bold": "bold", "gone": "strikethrough", "italic": "italic", "slanted": "italic"}


def from_markdown(text: str) -> Row:
    """Return a tab with the content of a Markdown text."""
    kept = cleaned(text.replace("\r\n", "\n"))
    notes = {match[1]: match[2] for line in kept.splitlines() if (match := _NOTE.fullmatch(line))}
    lines = deque(line for line in kept.split("\n") if not _NOTE.fullmatch(line))
    builder, depths = Builder(), list[int]()
    while lines:
        line = lines.popleft()
        if match := _ITEM.fullmatch(line):
            runs, is_numbered = inline(match[3], builder, notes), match[2][0].isdigit()
            builder.item(runs, _level(len(match[1]), depths), is_numbered=is_numbered)
        elif line.strip():
            depths.clear()
            _block(builder, line, lines, notes)
    return builder.built()


def _level(spaces: int, depths: list[int]) -> int:
    """Return the level of an item of a list, by how the items above it are indented."""
    while depths and depths[-1] > spaces:
        depths.pop()
    if not depths or depths[-1] < spaces:
        depths.append(spaces)
    return len(depths) - 1


def _block(builder: Builder, line: str, lines: deque[str], notes: Mapping[str, str]) -> None:
    if match := _HEADING.fullmatch(line):
        builder.paragraph(inline(match[2], builder, notes), f"HEADING_{len(match[1])}")
    elif line.startswith("```"):
        while lines and not (code := lines.popleft()).startswith("```"):
            builder.paragraph([text_run(code, CODE)] if code else [])
    elif "|" in line and lines and "-" in lines[0] and _RULER.fullmatch(lines[0]):
        lines.popleft()
        rows = [line]
        while lines and "|" in lines[0]:
            rows.append(lines.popleft())
        builder.table([[inline(cell, builder, notes) for cell in _cells(row)] for row in rows])
    else:
        while lines and lines[0].strip() and not _begins(lines[0]):
            line += f" {lines.popleft().strip()}"
        builder.paragraph(inline(line.strip(), builder, notes))


def _begins(line: str) -> bool:
    return bool(_HEADING.fullmatch(line) or _ITEM.fullmatch(line) or line.startswith(("```", "|")))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|"))]


def inline(text: str, builder: Builder, notes: Mapping[str, str], style: Row | None = None) -> Sequence[Row]:
    """Return a text as runs."""
    found: list[Row] = []
    place, own = 0, style or {}
    for match in _INLINE.finditer(text):
        found.append(text_run(text[place : match.start()], own))
        found += _piece(match, builder, notes, own)
        place = match.end()
    return [*found, text_run(text[place:], own)]


def _piece(match: re.Match[str], builder: Builder, notes: Mapping[str, str], own: Row) -> Sequence[Row]:
    kind, inner = match.lastgroup or "", match[match.lastgroup or 0]
    if kind == "escaped":
        return [text_run(inner, own)]
    if kind == "code":
        return [text_run(inner, {**own, **CODE})]
    if kind == "source":
        return [builder.image(inner, match["alt"])]
    if kind == "note":
        if inner not in notes:
            return [text_run(match[0], own)]
        return [builder.footnote(inline(notes[inner], builder, {}))]
    if kind == "address":
        return inline(match["label"], builder, notes, {**own, **linked(inner)})
    return inline(inner, builder, notes, {**own, _STYLES[kind]: True})


def linked(address: str) -> Row:
    """Return the style of a link."""
    blue = {"color": {"rgbColor": {"red": 0.06666667, "green": 0.33333334, "blue": 0.8}}}
    return {"link": {"url": address}, "foregroundColor": blue, "underline": True}
