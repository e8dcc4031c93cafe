"""The notation of data/tools.toml: which argument goes to which field of an operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_PART: Final = re.compile(
    r"\)|(?P<group>\w+)(?P<masked>\*?)\("
    r"|(?P<name>\w+)(?P<mask>\*?)(?P<left>[?~]?)(?::(?P<way>\w+))?(?:>(?P<own>\w+))?(?:=(?P<value>\w+))?"
)


@dataclass(frozen=True)
class Argument:
    """An argument, and the field that it goes to."""

    name: str
    path: tuple[str, ...]
    is_required: bool
    is_listed: bool
    way: str  # in which its value is written; empty: as the API takes it
    default: Any
    mask: tuple[str, ...] | None  # the object whose `fields` name it, if it has some


def arguments_of(takes: str) -> list[Argument]:
    """Read what a tool takes."""
    return list(_read(takes))


def _read(takes: str) -> Iterator[Argument]:
    path: list[str] = []
    masks: list[tuple[str, ...] | None] = [None]
    for part in _PART.finditer(takes):
        if part[0] == ")":
            path.pop()
            masks.pop()
        elif part["group"]:
            path.append(part["group"])
            masks.append(tuple(path) if part["masked"] else masks[-1])
        else:
            yield _argument(part, tuple(path), masks[-1])


def _argument(part: re.Match[str], path: tuple[str, ...], mask: tuple[str, ...] | None) -> Argument:
    own = (*path, part["own"] or part["name"])
    value: Any = part["value"]
    return Argument(
        name=part["name"],
        path=own,
        is_required=not part["left"],
        is_listed=part["left"] != "~",
        way=part["way"] or "",
        default=int(value) if value and value.isdigit() else value,
        mask=own if part["mask"] else mask if part["left"] else None,
    )
