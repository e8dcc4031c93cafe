"""Writing issues: lock, read again, check, write whole, move; a killed writer loses and duplicates nothing.

An edit that moves a file has three steps: the new text replaces the old one under the old name; the file gets
its new name as a second one; the old name is removed. If killed after the first step, the file is correct but
in the wrong folder, which `relocate` repairs. If killed after the second, it is one file with two names, as
its inode shows: it is listed once, under the name in the right folder, and the next change removes the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import PurePosixPath
from typing import Any

from laconic.kit import Conflict, NotFound, OutsideWorkspace
from laconic.servers.issues.claims.claims import Claims, Wish
from laconic.servers.issues.index.entries import Entry, Parsed
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.layout import file_name
from laconic.servers.issues.index.references import Lookup
from laconic.servers.issues.models import PREFIXES, Issue
from laconic.servers.issues.writing import changes
from laconic.servers.issues.writing.changes import Change, Place
from laconic.servers.issues.writing.numbers import Numbers
from laconic.stores import StoreDown, StoreError, Taken
from laconic.stores.durable import clear_drafts, write_new, write_over
from laconic.stores.errors import nothing_written
from laconic.stores.header.header import Header
from laconic.stores.locks import file_lock


class Writer:
    """Changes the files of a workspace, one writer at a time in all work trees of its repository."""

    def __init__(self, index: Index, lookup: Lookup, patience: float, claims: Claims) -> None:
        self._index, self._lookup, self._patience = index, lookup, patience
        self._claims = claims
        self._layout = index.layout
        self._numbers = Numbers(index.layout)
        self._numbered = -1  # the generation up to which numbers are known

    def create(self, values: Mapping[str, Any], body: str) -> Issue:
        """Create a file."""
        kind, status = str(values.get("type") or "issue"), str(values.get("status") or "open")
        with self._locked():
            self._index.refresh(anyway=True)
            folder = self._layout.folder("", kind, status)
            while True:
                number = self._numbers.next(kind, self._unnumbered())
                id = f"{PREFIXES.get(kind, 'ISS')}-{number:06d}"
                name = file_name(id, str(values["title"]))
                content = changes.composed(id, values, body)
                try:
                    with nothing_written():
                        write_new(self._layout.at(folder) / name, content)
                except Taken:  # by a file without that id
                    continue
                self._clear_up()
                return self._index.wrote(str(PurePosixPath(folder, name)), content).issue

    def edit(self, target: Entry | str, change: Change, wish: Wish | None = None) -> tuple[Issue, Issue]:
        """Change a file, and return the issue before and after; a wish to hold it is granted first."""
        with self._locked():
            with nothing_written():
                content, before = self._present(target)
                new = self._rewritten(content, before, change, wish)
            if new is None:
                return before.issue, self._followed(before.issue)
            self._clear_up()
            return before.issue, self._followed(self._placed(before.entry, new))

    def _rewritten(self, content: bytes, before: Parsed, change: Change, wish: Wish | None) -> Place | None:
        """Write the changed file, and return its content and where it belongs; None if nothing changes."""
        undo = self._claims.take(before.entry, wish) if wish else None
        try:
            new = changes.edited(content, before, change)
            place = None if new is None else self._destined(before.entry, new)
            if place is not None:
                self._unlink_twins(before.entry.path)
                write_over(self._layout.at(before.entry.path), place.content)
        except BaseException:
            if undo is not None:
                undo()
            raise
        return place

    def _destined(self, entry: Entry, new: Header) -> Place:
        """Return where a file belongs after an edit: a link, and what an edit does not move, stays."""
        folder, _, name = entry.path.rpartition("/")
        moved = None if self._index.is_linked(entry.path) else changes.destined(self._layout, entry, new)
        return moved or Place(folder, name, new)

    def _followed(self, issue: Issue) -> Issue:
        """Let the claim of an issue follow its change."""
        said = self._claims.follow(issue)
        return issue.model_copy(update={"warnings": [*issue.warnings, said]}) if said else issue

    def release(self, target: Entry | str) -> bool:
        """End the claim of an issue, whoever has it; False if nobody has."""
        with self._locked():
            return self._claims.end(self._present(target)[1].entry.id)

    def delete(self, target: Entry | str) -> Issue:
        """Delete a file."""
        with self._locked():
            with nothing_written():
                _, before = self._present(target)
                self._numbers.remember(self._unnumbered())
                self._unlink_twins(before.entry.path)
            self._unlink(before.entry.path)
            self._claims.follow(before.issue.model_copy(update={"assignee": None}))
            return before.issue

    def relocate(self, target: Entry | str) -> Issue:
        """Move a file to the folder where it belongs."""
        with self._locked():
            _, present = self._present(target)
            entry = present.entry
            self._unlink_twins(entry.path)
            if self._layout.fits(entry.path, entry.type, entry.status) or self._index.is_linked(entry.path):
                return self._updated(entry.path)
            return self._moved(entry.path, changes.belonging(self._layout, entry, present.header))

    def _unnumbered(self) -> list[Entry]:
        """Return the entries that are new or changed since the last call."""
        new, self._numbered = self._index.since(self._numbered), self._index.generation
        return new

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with ExitStack() as held:
            with nothing_written():
                self._layout.check()  # a lock would create the folder of a workspace that is gone
                held.enter_context(file_lock(self._numbers.home or self._layout.root, self._patience))
            yield

    def _present(self, target: Entry | str) -> tuple[bytes, Parsed]:
        """Read a file again, and check that it is still the same issue."""
        if not isinstance(target, str):
            return self._same(target)
        if self._index.is_held:
            with suppress(Conflict, NotFound):  # the scan may be too old
                return self._same(self._lookup.find(target))
        self._index.refresh(anyway=True)
        return self._same(self._lookup.find(target))

    def _same(self, entry: Entry) -> tuple[bytes, Parsed]:
        try:
            content, parsed = self._index.contents.parsed(entry.path)
        except FileNotFoundError:
            raise _elsewhere(entry, "no longer exists") from None
        except OSError as error:
            raise StoreDown(f"{entry.path} cannot be read: {error.strerror}.") from error
        if parsed.entry.id != entry.id:
            raise _elsewhere(entry, f"is {parsed.entry.id} now")
        return content, parsed

    def _placed(self, before: Entry, place: Place) -> Issue:
        """Update the index after an edit, and move the file if needed."""
        if str(PurePosixPath(place.folder, place.name)) == before.path:
            return self._index.wrote(before.path, place.content, place.header).issue
        try:
            return self._moved(before.path, place)
        except (StoreError, OutsideWorkspace) as error:  # the edit itself is done and the file intact: warn
            issue = self._index.wrote(before.path, place.content, place.header).issue
            return issue.model_copy(update={"warnings": [*issue.warnings, str(error)]})

    def _moved(self, path: str, place: Place) -> Issue:
        new = changes.move(self._layout, path, place.folder, place.name)
        self._index.removed(path)
        return self._index.wrote(new, place.content, place.header).issue

    def _updated(self, path: str) -> Issue:
        self._index.read_again(path)
        return self._index.contents.parsed(path)[1].issue

    def _unlink_twins(self, path: str) -> None:
        """Remove other names of a file that a killed move left; the content stays under this name."""
        for twin in [name for name, one in self._index.twins.items() if one == path]:
            if (self._layout.root / twin).samefile(self._layout.root / path):
                self._unlink(twin)

    def _unlink(self, path: str) -> None:
        try:
            (self._layout.root / path).unlink(missing_ok=True)
        except OSError as error:
            with nothing_written():
                raise StoreDown(f"{path} cannot be deleted: {error.strerror}.") from error
        self._index.read_again(path)

    def _clear_up(self) -> None:
        """Remove drafts of killed writers; nobody else writes while we hold the lock."""
        for folder in {PurePosixPath(draft).parent for draft in self._index.drafts()}:
            clear_drafts(self._layout.root / folder)


def _elsewhere(entry: Entry, words: str) -> Conflict:
    return Conflict(
        f"{entry.path} {words}: {entry.id} has moved or was deleted meanwhile.",
        code="RESOURCE_LOCKED",
        advice="Read it again, then repeat the change if it still fits.",
    )
