"""Short names: the beginning of a file's name that no other file has, for issues whose id is not enough."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import readable

__all__ = ["is_beginning", "short_names"]

_NUMBERED: Final = re.compile(r"(?:[a-z]+-)?\d+-.", re.DOTALL)


def is_beginning(wanted: str, entry: Entry) -> bool:
    """True if the name of the entry's file begins so; an id alone is no beginning."""
    start = wanted.lower()
    if not _stem(entry).lower().startswith(start):
        return False
    return start.startswith(f"{entry.id.lower()}-") or _NUMBERED.match(start) is not None


def short_names(entries: Sequence[Entry], every: Sequence[Entry]) -> list[str]:
    """Return a name for each entry that finds it among all: a beginning of its file name, else its path."""
    if not entries:
        return []
    stems, ids = sorted(_stem(entry).lower() for entry in every), {entry.id for entry in every}
    unique = (_unique(entry, stems) for entry in entries)
    return [
        next((name for name in found if name not in ids), readable(entry.path))
        for entry, found in zip(entries, unique, strict=True)
    ]


def _unique(entry: Entry, stems: Sequence[str]) -> Iterator[str]:
    stem = _stem(entry)
    for end in [*(found.start() for found in re.finditer("-", stem)), len(stem)]:
        if is_beginning(stem[:end], entry) and _count(stem[:end].lower(), stems) == 1:
            yield stem[:end]
    at = bisect_left(stems, stem.lower())
    if stems[at + 1 : at + 2] != [stem.lower()]:
        yield stem


def _count(start: str, stems: Sequence[str]) -> int:
    """Count the names that begin so, up to two."""
    at = bisect_left(stems, start)
    return sum(stem.startswith(start) for stem in stems[at : at + 2])


def _stem(entry: Entry) -> str:
    return readable(entry.path[entry.path.rfind("/") + 1 : -len(".md")])
