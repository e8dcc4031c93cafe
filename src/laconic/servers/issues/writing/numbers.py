"""Numbers of issues: the next free one of each kind, never used twice in any work tree of a repository.

Clones cannot ask each other. The files on known branches and remotes count, so two clones use the same number
only between two fetches; decision 8 describes what happens then.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.lazily import regex
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.stamps import Stamp, stamps_of
from laconic.servers.issues.models import PREFIXES
from laconic.servers.issues.writing.branches import Branches
from laconic.stores import StoreError
from laconic.stores.durable import write_over
from laconic.stores.locks import git_common_dir, git_top, git_worktrees

_ID: Final = regex(rf"({'|'.join(PREFIXES.values())})-(\d{{1,15}})(?!\d)")
_LEGACY: Final = regex(r"\d{6}(?!\d)")
_ID_LINE: Final = regex(rb"^id[ \t]*:[ \t]*['\"]?([^'\"\s#]+)", re.MULTILINE)
_HEAD: Final = 1024  # bytes of a file that are searched for its id
_MARKS: Final = ("laconic", "issue-numbers.json")
_HEARD: Final = "branches"  # stored with the highest numbers: the state of the branches that they include


class Numbers:
    """Assigns numbers by prefix; the highest ones are stored with git's own files, not in a work tree."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._branches = Branches(layout)
        self._told: dict[str, int] = {}  # the highest number per prefix in the entries given so far
        self._seen: dict[Path, tuple[Stamp, str]] = {}  # files of other work trees, and their ids

    @property
    def home(self) -> Path | None:
        """The git folder that all work trees share; None outside a repository."""
        return git_common_dir(self._layout.root)

    def next(self, kind: str, entries: Iterable[Entry]) -> int:
        """Take the next number for a type; the caller must hold the lock."""
        prefix = PREFIXES.get(kind, "ISS")
        known = (self._highest(entries), self._elsewhere(), self._heard(), self._marks())
        number = 1 + max(found.get(prefix, 0) for found in known)
        self._mark({prefix: number})
        return number

    def is_elsewhere(self, id: str, entry: Entry) -> bool:
        """True if another work tree has a different file with this id."""
        name = entry.path.rpartition("/")[2]
        return any(
            path.rpartition("/")[2] != name and self._id_in(layout.root / path, stamp) == id
            for layout in self._siblings()
            for path, stamp in _files(layout)
        )

    def remember(self, entries: Iterable[Entry]) -> None:
        """Never use the numbers of these entries again, even if their files are deleted."""
        self._mark(self._highest(entries))

    def _highest(self, entries: Iterable[Entry]) -> dict[str, int]:
        """Include these entries in the highest numbers; later calls need only newer entries."""
        for entry in entries:
            _raise(self._told, entry.id, entry.path, self._layout)
            _raise(self._told, entry.path.rpartition("/")[2], entry.path, self._layout)
        return self._told

    def _elsewhere(self) -> dict[str, int]:
        """Find the highest numbers in other work trees, including uncommitted files."""
        found: dict[str, int] = {}
        for layout in self._siblings():
            for path, stamp in _files(layout):
                _raise(found, path.rpartition("/")[2], path, layout)
                _raise(found, self._id_in(layout.root / path, stamp), path, layout)
        return found

    def _heard(self) -> dict[str, int]:
        """Find the highest numbers on branches, if one has moved since the last call."""
        state = self._branches.state()
        if state == self._marks().get(_HEARD, 0):
            return {}
        found: dict[str, int] = {}
        for path in self._branches.files():
            _raise(found, path.rpartition("/")[2], path, self._layout)
        self._mark({**found, _HEARD: state})
        return found

    def _siblings(self) -> Iterator[Layout]:
        top, home = git_top(self._layout.root), self.home
        if top is None or home is None:
            return
        for other in git_worktrees(home):
            beside = other / self._layout.root.relative_to(top)
            if other != top and beside.is_dir():
                yield self._layout.beside(beside)

    def _id_in(self, path: Path, stamp: Stamp) -> str:
        """Read the id in a file's header, once per change of the file."""
        known = self._seen.get(path)
        if known is None or known[0] != stamp:
            known = self._seen[path] = (stamp, _id_line(path))
        return known[1]

    @property
    def _marks_file(self) -> Path:
        home = self.home
        return (self._layout.root / self._layout.home / "cache" if home is None else home).joinpath(*_MARKS)

    def _workspace(self) -> str:
        top = git_top(self._layout.root)
        return self._layout.root.relative_to(top).as_posix() if top else "."

    def _all_marks(self) -> dict[str, dict[str, int]]:
        with suppress(OSError, ValueError, TypeError, AttributeError):
            kept = json.loads(self._marks_file.read_text(encoding="utf-8"))
            return {
                str(name): {str(prefix): int(number) for prefix, number in marks.items()}
                for name, marks in kept.items()
            }
        return {}

    def _marks(self) -> dict[str, int]:
        return self._all_marks().get(self._workspace(), {})

    def _mark(self, numbers: Mapping[str, int]) -> None:
        """Store the highest numbers ever used; if that fails, only the files count."""
        kept = self._all_marks()
        marks = kept.setdefault(self._workspace(), {})
        new = {name: one for name, one in numbers.items() if one > marks.get(name, 0) or name == _HEARD}
        if new:
            marks.update(new)
            with suppress(StoreError):
                write_over(self._marks_file, json.dumps(kept).encode())  # noqa: TID251  # a file, not an answer


def _raise(found: dict[str, int], name: str, path: str, layout: Layout) -> None:
    """Include the number at the start of an id or file name; six digits alone are an older form."""
    match = _ID.match(name)
    if match:
        prefix, number = match[1], int(match[2])
    elif name[:6].isdigit() and (legacy := _LEGACY.match(name)):
        prefix, number = PREFIXES[layout.collection(path)], int(legacy[0])
    else:
        return
    if number > found.get(prefix, 0):
        found[prefix] = number


def _files(layout: Layout) -> Iterator[tuple[str, Stamp]]:
    left = [(os.path.realpath(layout.root / at), at) for at in layout.folders.values()]
    while left:
        folder, above = left.pop()
        if layout.holds(Path(folder)):
            stamps, others = stamps_of(folder)
            yield from ((f"{above}/{name}", stamp) for name, stamp in stamps.items())
            below = [other.name for other in others if other.is_folder and not other.name.startswith(".")]
            left += [(f"{folder}{os.sep}{name}", f"{above}/{name}") for name in below]


def _id_line(path: Path) -> str:
    with suppress(OSError), path.open("rb") as file:
        found = _ID_LINE.search(file.read(_HEAD))
        return found[1].decode(errors="replace") if found else ""
    return ""
