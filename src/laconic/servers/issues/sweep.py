"""Looking at every file of the collections: which are there, which changed, which are gone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from laconic.servers.issues.entries import Entry, Stamp
from laconic.servers.issues.files import Layout
from laconic.stores.durable import is_draft

_MODE, _INODE, _LINKS, _SIZE = 0, 1, 3, 6  # places in a stat, faster than its names
_KIND, _REGULAR = 0o170000, 0o100000  # the part of a mode that says what it is, and what a file says
_BY_HANDLE: Final = os.scandir in os.supports_fd


def stamp_of(found: os.stat_result) -> Stamp:
    """Take what tells whether a file changed."""
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@dataclass
class Look:
    """What a look found out."""

    changed: list[str] = field(default_factory=list)  # new ones, too
    gone: list[str] = field(default_factory=list)


@dataclass
class _Folder:
    """A folder as it was seen; the total of all that was seen tells whether it is still so."""

    total: int = 0
    linked: list[str] = field(default_factory=list)  # files that have several names
    through: list[str] = field(default_factory=list)  # files reached through a link
    left_out: list[str] = field(default_factory=list)  # links out of the workspace, or to nothing
    drafts: list[str] = field(default_factory=list)  # what writers that were killed left


class Tree:
    """All folders of the collections. Links are followed to what is in the workspace and not listed anyway."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._folders: dict[str, _Folder] = {}

    def look(self, known: Mapping[str, Entry]) -> Look:
        """Compare the disk with what is known of it."""
        walk = _Walk(self._layout, self._folders, known)
        self._folders = walk.folders
        return walk.look

    def all(self, kind: str) -> list[str]:
        """Collect what is `linked`, `through`, `left_out` or `drafts`."""
        return [path for folder in self._folders.values() for path in getattr(folder, kind)]


class _Walk:
    """One look at everything."""

    def __init__(self, layout: Layout, before: dict[str, _Folder], known: Mapping[str, Entry]) -> None:
        self.folders: dict[str, _Folder] = {}
        self.look = Look()
        self._layout, self._before, self._known = layout, before, known
        self._present: set[str] = set()
        self._roots = {os.path.realpath(layout.root / at): at for at in layout.folders.values()}
        self._entered = set(self._roots)
        for real, at in self._roots.items():
            self._enter(real, "" if at == "." else f"{at}/", is_linked=False)
        self._miss()

    def _enter(self, folder: str, above: str, *, is_linked: bool) -> None:
        total, others = _total(folder)
        seen, stamps = _Folder(), dict[str, Stamp]()
        for entry in others:
            total += self._other(entry.name, entry, folder, above, seen, stamps, is_linked=is_linked)
        before = self._before.get(above)
        if before is None or before.total != total:
            stamps |= self._files(folder, above, seen, is_linked=is_linked)
            self._compare(stamps)
            seen.total = total
            before = seen
        self.folders[above] = before

    def _other(
        self,
        name: str,
        entry: os.DirEntry[str],
        folder: str,
        above: str,
        seen: _Folder,
        stamps: dict[str, Stamp],
        *,
        is_linked: bool,
    ) -> int:
        """Take what is no plain file; say what it adds to the folder's total."""
        raise NotImplementedError
