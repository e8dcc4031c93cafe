"""Queries: what a caller looks for, in Drive's own language, with every value quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from laconic.servers.google.drive.types import media_of

_TEXT: Final = re.compile(r"'(?:[^'\\]|\\.)*'")
_WORD: Final = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Wanted:
    """What files are looked for."""

    text: str | None = None  # in the content or the name
    name: str | None = None
    type: str | None = None
    folder: str | None = None
    owner: str | None = None
    modified_after: date | None = None
    shared_with_me: bool = False
    trashed: bool = False
    query: str | None = None  # in Drive's own language, in addition


def quoted(value: str) -> str:
    """Return a value as Drive's language writes it."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def words_of(query: str | None) -> set[str]:
    """Return the terms and operators of a query, without the texts that it looks for."""
    return set(_WORD.findall(_TEXT.sub("", query or "")))


def query_of(wanted: Wanted) -> str:
    """Return the query for what is wanted."""
    return " and ".join(_terms(wanted))


def _terms(wanted: Wanted) -> Iterator[str]:
    if wanted.query:
        yield f"({wanted.query})"
    if wanted.text:
        yield f"fullText contains {quoted(wanted.text)}"
    if wanted.name:
        yield f"name contains {quoted(wanted.name)}"
    if wanted.type:
        yield f"mimeType = {quoted(media_of(wanted.type))}"
    if wanted.folder:
        yield f"{quoted(wanted.folder)} in parents"
    if wanted.owner:
        yield f"{quoted(wanted.owner)} in owners"
    if wanted.modified_after:
        yield f"modifiedTime > {quoted(f'{wanted.modified_after.isoformat()}T00:00:00')}"
    if wanted.shared_with_me:
        yield "sharedWithMe = true"
    if "trashed" not in words_of(wanted.query):
        yield f"trashed = {'true' if wanted.trashed else 'false'}"
