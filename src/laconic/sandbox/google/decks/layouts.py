"""Layouts: the theme that every presentation begins with, and what a slide takes from a layout."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["PAGE", "layouts", "length", "master", "notes_master", "placeholder"]

Row = dict[str, Any]
PAGE: Final = (9_144_000, 5_143_500)  # EMU
MASTER: Final = "simple-light"
_LEFT, _WIDE = 311_700, 8_520_600
_PLACES: Final[dict[str, tuple[str, list[tuple[str, int, int, int, int, int]]]]] = {
    # name: its title, then kind, index, left, top, width and height of each placeholder
    "TITLE": (
        "Title slide",
        [
            ("CENTERED_TITLE", 0, _LEFT, 744_575, _WIDE, 2_052_600),
            ("SUBTITLE", 0, _LEFT, 2_834_125, _WIDE, 792_600),
        ],
    ),
    "SECTION_HEADER": ("Section header", [("TITLE", 0, _LEFT, 2_150_850, _WIDE, 841_800)]),
    "TITLE_AND_BODY": (
        "Title and body",
        [("TITLE", 0, _LEFT, 445_025, _WIDE, 572_700), ("BODY", 0, _LEFT, 1_152_475, _WIDE, 3_416_400)],
    ),
    "TITLE_AND_TWO_COLUMNS": (
        "Title and two columns",
        [
            ("TITLE", 0, _LEFT, 445_025, _WIDE, 572_700),
            ("BODY", 0, _LEFT, 1_152_475, 3_999_900, 3_416_400),
            ("BODY", 1, 4_832_400, 1_152_475, 3_999_900, 3_416_400),
        ],
    ),
    "TITLE_ONLY": ("Title only", [("TITLE", 0, _LEFT, 445_025, _WIDE, 572_700)]),
    "ONE_COLUMN_TEXT": (
        "One column text",
        [
            ("TITLE", 0, _LEFT, 555_600, 2_808_000, 755_700),
            ("BODY", 0, _LEFT, 1_389_600, 2_808_000, 3_179_400),
        ],
    ),
    "MAIN_POINT": ("Main point", [("TITLE", 0, 490_250, 450_150, 6_367_800, 4_090_800)]),
    "SECTION_TITLE_AND_DESCRIPTION": (
        "Section title and description",
        [
            ("TITLE", 0, 265_500, 1_233_175, 4_045_200, 1_482_300),
            ("SUBTITLE", 0, 265_500, 2_803_075, 4_045_200, 1_235_100),
            ("BODY", 0, 4_939_500, 724_075, 3_837_000, 3_695_100),
        ],
    ),
    "CAPTION_ONLY": ("Caption", [("BODY", 0, _LEFT, 4_230_575, 5_998_800, 605_100)]),
    "BIG_NUMBER": (
        "Big number",
        [("TITLE", 0, _LEFT, 1_106_125, _WIDE, 1_963_500), ("BODY", 0, _LEFT, 3_152_225, _WIDE, 1_300_800)],
    ),
    "BLANK": ("Blank", []),
}
_COLOURS: Final = {
    **{"DARK1": "000000", "LIGHT1": "ffffff", "DARK2": "595959", "LIGHT2": "eeeeee", "ACCENT1": "4285f4"},
    **{"ACCENT2": "212121", "ACCENT3": "78909c", "ACCENT4": "ffab40", "ACCENT5": "0097a7"},
    **{"ACCENT6": "eeff41", "HYPERLINK": "0097a7", "FOLLOWED_HYPERLINK": "0097a7"},
}


def length(magnitude: float) -> Row:
    """Return a length."""
    return {"magnitude": magnitude, "unit": "EMU"}


def _transform(left: float, top: float) -> Row:
    return {"scaleX": 1, "scaleY": 1, "translateX": left, "translateY": top, "unit": "EMU"}


def placeholder(
    id: str, parent: str, kind: str, index: int, left: int, top: int, width: int, height: int
) -> Row:
    """Return an empty placeholder."""
    about: Row = {"type": kind, "index": index, "parentObjectId": parent}
    return {
        "objectId": id,
        "size": {"width": length(width), "height": length(height)},
        "transform": _transform(left, top),
        "shape": {
            "shapeType": "TEXT_BOX",
            "shapeProperties": {},
            "placeholder": {key: value for key, value in about.items() if value},
        },
    }


def master() -> Row:
    """Return the master that the layouts belong to."""
    parts = [("TITLE", 445_025, 572_700), ("BODY", 1_152_475, 3_416_400)]
    return {
        "objectId": MASTER,
        "pageType": "MASTER",
        "pageElements": [
            placeholder(f"{MASTER}-{kind}", "", kind, 0, _LEFT, top, _WIDE, height)
            for kind, top, height in parts
        ],
        "pageProperties": {
            "pageBackgroundFill": {"solidFill": {"color": {"themeColor": "LIGHT1"}, "alpha": 1}},
            "colorScheme": {
                "colors": [{"type": name, "color": _rgb(code)} for name, code in _COLOURS.items()]
            },
        },
        "masterProperties": {"displayName": "Simple Light"},
    }


def _rgb(code: str) -> Row:
    parts = zip(("red", "green", "blue"), (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)), strict=True)
    return {name: round(value, 4) for name, value in parts if value}


def layouts() -> list[Row]:
    """Return the layouts."""
    return [_layout(number, name) for number, name in enumerate(_PLACES, 2)]


def _layout(number: int, name: str) -> Row:
    title, places = _PLACES[name]
    parents = {"TITLE": f"{MASTER}-TITLE", "CENTERED_TITLE": f"{MASTER}-TITLE"}
    return {
        "objectId": f"layout-{number}",
        "pageType": "LAYOUT",
        "pageElements": [
            placeholder(f"layout-{number}-{at}", parents.get(one[0], f"{MASTER}-BODY"), *one)
            for at, one in enumerate(places)
        ],
        "pageProperties": {},
        "layoutProperties": {"masterObjectId": MASTER, "name": name, "displayName": title},
    }


def notes_master() -> Row:
    """Return the page that all pages of notes are made from."""
    body = placeholder("notes-master-body", "", "BODY", 0, 685_800, 4_343_400, 5_486_400, 4_114_800)
    return {
        "objectId": "notes-master",
        "pageType": "NOTES_MASTER",
        "pageElements": [body],
        "pageProperties": {},
    }
