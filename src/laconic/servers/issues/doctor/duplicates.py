"""Duplicates: files that share an id, which of them keeps it, and the new numbers of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from laconic.servers.issues.doctor.findings import Finding
from laconic.servers.issues.doctor.history import History
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import decode, description_of, has_json_header, readable
from laconic.servers.issues.models import KEY_ORDER
from laconic.servers.issues.store import IssueStore
from laconic.stores.header.header import Header

_NEVER: Final = float("inf")
_FEW: Final = 5  # issues listed in a sentence


class Duplicates:
    """Checks the ids of a workspace.

    The issue that was created first keeps the id: by its own date, else by the first commit. That is the same
    one in every clone. Files created at the same time with the same title or name are versions of a single
    issue, and only a person can decide what to keep of each.
    """

    def __init__(self, store: IssueStore, history: History) -> None:
        self._store, self._history = store, history

    def findings(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        """Report every file except one per id."""
        ids: dict[str, list[Entry]] = {}
        for entry in entries:
            ids.setdefault(entry.id, []).append(entry)
        for shared in ids.values():
            if len(shared) > 1:
                yield from self._group(shared)

    def _group(self, shared: Sequence[Entry]) -> Iterator[Finding]:
        distinct: dict[int, Entry] = {}
        for entry in sorted(shared, key=self._worse):
            first = distinct.setdefault(entry.digest, entry)
            if first is not entry:
                yield self._copy(entry, first)
        issues: list[list[Entry]] = []  # grouped: versions of one issue
        for entry in distinct.values():
            known = next((one for one in issues if _are_versions(one[0], entry)), None)
            if known is None:
                issues.append([entry])
            else:
                known.append(entry)
        if len(issues) > 1:
            moments = Counter(versions[0].created for versions in issues)
            issues.sort(key=lambda versions: self._age(versions[0], is_tie=moments[versions[0].created] > 1))
            yield from (self._younger(versions, issues[0][0]) for versions in issues[1:])
        yield from (_version(other, versions[0]) for versions in issues for other in versions[1:])

    def _younger(self, versions: Sequence[Entry], keeps: Entry) -> Finding:
        entry, words = versions[0], f"{keeps.id} is also {readable(keeps.path)}, which keeps it."
        reason = "There are two versions of it: merge them first." if len(versions) > 1 else None
        reason = reason or self._obstacle(entry)
        if reason is not None:
            return _finding(entry, words, f"{reason} Then give it its own id.")
        return Finding(
            *("duplicate id", readable(entry.path), words, "It gets a new number."),
            repair=partial(self._renumber, entry),
        )

    def _renumber(self, entry: Entry) -> str | None:
        made = self._store.repairs.renumber(entry)
        if made is None:
            return None
        words = f"{readable(entry.path)}: {entry.id} is now {made.id} ({made.path})."
        found = [hit.entry for hit in self._store.search(entry.id, ["description"])]
        texts = [one.id for one in found if one.id != made.id and entry.id in self._text(one)]
        more = f" and {len(texts) - _FEW} more" if len(texts) > _FEW else ""
        return f"{words} Texts that name it: {', '.join(texts[:_FEW])}{more}." if texts else words

    def _text(self, entry: Entry) -> str:
        return description_of(decode(self._store.content(entry))[0])

    def _obstacle(self, entry: Entry) -> str | None:
        """Return why a file cannot be renumbered, or None."""
        if self._store.is_linked(entry):
            return "It is reached through a link."
        text = decode(self._store.content(entry))[0]
        header = Header.of(text, KEY_ORDER)
        if has_json_header(text) or header.is_broken:
            return "Fix its header first."
        return None if "id" in header.values() else "Its id comes only from the file name: rename it."

    def _copy(self, entry: Entry, first: Entry) -> Finding:
        words = f"It is the same as {readable(first.path)}, byte for byte."
        if self._store.is_linked(entry):
            return _finding(entry, words, "It is reached through a link: delete the link.")

        def drop() -> str | None:
            return f"{readable(entry.path)}: deleted." if self._store.repairs.drop(entry, first) else None

        return Finding("duplicate id", readable(entry.path), words, "This one is deleted.", drop)

    def _worse(self, entry: Entry) -> tuple[bool, bool, str]:
        fits = self._store.layout.fits(entry.path, entry.type, entry.status)
        return self._store.is_linked(entry), not fits, entry.path

    def _age(self, entry: Entry, *, is_tie: bool) -> tuple[float, float, str]:
        made = _NEVER if entry.created is None else entry.created
        seen = self._history.first_seen(entry) if is_tie else None
        return made, _NEVER if seen is None else seen, entry.path


def _are_versions(one: Entry, other: Entry) -> bool:
    is_named = one.path.rpartition("/")[2] == other.path.rpartition("/")[2]
    return one.created == other.created and (one.title == other.title or is_named)


def _version(entry: Entry, first: Entry) -> Finding:
    words = f"It is another version of {readable(first.path)}."
    return _finding(entry, words, "Merge them into one of the files, and delete the other.")


def _finding(entry: Entry, problem: str, advice: str) -> Finding:
    return Finding("duplicate id", readable(entry.path), problem, advice)
