"""The index: each operation with what is said about it; the facts of an API are read when one is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

APIS: Final = ("drive", "docs", "sheets", "slides")
_DATA: Final = files("laconic.servers.google") / "catalogue" / "data"


@dataclass(frozen=True)
class Entry:
    """An operation in our words."""

    name: str
    api: str
    effect: Literal["read", "create", "update", "delete"]
    summary: str
    takes: tuple[str, ...]  # the names of its arguments
    again: str = ""  # why a repeated update is another change
    fields: str = ""  # what is asked for unless the caller names fields
    required: tuple[str, ...] = ()  # besides what the API says; `a|b`: exactly one
    instead: str = ""  # a tool of ours that does the same, and more


@dataclass(frozen=True)
class ApiFacts:
    """What an API says about itself."""

    root: str
    operations: Mapping[str, Mapping[str, Any]]
    types: Mapping[str, Mapping[str, Any]]


@cache
def entries() -> Mapping[str, Entry]:
    """Return all operations by name."""
    found = _read("index")["operations"]
    return {
        name: Entry(name, **{key: _frozen(value) for key, value in one.items()})
        for name, one in found.items()
    }


@cache
def facts_of(api: str) -> ApiFacts:
    """Return the facts of an API."""
    found = _read(api)
    return ApiFacts(found["root"], found["operations"], found["types"])


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
