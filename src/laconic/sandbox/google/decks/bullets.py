"""Bullets: the glyph that a paragraph of a list has, by the list's preset, its level and its number."""

from __future__ import annotations

from typing import Final

__all__ = ["DEFAULT", "glyph_of"]

DEFAULT: Final = "BULLET_DISC_CIRCLE_SQUARE"
_SHAPES: Final = {
    "DISC": "●",
    "CIRCLE": "○",
    "SQUARE": "■",
    "DIAMONDX": "❖",
    "ARROW3D": "➢",
    "CHECKBOX": "❏",
    "ARROW": "➔",
    "DIAMOND": "◆",
    "STAR": "★",
    "LEFTTRIANGLE": "◀",
    "HOLLOWDIAMOND": "◇",
}
_ROMAN: Final = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def glyph_of(preset: str, level: int, numbers: list[int]) -> str:
    """Return the glyph; `numbers` are those of the paragraph and of the ones above it."""
    kind, _, rest = (preset or DEFAULT).partition("_")
    parts = rest.split("_")
    if kind == "BULLET":
        return _SHAPES[parts[level % len(parts)]]
    if parts[-1] == "NESTED":
        return ".".join(map(str, numbers)) + "."
    end = ")" if parts[-1] == "PARENS" else "."
    shown = parts[:3]
    return _number(shown[level % len(shown)], numbers[-1]) + end


def _number(kind: str, number: int) -> str:
    match kind:
        case "ALPHA":
            return chr(ord("a") + (number - 1) % 26)
        case "UPPERALPHA":
            return chr(ord("A") + (number - 1) % 26)
        case "ROMAN":
            return _roman(number)
        case "UPPERROMAN":
            return _roman(number).upper()
        case "ZERODIGIT":
            return f"{number:02}"
    return str(number)


def _roman(number: int) -> str:
    found = ""
    for value, sign in _ROMAN:
        found += sign * (number // value)
        number %= value
    return found
