"""Repairs: the repairs of single files, each of them whole or not at all, under the lock of all writers.

A repair leaves `updatedAt` alone: the issue says what it said, and lists by last change stay as they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Final

from laconic.servers.issues.index.entries import Entry, parse
from laconic.servers.issues.index.layout import file_name
from laconic.servers.issues.index.reading import decode, encode
from laconic.servers.issues.merging.merge import parted
from laconic.servers.issues.models import KEY_ORDER, PREFIXES, Issue
from laconic.servers.issues.writing import changes
from laconic.servers.issues.writing.writing import Writer
from laconic.stores import Taken
from laconic.stores.durable import write_new, write_over
from laconic.stores.header.header import Header

FORMER: Final = "formerId"
"""Beside what agents keep with an issue: ids that it had, and another one has."""

_ISSUE: Final = re.compile(rf"(?:{'|'.join(PREFIXES.values())})-\d+")
_NUMBERED: Final = re.compile(r"(?:[A-Z]+-\d+|\d{6})(?!\d)")


class Repairs(Writer):
    """Repairs of what only accidents and merges leave."""

    def renumber(self, target: Entry) -> Issue | None:
        """Give an issue an id of its own, and remember the former one; None if no other has it any more."""
        with self._locked():
            content, before = self._present(target)
            self._index.refresh(anyway=True)
            if sum(entry.id == target.id for entry in self._index.entries()) < 2:
                return None
            new = self._new_id(before.entry)
            text = changes.edited(content, before.issue, _renumbering(new), is_repair=True)
            self._unlink_twins(target.path)
            write_over(self._layout.at(target.path), text or content)
            return self._named(target.path, new)

    def rename(self, target: Entry) -> Issue:
        """Let the name of a file follow its id."""
        with self._locked():
            entry = self._present(target)[1].entry
            self._unlink_twins(entry.path)
            return self._named(entry.path, entry.id)

    def refer(self, target: Entry, old: str, new: str) -> Issue:
        """Make an issue refer to another one by another id."""
        with self._locked():
            content, before = self._present(target)
            text = changes.edited(content, before.issue, _referring(old, new), is_repair=True)
            if text is not None:
                write_over(self._layout.at(target.path), text)
            return self._taken_in(target.path)

    def part(self, target: Entry) -> Issue | None:
        """Give the younger of two issues that a merge left in one file its own; None if there is only one.

        Killed in between, it is in both files: then the next time finds that it has its own.
        """
        with self._locked():
            both = parted(decode(self._present(target)[0])[0])
            if both is None:
                return None
            self._index.refresh(anyway=True)
            older, younger = sorted(both, key=lambda text: self._read(target.path, text).created or 0)
            made = self._twice(target.id, younger) or self._apart(target.path, younger)
            write_over(self._layout.at(target.path), encode(older))
            self._taken_in(target.path)
            return made

    def drop(self, target: Entry, other: Entry) -> bool:
        """Delete a file that another one repeats byte for byte; False if it does not."""
        with self._locked():
            contents = [self._present(entry)[0] for entry in (target, other)]
            paths = [self._layout.at(entry.path) for entry in (target, other)]
            if contents[0] != contents[1] or paths[0] == paths[1]:
                return False
            self._unlink(target.path)
            return True

    def _new_id(self, entry: Entry) -> str:
        kind = entry.type if entry.type in PREFIXES else self._layout.collection(entry.path)
        return f"{PREFIXES[kind]}-{self._numbers.next(kind, self._index.entries()):06d}"

    def _named(self, path: str, id: str) -> Issue:
        """Put an id in the place of the one that a file's name begins with, if it does."""
        self._taken_in(path)
        place = PurePosixPath(path)
        name = f"{id}{place.stem[found.end() :]}.md" if (found := _NUMBERED.match(place.stem)) else place.name
        if name == place.name or self._index.is_linked(path):
            return self._taken_in(path)
        new = changes.move(self._layout, path, str(place.parent), name)
        self._index.read_again(path)
        return self._taken_in(new)

    def _read(self, path: str, text: str) -> Entry:
        return parse(path, encode(text), self._layout.collection(path), (0, 0, 0, 0)).entry

    def _twice(self, id: str, text: str) -> Issue | None:
        """Find the issue that has been taken out of a file already."""
        wanted = self._read("", text)
        for entry in self._index.entries():
            is_it = (entry.created, entry.title) == (wanted.created, wanted.title)
            if is_it and id in former_ids(entry):
                return entry.issue()
        return None

    def _apart(self, path: str, text: str) -> Issue:
        entry = self._read(path, text)
        folder = self._layout.folder(path, entry.type, entry.status)
        while True:
            id, header = self._new_id(entry), Header.of(text, KEY_ORDER)
            _renumbering(id)(header, entry.issue())
            name = file_name(id, entry.title)
            with suppress(Taken):
                write_new(self._layout.at(folder) / name, encode(header.text()))
                return self._taken_in(str(PurePosixPath(folder, name)))


def former_ids(entry: Entry) -> list[str]:
    """Name the ids that an issue had before it was renumbered."""
    found = (entry.context or {}).get(FORMER)
    return [one.strip() for one in found.split(",")] if isinstance(found, str) else []


def names_of(entry: Entry) -> list[str]:
    """Name an issue's file, and what it was called before it was renumbered."""
    name = entry.path.rpartition("/")[2]
    own = name.removeprefix(entry.id)
    return [name, *(f"{id}{own}" for id in former_ids(entry) if own != name)]


def references_of(entry: Entry) -> list[str]:
    """Name the issues that an issue refers to in its header; a parent may be some other program's task."""
    parent = [entry.parent] if entry.parent and _ISSUE.fullmatch(entry.parent) else []
    return list(dict.fromkeys([*entry.blocked_by, *parent]))


def _renumbering(id: str) -> changes.Change:
    def change(header: Header, issue: Issue) -> None:
        context = dict(issue.wrangler_context or {})
        before = context.get(FORMER)
        was = [before] if isinstance(before, str) and before else []
        header.set("id", id)
        header.set("wranglerContext", {**context, FORMER: ", ".join([*was, issue.id])})

    return change


def _referring(old: str, new: str) -> changes.Change:
    def change(header: Header, issue: Issue) -> None:
        if old in issue.blocked_by:
            header.set("blockedBy", _replaced(issue.blocked_by, old, new))
        context: dict[str, Any] = dict(issue.wrangler_context or {})
        if context.get("parentTaskId") == old:
            header.set("wranglerContext", {**context, "parentTaskId": new})

    return change


def _replaced(words: Iterable[str], old: str, new: str) -> list[str]:
    return list(dict.fromkeys(new if word == old else word for word in words))
