"""Ids that several files share, for example after merging clones: a flaw of each of these files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.flaws import Flaw
from laconic.servers.issues.index.short_names import short_names


def with_shared_ids(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries; those that share their id get that flaw, with a name that finds the file."""
    ids = Counter(entry.id for entry in entries)
    if len(ids) == len(entries):
        return list(entries)
    shared = [entry for entry in entries if ids[entry.id] > 1]
    names = dict(zip((entry.path for entry in shared), short_names(shared, entries), strict=True))
    return [_with_flaw(entry, names.get(entry.path), ids[entry.id]) for entry in entries]


def shared_id(entry: Entry) -> Flaw | None:
    """Return that flaw of an entry, or None."""
    return next((flaw for flaw in entry.flaws if flaw.kind == "shared id"), None)


def _with_flaw(entry: Entry, name: str | None, files: int) -> Entry:
    if name is None:
        return entry
    return replace(entry, flaws=(Flaw("shared id", name, str(files)), *entry.flaws))
