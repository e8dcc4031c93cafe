"""Presets: the signs of lists, level by level."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.papers.defaults import points

__all__ = ["LEVELS", "indents", "new_list"]

LEVELS: Final = 9
_SYMBOLS: Final = {
    "BULLET_DISC_CIRCLE_SQUARE": "●○■",
    "BULLET_DIAMONDX_ARROW3D_SQUARE": "❖➢■",
    "BULLET_CHECKBOX": "",
    "BULLET_ARROW_DIAMOND_DISC": "➔◆●",
    "BULLET_STAR_CIRCLE_SQUARE": "★○■",
    "BULLET_ARROW3D_CIRCLE_SQUARE": "➢○■",
    "BULLET_LEFTTRIANGLE_DIAMOND_DISC": "◀◆●",
    "BULLET_DIAMONDX_HOLLOWDIAMOND_SQUARE": "❖◇■",
    "BULLET_DIAMOND_CIRCLE_SQUARE": "◆○■",
}
_NUMBERS: Final = {
    "NUMBERED_DECIMAL_ALPHA_ROMAN": ("DECIMAL", "ALPHA", "ROMAN"),
    "NUMBERED_DECIMAL_ALPHA_ROMAN_PARENS": ("DECIMAL", "ALPHA", "ROMAN"),
    "NUMBERED_DECIMAL_NESTED": ("DECIMAL", "DECIMAL", "DECIMAL"),
    "NUMBERED_UPPERALPHA_ALPHA_ROMAN": ("UPPER_ALPHA", "ALPHA", "ROMAN"),
    "NUMBERED_UPPERROMAN_UPPERALPHA_DECIMAL": ("UPPER_ROMAN", "UPPER_ALPHA", "DECIMAL"),
    "NUMBERED_ZERODECIMAL_ALPHA_ROMAN": ("ZERO_DECIMAL", "ALPHA", "ROMAN"),
}


def indents(level: int) -> dict[str, Any]:
    """Return how far a paragraph of a list is indented."""
    return {"indentFirstLine": points(18 + 36 * level), "indentStart": points(36 + 36 * level)}


def new_list(preset: str) -> dict[str, Any]:
    """Return a list with the signs of a preset."""
    return {"preset": preset, "levels": [_level(preset, level) for level in range(LEVELS)]}


def _level(preset: str, level: int) -> dict[str, Any]:
    found: dict[str, Any] = {"bulletAlignment": "START", **indents(level), "textStyle": {"underline": False}}
    if preset in _NUMBERS:
        sign = f"%{level}"
        if preset == "NUMBERED_DECIMAL_NESTED":
            sign = ".".join(f"%{one}" for one in range(level + 1))
        end = ")" if preset.endswith("PARENS") else "."
        kind = _NUMBERS[preset][level % 3]
        return {**found, "glyphType": kind, "glyphFormat": f"{sign}{end}", "startNumber": 1}
    symbols = _SYMBOLS[preset]
    if not symbols:  # a box to tick has no sign in the API
        return {**found, "glyphType": "GLYPH_TYPE_UNSPECIFIED", "glyphFormat": f"%{level}"}
    return {**found, "glyphSymbol": symbols[level % 3], "glyphFormat": f"%{level}"}
