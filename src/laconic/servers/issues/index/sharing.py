"""Sharing: ids that several files have, as merged clones leave them; said wherever one is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import readable


def warned(entries: Sequence[Entry]) -> list[Entry]:
    """Let each entry that shares its id say so, and by which name it is found."""
    ids = Counter(entry.id for entry in entries)
    if len(ids) == len(entries):
        return list(entries)
    stems = Counter(entry.stem for entry in entries if ids[entry.id] > 1)
    return [_warned(entry, ids[entry.id], stems[entry.stem]) for entry in entries]


def sharing(entry: Entry) -> str | None:
    """Return the warning, if there is one."""
    return next((words for words in entry.warnings if words.startswith("One of ")), None)


def _warned(entry: Entry, files: int, named: int) -> Entry:
    if files < 2:
        return entry
    name = readable(entry.path if named > 1 else entry.stem)
    words = f"One of {files} files with this id: call it {name}"
    return replace(entry, warnings=(words, *entry.warnings))
