"""Repairs of single files, each atomic and under the writers' lock.

A repair does not change `updatedAt`: the content of the issue is the same, and so is its place in lists.
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
from laconic.servers.issues.merging.merge import split_issues
from laconic.servers.issues.models import KEY_ORDER, PREFIXES, Issue
from laconic.servers.issues.writing import changes
from laconic.servers.issues.writing.writing import Writer
from laconic.stores import Taken
from laconic.stores.durable import write_new, write_over
from laconic.stores.header.header import Header

FORMER: Final = "formerId"
"""Key in the metadata for ids that the issue had and another issue has now."""

_ISSUE: Final = re.compile(rf"(?:{'|'.join(PREFIXES.values())})-\d+")
_NUMBERED: Final = re.compile(r"(?:[A-Z]+-\d+|\d{6})(?!\d)")


class Repairs(Writer):
    """Repairs what only accidents and merges leave behind."""

    def renumber(self, target: Entry) -> Issue | None:
        """Give an issue a new id and note the former one; None if the id is no longer shared."""
        with self._locked():
            content, before = self._present(target)
            self._index.refresh(anyway=True)
            if sum(entry.id == target.id for entry in self._index.entries()) < 2:
                return None
            new = self._id_in_name(before.entry) or self._new_id(before.entry)
            header = changes.edited(content, before, _renumbering(new), is_repair=True)
            self._unlink_twins(target.path)
            write_over(self._layout.at(target.path), encode(header.text()) if header else content)
            named = self._named(target.path, new)
            self._claims.rename(target.id, named)
            return named

    def rename(self, target: Entry) -> Issue:
        """Rename a file after its id."""
        with self._locked():
            entry = self._present(target)[1].entry
            self._unlink_twins(entry.path)
            return self._named(entry.path, entry.id)

    def refer(self, target: Entry, old: str, new: str) -> Issue:
        """Replace an id that an issue refers to."""
        with self._locked():
            content, before = self._present(target)
            header = changes.edited(content, before, _referring(old, new), is_repair=True)
            if header is not None:
                write_over(self._layout.at(target.path), encode(header.text()))
            return self._updated(target.path)

    def split(self, target: Entry) -> Issue | None:
        """Split a file in which a merge left two issues; None if it contains only one.

        The younger issue gets its own file. If killed in between, it is in both, which the next run detects.
        """
        with self._locked():
            both = split_issues(decode(self._present(target)[0])[0])
            if both is None:
                return None
            self._index.refresh(anyway=True)
            older, younger = sorted(both, key=lambda text: self._read(target.path, text).created or 0)
            made = self._twice(target.id, younger) or self._apart(target.path, younger)
            write_over(self._layout.at(target.path), encode(older))
            self._updated(target.path)
            return made

    def drop(self, target: Entry, other: Entry) -> bool:
        """Delete a file that is a byte-for-byte copy of another; False if it is not."""
        with self._locked():
            contents = [self._present(entry)[0] for entry in (target, other)]
            paths = [self._layout.at(entry.path) for entry in (target, other)]
            if contents[0] != contents[1] or paths[0] == paths[1]:
                return False
            self._unlink(target.path)
            return True

    def end_claim(self, id: str) -> bool:
        """End the claim of an issue, also of one that does not exist here."""
        with self._locked():
            return self._claims.end(id)

    def _id_in_name(self, entry: Entry) -> str | None:
        """Return the id that the file's name begins with, if no other file has it or is named after it."""
        kind = self._kind(entry)
        found = re.match(rf"(?:{PREFIXES[kind]}-)?(\d+)(?!\d)", entry.stem)
        if found is None:
            return None
        id, forms = f"{PREFIXES[kind]}-{int(found[1]):06d}", (found[0], found[1])
        names = {id, *forms}
        others = [one for one in self._index.entries() if one.path != entry.path]
        taken = any(
            one.id in names or _number(one.stem) in names or names & {*former_ids(one)} for one in others
        )
        return None if taken or entry.id in names or self._numbers.is_elsewhere(id, entry) else id

    def _kind(self, entry: Entry) -> str:
        return entry.type if entry.type in PREFIXES else self._layout.collection(entry.path)

    def _new_id(self, entry: Entry) -> str:
        kind = self._kind(entry)
        return f"{PREFIXES[kind]}-{self._numbers.next(kind, self._index.entries()):06d}"

    def _named(self, path: str, id: str) -> Issue:
        """Replace the id at the start of a file's name, if there is one."""
        self._updated(path)
        place = PurePosixPath(path)
        name = f"{id}{place.stem[found.end() :]}.md" if (found := _NUMBERED.match(place.stem)) else place.name
        if name == place.name or self._index.is_linked(path):
            return self._updated(path)
        new = changes.move(self._layout, path, str(place.parent), name)
        self._index.read_again(path)
        return self._updated(new)

    def _read(self, path: str, text: str) -> Entry:
        return parse(path, encode(text), self._layout.collection(path), (0, 0, 0, 0)).entry

    def _twice(self, id: str, text: str) -> Issue | None:
        """Find the issue that was already split off."""
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
                return self._updated(str(PurePosixPath(folder, name)))


def _number(stem: str) -> str:
    found = _NUMBERED.match(stem)
    return found[0] if found else ""


def former_ids(entry: Entry) -> list[str]:
    """Return the ids that an issue had before it was renumbered."""
    found = (entry.context or {}).get(FORMER)
    return [one.strip() for one in found.split(",")] if isinstance(found, str) else []


def names_of(entry: Entry) -> list[str]:
    """Return the name of an issue's file, and its names before it was renumbered."""
    name = entry.path.rpartition("/")[2]
    own = name.removeprefix(entry.id)
    return [name, *(f"{id}{own}" for id in former_ids(entry) if own != name)]


def references_of(entry: Entry) -> list[str]:
    """Return the ids that an issue's header refers to, except a parent task of another program."""
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
