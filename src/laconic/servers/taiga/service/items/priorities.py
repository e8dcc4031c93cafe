"""Priorities: five levels for callers; issues have a project's own rows, other items a reserved tag."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any, Final, get_args

from laconic.servers.taiga.models.fields import Level

LEVELS: Final[tuple[str, ...]] = get_args(Level)
_BEFORE: Final = "priority:"
Row = Mapping[str, Any]


def row_of_level(rows: Iterable[Row], level: str, default: int | None) -> tuple[Row, bool]:
    """Return the row for a level, and whether it only comes near: projects name and count their own.

    The middle level is the project's default. The others are spread over the rows in their order, with
    halves rounded away from the middle, so that `lowest` never becomes the middle where there is a lower one.
    """
    ordered = _ordered(rows)
    for row in ordered:
        if str(row["name"]).casefold() == level:
            return row, False
    place = LEVELS.index(level)
    if place == 2:
        for row in ordered:
            if row["id"] == default:
                return row, False
    exact = place * (len(ordered) - 1) / 4
    return ordered[ceil(exact - 0.5) if place < 3 else floor(exact + 0.5)], True


def level_of_row(rows: Iterable[Row], id: int | None) -> str | None:
    """Return the level of a row: by its name, else by its place among the others."""
    ordered = _ordered(rows)
    for place, row in enumerate(ordered):
        if row["id"] == id:
            name = str(row["name"]).casefold()
            if name in LEVELS:
                return name
            return LEVELS[round(place * 4 / (len(ordered) - 1))] if len(ordered) > 1 else "normal"
    return None


def _ordered(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row["order"], row["name"]))


def level_of_tags(tags: Sequence[str]) -> str | None:
    """Return the level that the reserved tag names."""
    found = [tag.removeprefix(_BEFORE) for tag in tags if tag.startswith(_BEFORE)]
    return found[0] if found and found[0] in LEVELS else None


def other_tags(tags: Sequence[str]) -> list[str]:
    """Return the tags without the reserved one."""
    return [tag for tag in tags if tag.removeprefix(_BEFORE) not in LEVELS or not tag.startswith(_BEFORE)]


def tag_of_level(level: str) -> str:
    """Return the reserved tag for a level."""
    return f"{_BEFORE}{level}"
