"""Numbers: the next free one of each kind, never given twice in any work tree of a repository.

Clones cannot ask each other. What the repository has heard of other branches and of remotes counts, so that
two give the same number only between two fetches; decision 8 says what happens then.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.stamps import Stamp, stamps_of
from laconic.servers.issues.models import PREFIXES
from laconic.servers.issues.writing.branches import Branches
from laconic.stores import StoreError
from laconic.stores.durable import write_over
from laconic.stores.locks import git_common_dir, git_top, git_worktrees

_ID: Final = re.compile(rf"({'|'.join(PREFIXES.values())})-(\d{{1,15}})(?!\d)")
_LEGACY: Final = re.compile(r"\d{6}(?!\d)")
_ID_LINE: Final = re.compile(rb"^id[ \t]*:[ \t]*['\"]?([^'\"\s#]+)", re.MULTILINE)
_HEAD: Final = 1024  # bytes of a file in which its id is looked for
_MARKS: Final = ("laconic", "issue-numbers.json")
_HEARD: Final = "branches"  # beside the highest numbers: the state of the branches they take into account


class Numbers:
    """Counts ids by their prefix. What is kept lies beside the repository's own files, not in a work tree."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._branches = Branches(layout)
        self._told: dict[str, int] = {}  # the highest number of each prefix in the entries named so far
        self._seen: dict[Path, tuple[Stamp, str]] = {}  # files of other work trees, and the id in them

    @property
    def home(self) -> Path | None:
        """The folder that all work trees share; None outside a repository."""
        return git_common_dir(self._layout.root)

    def next(self, kind: str, entries: Iterable[Entry]) -> int:
        """Take the next number for a type; only whoever holds the lock may ask."""
        prefix = PREFIXES.get(kind, "ISS")
        known = (self._highest(entries), self._elsewhere(), self._heard(), self._marks())
        number = 1 + max(found.get(prefix, 0) for found in known)
        self._mark({prefix: number})
        return number

    def remember(self, entries: Iterable[Entry]) -> None:
        """See to it that no number of these is given again, whatever becomes of them."""
        self._mark(self._highest(entries))

    def _highest(self, entries: Iterable[Entry]) -> dict[str, int]:
        """Count these in; whoever asks again need name only those that came since."""
        for entry in entries:
            _raise(self._told, entry.id, entry.path, self._layout)
            _raise(self._told, entry.path.rpartition("/")[2], entry.path, self._layout)
        return self._told

    def _elsewhere(self) -> dict[str, int]:
        """Look at the other work trees, also at what is not committed there."""
        found: dict[str, int] = {}
        for layout in self._siblings():
            for path, stamp in _files(layout):
                _raise(found, path.rpartition("/")[2], path, layout)
                _raise(found, self._id_in(layout.root / path, stamp), path, layout)
        return found

    def _heard(self) -> dict[str, int]:
        """Look at the branches, if one has moved since this was last asked."""
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
        """Read the id in a file's header, once for each change of it."""
        known = self._seen.get(path)
        if known is None or known[0] != stamp:
            known = self._seen[path] = (stamp, _id_line(path))
        return known[1]

    @property
    def _marks_file(self) -> Path:
        home = self.home
        return (self._layout.root / ".wrangler" / "cache" if home is None else home).joinpath(*_MARKS)

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
        """Keep the highest number ever given; where that cannot be written, files alone must tell."""
        kept = self._all_marks()
        marks = kept.setdefault(self._workspace(), {})
        new = {name: one for name, one in numbers.items() if one > marks.get(name, 0) or name == _HEARD}
        if new:
            marks.update(new)
            with suppress(StoreError):
                write_over(self._marks_file, json.dumps(kept).encode())  # noqa: TID251  # a file, no answer


def _raise(found: dict[str, int], name: str, path: str, layout: Layout) -> None:
    """Take the number at the beginning of an id or a file's name; six digits alone are an older form."""
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
