"""Placement: files that are in the wrong folder, named after another issue, or not read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from laconic.servers.issues.doctor.findings import Finding
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import decode, readable
from laconic.servers.issues.index.shared_ids import shared_id
from laconic.servers.issues.models import KEY_ORDER, STATUSES
from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.writing.repairs import former_ids
from laconic.stores.header.header import Header


class Placement:
    """Checks the paths of a workspace."""

    def __init__(self, store: IssueStore) -> None:
        self._store, self._layout = store, store.layout

    def findings(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        """Report misplaced, misnamed and ignored files."""
        yield from self._doubled()
        yield from self._misplaced(entries)
        yield from self._misnamed(entries)
        yield from self._left_out()

    def _doubled(self) -> Iterator[Finding]:
        for other, path in sorted(self._store.twins().items()):
            problem = f"It is a second name of {readable(path)}, left by a killed move."
            repair = partial(self._relocate, path)
            yield Finding("misplaced", readable(other), problem, "The second name is removed.", repair)

    def _misplaced(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        for entry in entries:
            if self._layout.fits(entry.path, entry.type, entry.status) or not self._is_decided(entry):
                continue
            folder = self._layout.folder(entry.path, entry.type, entry.status)
            problem = f"It is {entry.status} and of type {entry.type}: it belongs in {folder}."
            obstacle = self._obstacle(entry)
            advice = obstacle or "It is moved there; a file with its name there stays."
            repair = None if obstacle else partial(self._relocate, entry)
            yield Finding("misplaced", readable(entry.path), problem, advice, repair)

    def _obstacle(self, entry: Entry) -> str | None:
        if self._store.is_linked(entry):
            return "It is reached through a link: move the link."
        return "First fix its id, which other files share." if shared_id(entry) else None

    def _is_decided(self, entry: Entry) -> bool:
        """True if the file's header decides where it belongs."""
        header = Header.of(decode(self._store.content(entry))[0], KEY_ORDER)
        is_said = not {"status", "type"}.isdisjoint(header.values())
        return is_said and not header.is_broken and entry.status in STATUSES

    def _relocate(self, target: Entry | str) -> str:
        path, issue = (
            readable(target if isinstance(target, str) else target.path),
            self._store.relocate(target),
        )
        return f"{path}: it is now {issue.path}." if issue.path != path else f"{path}: it has one name now."

    def _misnamed(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        ids = {entry.id for entry in entries}
        for entry in entries:
            named = _id_in(entry.stem)
            if named == entry.id or named not in ids or entry.stem == entry.id:
                continue
            problem = f"It is {entry.id}, but its file name says {named}, which is another issue."
            is_ours = named in former_ids(entry) and not self._store.is_linked(entry)
            advice = "It is renamed after its id." if is_ours else "Rename it, if nothing links to it."
            repair = partial(self._rename, entry) if is_ours else None
            yield Finding("name", readable(entry.path), problem, advice, repair)

    def _rename(self, entry: Entry) -> str:
        return f"{readable(entry.path)}: it is now {self._store.repairs.rename(entry).path}."

    def _left_out(self) -> Iterator[Finding]:
        for path in sorted(self._store.left_out()):
            problem = "It is a link that leads out of the workspace or nowhere, and is not followed."
            yield Finding("left out", readable(path), problem, "Put the file itself there.")
        closed: list[OSError] = []
        for path in sorted(self._odd_names(closed.append)):
            problem = "It is not read because its name does not end in .md."
            yield Finding("left out", readable(path), problem, "Rename it, if it is an issue.")
        for error in closed:
            if not isinstance(error, FileNotFoundError):  # a collection without files
                path = Path(error.filename).relative_to(self._layout.root).as_posix()
                problem = f"It cannot be listed: {error.strerror}. No issue in it is seen."
                yield Finding("left out", readable(path), problem, "Check what it is and who may read it.")

    def _odd_names(self, on_error: Callable[[OSError], None]) -> Iterator[str]:
        for at in self._layout.folders.values():
            for folder, below, names in os.walk(self._layout.root / at, onerror=on_error):
                below[:] = [name for name in below if not name.startswith(".")]
                for path in (Path(folder, name) for name in names if not name.startswith(".")):
                    if path.suffix != ".md" and path.suffix.lower() in (".md", ".markdown"):
                        yield path.relative_to(self._layout.root).as_posix()


def _id_in(stem: str) -> str:
    """Return the id at the start of a file's name; in an older form, digits alone."""
    first, *others = stem.split("-")
    return first if first.isdigit() else "-".join([first, *others[:1]])
