"""Defaults: the styles of a new document."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["document_style", "named_styles", "points"]

Row = dict[str, Any]
_BLACK: Final[Row] = {"color": {"rgbColor": {}}}
_SIZES: Final = {  # size of letters, space above, space below, and whether it is grey
    "TITLE": (26, 0, 3, False),
    "SUBTITLE": (15, 0, 16, True),
    "HEADING_1": (20, 20, 6, False),
    "HEADING_2": (16, 18, 6, False),
    "HEADING_3": (14, 16, 4, True),
    "HEADING_4": (12, 14, 4, True),
    "HEADING_5": (11, 12, 4, True),
    "HEADING_6": (11, 12, 4, True),
}
_OFF: Final = ("bold", "italic", "underline", "strikethrough", "smallCaps")


def points(magnitude: float) -> Row:
    """Return a length."""
    return {"magnitude": magnitude, "unit": "PT"} if magnitude else {"unit": "PT"}


def document_style() -> Row:
    """Return the style of a new document."""
    sides = ("marginTop", "marginBottom", "marginRight", "marginLeft")
    return {
        "background": {"color": {}},
        "pageNumberStart": 1,
        **{side: points(72) for side in sides},
        "pageSize": {"height": points(792), "width": points(612)},
        "marginHeader": points(36),
        "marginFooter": points(36),
        "useCustomHeaderFooterMargins": True,
        "documentFormat": {"documentMode": "PAGES"},
    }


def named_styles() -> dict[str, Row]:
    """Return the styles that paragraphs of a new document have by their names."""
    font = {"fontFamily": "Arial", "weight": 400}
    usual: Row = {**dict.fromkeys(_OFF, False), "baselineOffset": "NONE", "foregroundColor": _BLACK}
    usual |= {"backgroundColor": {}, "fontSize": points(11), "weightedFontFamily": font}
    spaced: Row = {"namedStyleType": "NORMAL_TEXT", "direction": "LEFT_TO_RIGHT", "alignment": "START"}
    spaced |= {"lineSpacing": 115, "spaceAbove": points(0), "spaceBelow": points(0)}
    found: dict[str, Row] = {"NORMAL_TEXT": {"textStyle": usual, "paragraphStyle": spaced}}
    for name, (size, above, below, is_grey) in _SIZES.items():
        letters: Row = {"fontSize": points(size)}
        if is_grey:
            letters["foregroundColor"] = {"color": {"rgbColor": {"red": 0.4, "green": 0.4, "blue": 0.4}}}
        space = {"namedStyleType": "NORMAL_TEXT", "direction": "LEFT_TO_RIGHT", "keepWithNext": True}
        space |= {"spaceAbove": points(above), "spaceBelow": points(below)}
        found[name] = {"textStyle": letters, "paragraphStyle": space}
    return found
