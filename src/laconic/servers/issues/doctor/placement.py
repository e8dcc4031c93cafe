"""Placement: files that lie where they do not belong, are named after another issue, or are not read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from laconic.servers.issues.doctor.findings import Finding
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import decode, readable
from laconic.servers.issues.index.shared_ids import shared_id
from laconic.servers.issues.models import KEY_ORDER
from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.writing.repairs import former_ids
from laconic.stores.header.header import Header

_KNOWN: Final = frozenset({"open", "in_progress", "closed", "cancelled"})  # of others nobody knows the place


class Placement:
    """Looks at the paths of a workspace."""

    def __init__(self, store: IssueStore) -> None:
        self._store, self._layout = store, store.layout

    def findings(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        """Name what is not in its place."""
        yield from self._doubled()
        yield from self._misplaced(entries)
        yield from self._misnamed(entries)
        yield from self._left_out()

    def _doubled(self) -> Iterator[Finding]:
        for other, path in sorted(self._store.twins().items()):
            problem = f"It is one file with {readable(path)}, under a second name that a killed move left."
            mend = partial(self._settle, path)
            yield Finding("misplaced", readable(other), problem, "The second name goes.", mend)

    def _misplaced(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        for entry in entries:
            if self._layout.fits(entry.path, entry.type, entry.status) or not self._says_so(entry):
                continue
            folder = self._layout.folder(entry.path, entry.type, entry.status)
            problem = f"It is {entry.status} and of type {entry.type}: it belongs in {folder}."
            obstacle = self._obstacle(entry)
            advice = obstacle or "It is moved there, beside whatever has its name."
            mend = None if obstacle else partial(self._settle, entry)
            yield Finding("misplaced", readable(entry.path), problem, advice, mend)

    def _obstacle(self, entry: Entry) -> str | None:
        if self._store.is_linked(entry):
            return "It is reached through a link: move the link."
        return "First see to its id, which it shares." if shared_id(entry) else None

    def _says_so(self, entry: Entry) -> bool:
        """Whether its own header says what its place is judged by."""
        header = Header.of(decode(self._store.content(entry))[0], KEY_ORDER)
        is_said = not {"status", "type"}.isdisjoint(header.values())
        return is_said and not header.is_broken and entry.status in _KNOWN

    def _settle(self, target: Entry | str) -> str:
        path, issue = readable(target if isinstance(target, str) else target.path), self._store.settle(target)
        return f"{path}: it is now {issue.path}." if issue.path != path else f"{path}: it has one name now."

    def _misnamed(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        ids = {entry.id for entry in entries}
        for entry in entries:
            named = _id_in(entry.stem)
            if named == entry.id or named not in ids or entry.stem == entry.id:
                continue
            problem = f"It is {entry.id}, and its name says {named}, which is another issue."
            is_ours = named in former_ids(entry) and not self._store.is_linked(entry)
            advice = "It is named after its id." if is_ours else "Rename it, if nothing links to it."
            mend = partial(self._rename, entry) if is_ours else None
            yield Finding("name", readable(entry.path), problem, advice, mend)

    def _rename(self, entry: Entry) -> str:
        return f"{readable(entry.path)}: it is now {self._store.repairs.rename(entry).path}."

    def _left_out(self) -> Iterator[Finding]:
        for path in sorted(self._store.left_out()):
            problem = "It is a link that leads out of the workspace or nowhere, and is not followed."
            yield Finding("left out", readable(path), problem, "Put the file itself there.")
        closed: list[OSError] = []
        for path in sorted(self._odd_names(closed.append)):
            problem = "It is not read, since its name does not end in .md."
            yield Finding("left out", readable(path), problem, "Rename it, if it is an issue.")
        for error in closed:
            if not isinstance(error, FileNotFoundError):  # a collection that nobody has begun
                path = Path(error.filename).relative_to(self._layout.root).as_posix()
                problem = f"It cannot be listed: {error.strerror}. No issue in it is seen."
                yield Finding("left out", readable(path), problem, "See what it is, and who may read it.")

    def _odd_names(self, on_error: Callable[[OSError], None]) -> Iterator[str]:
        for at in self._layout.folders.values():
            for folder, below, names in os.walk(self._layout.root / at, onerror=on_error):
                below[:] = [name for name in below if not name.startswith(".")]
                for path in (Path(folder, name) for name in names if not name.startswith(".")):
                    if path.suffix != ".md" and path.suffix.lower() in (".md", ".markdown"):
                        yield path.relative_to(self._layout.root).as_posix()


def _id_in(stem: str) -> str:
    """Take the id that a file's name begins with; an older form is digits alone."""
    first, *others = stem.split("-")
    return first if first.isdigit() else "-".join([first, *others[:1]])
