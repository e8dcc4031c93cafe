"""Long answers, always the same: a list of 1.5 MB and a document of 200 pages; no kit, no SDK."""

from __future__ import annotations

import json
from typing import Annotated, Literal

__all__ = ["DOCUMENT", "ITEMS", "LIST", "long_get", "section_name"]

ITEMS, _CHAPTERS, _SECTIONS = 7_100, 40, 5  # a page holds about one section
_WORDS = (
    "The valve of this line closes when the pressure falls under the mark on the scale. "
    "Turn it by hand before the first use and after every winter. "
    "Whoever does so notes the day, the name and the reading in the book of the hall. "
)


def _record(number: int) -> dict[str, object]:
    return {
        "id": f"P-{number:05d}",
        "title": f"Pump {number} of hall {number % 37}",
        "status": ("running", "stopped", "in repair")[number % 3],
        "pressure": round(2 + (number * 7919 % 1000) / 250, 3),
        "checked": f"2026-{1 + number % 12:02d}-{1 + number % 28:02d}",
        "note": f"Reading {number * 31 % 997} taken by hand; compare with the book of hall {number % 37}, "
        f"page {number % 211}, and with the neighbour's.",
    }


def section_name(chapter: int, section: int) -> str:
    """Return the heading path of one section."""
    return f"Chapter {chapter}: line {chapter * 3}/Valve {chapter}.{section}"


def _document() -> str:
    parts = ["# Manual of the water works\n"]
    for chapter in range(1, _CHAPTERS + 1):
        parts.append(f"## Chapter {chapter}: line {chapter * 3}\n")
        for section in range(1, _SECTIONS + 1):
            mark = f"Its mark is {chapter * 100 + section} on the scale of line {chapter * 3}. "
            parts.append(f"### Valve {chapter}.{section}\n\n{mark}{_WORDS * 11}\n")
    return "\n".join(parts)


LIST = json.dumps([_record(number) for number in range(1, ITEMS + 1)], separators=(",", ":"))
DOCUMENT = _document()


async def long_get(what: Annotated[Literal["list", "document"], "Which of the two."]) -> str:
    """Give a list of 1.5 MB, or a document of 200 pages."""
    return LIST if what == "list" else DOCUMENT
