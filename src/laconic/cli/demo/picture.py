"""The demo's bars as a small SVG, without a library; its own background makes it readable in any theme."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laconic.cli.cost import Meter
    from laconic.cli.demo.day import Day

__all__ = ["INK", "OURS", "PALE", "THEIRS", "draw", "picture", "rectangle", "words"]

INK: Final = "#1f2328"
PALE: Final = "#59636e"
OURS: Final = "#0a7f5a"
THEIRS: Final = "#c2702b"
_SANS: Final = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
_WIDTH, _TOP, _ROW, _BAR = 860, 92, 36, 11
_LEFT, _LONGEST = 292, 484  # where bars start, and the longest one


def picture(width: int, height: int, label: str, parts: Iterable[str]) -> str:
    """Put parts on a white card; `label` is for screen readers."""
    frame = f'x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="#fff" stroke="#d1d9e0"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
    )
    lines = [f'{head} aria-label="{escape(label)}">', f"<rect {frame}/>", *parts, "</svg>"]
    return "\n".join(lines) + "\n"


def words(
    x: float, y: float, text: str, *, size: int = 13, fill: str = INK, font: str = _SANS, more: str = ""
) -> str:
    """Draw one line of text; spaces are kept."""
    about = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" font-family="{escape(font)}"'
    return (
        f'<text {about}{f" {more}" if more else ""} xml:space="preserve">{escape(text, quote=False)}</text>'
    )


def rectangle(x: float, y: float, width: float, height: float, fill: str) -> str:
    """Draw a box."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2" fill="{fill}"/>'


def draw(day: Day, scale: Meter) -> str:
    """Draw two bars per answer on one linear scale, ours above the thin wrapper's, with figures."""
    longest = max(max(row.laconic, row.thin) for row in day.rows)
    total = f"{scale.describe(day.laconic)} instead of {scale.figure(day.thin)}"
    parts = [
        words(24, 36, f"An agent's day: {total}", size=18, more='font-weight="600"'),
        rectangle(24, 56, 12, 12, OURS),
        words(42, 66, "laconic"),
        rectangle(112, 56, 12, 12, THEIRS),
        words(130, 66, "a thin wrapper: whole objects as indented JSON, no pages"),
    ]
    for number, row in enumerate(day.rows):
        y = _TOP + number * _ROW
        parts.append(words(_LEFT - 12, y + 16, row.what, more='text-anchor="end"'))
        for step, (tokens, fill) in enumerate(((row.laconic, OURS), (row.thin, THEIRS))):
            width = max(round(_LONGEST * tokens / longest, 1), 1.0 if tokens else 0)
            top = y + step * (_BAR + 2)
            parts.append(rectangle(_LEFT, top, width, _BAR, fill))
            figure = scale.figure(tokens)
            parts.append(words(_LEFT + width + 6, top + _BAR - 1.5, figure, size=11, fill=PALE))
    height = _TOP + len(day.rows) * _ROW + 40
    note = f"Tokens per answer; 0 where everything had already been sent. {scale.footnote}"
    parts.append(words(24, height - 20, note, size=11, fill=PALE))
    return picture(_WIDTH, height, f"{total}, answer by answer", parts)
