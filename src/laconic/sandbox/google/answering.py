"""Answering: what a handler is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from laconic.sandbox.google.site.blobs import Blobs
from laconic.sandbox.google.site.people import Person
from laconic.sandbox.state import State

__all__ = ["AnsweredGoogle", "AskedGoogle", "Handler"]


@dataclass(frozen=True)
class AskedGoogle:
    """A request whose arguments fit."""

    state: State
    blobs: Blobs
    person: Person
    now: str  # RFC 3339
    given: Mapping[str, Any]  # of the path and the query
    body: dict[str, Any] = field(default_factory=dict)
    content: bytes | None = None  # of an upload
    media: str = ""  # its type
    headers: Mapping[str, str] = field(default_factory=dict)
    address: str = ""  # where this instance is
    odd: str = ""  # a fault that is in the answer itself: an empty page, an incomplete search


@dataclass(frozen=True)
class AnsweredGoogle:
    """An answer: data, or bytes of a type."""

    data: Any = None
    content: bytes | None = None
    media: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[AskedGoogle], AnsweredGoogle]
