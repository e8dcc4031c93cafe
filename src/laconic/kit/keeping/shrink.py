"""Shrinking structured content: whole items or fields are left out, so that it still fits its schema."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["compact", "shrunk"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)


def compact(value: Any) -> str:
    """Return a value as compact JSON."""
    return _ENCODER.encode(value)


def shrunk(structured: dict[str, Any], room: int) -> dict[str, Any]:
    """Leave out the last items of the longest list, or else the largest fields, until the rest fits."""
    place, rows = _longest_list(structured)
    if rows:
        structured = _with(structured, place, rows[: _most(structured, place, rows, room)])
    while len(compact(structured)) > room:
        smaller = _without_largest(structured)
        if smaller is None:
            break
        structured = smaller
    return structured


def _most(structured: dict[str, Any], place: tuple[str, ...], rows: list[Any], room: int) -> int:
    """Return how many rows fit."""
    left = room - len(compact(_with(structured, place, [])))
    for count, row in enumerate(rows):
        left -= len(compact(row)) + 1
        if left < 0:
            return count
    return len(rows)


def _without_largest(structured: dict[str, Any]) -> dict[str, Any] | None:
    data = structured.get("data")
    holder: dict[str, Any] = data if isinstance(data, dict) else structured
    sizes = {name: len(compact(value)) for name, value in holder.items() if isinstance(value, str | dict)}
    if not sizes:
        return None
    largest = max(sizes, key=lambda name: sizes[name])
    less = {name: value for name, value in holder.items() if name != largest}
    return less if holder is structured else {**structured, "data": less}


def _longest_list(structured: dict[str, Any]) -> tuple[tuple[str, ...], list[Any]]:
    found: tuple[tuple[str, ...], list[Any]] = ((), [])
    for name, value in structured.items():
        inner = value.items() if isinstance(value, dict) else ()
        for path, one in [((name,), value), *(((name, key), under) for key, under in inner)]:
            if isinstance(one, list) and path[-1] != "columns" and len(compact(one)) > len(compact(found[1])):
                found = (path, one)
    return found


def _with(structured: dict[str, Any], place: tuple[str, ...], rows: list[Any]) -> dict[str, Any]:
    if len(place) == 1:
        return {**structured, place[0]: rows}
    return {**structured, place[0]: {**structured[place[0]], place[1]: rows}}
