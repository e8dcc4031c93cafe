"""Ids that several files share, for example after merging clones: a flaw of each of these files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.flaws import Flaw
from laconic.servers.issues.index.reading import readable


def with_shared_ids(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries; those that share their id get that flaw, with a name that finds the file."""
    ids = Counter(entry.id for entry in entries)
    if len(ids) == len(entries):
        return list(entries)
    stems = Counter(entry.stem for entry in entries if ids[entry.id] > 1)
    return [_with_flaw(entry, ids[entry.id], stems[entry.stem]) for entry in entries]


def shared_id(entry: Entry) -> Flaw | None:
    """Return that flaw of an entry, or None."""
    return next((flaw for flaw in entry.flaws if flaw.kind == "shared id"), None)


def _with_flaw(entry: Entry, files: int, named: int) -> Entry:
    if files < 2:
        return entry
    name = readable(entry.path if named > 1 else entry.stem)
    return replace(entry, flaws=(Flaw("shared id", name, str(files)), *entry.flaws))
