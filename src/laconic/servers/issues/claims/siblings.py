"""Siblings: the same issues in the other work trees of a clone; looked at, never mixed with ours."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from laconic.data import dataclass
from laconic.kit import one_line
from laconic.servers.issues.git.commits import ahead
from laconic.servers.issues.git.worktrees import WorkTree, beside, work_tree
from laconic.servers.issues.index.entries import Entry, parse
from laconic.servers.issues.index.layout import ARCHIVE, Layout
from laconic.servers.issues.index.stamps import Stamp, stamp_of
from laconic.servers.issues.models import COMPLETE

_LARGEST: Final = 4_000_000  # bytes of a file that is looked at


@dataclass(frozen=True)
class Sighting:
    """An issue as another work tree has it, changed after ours."""

    tree: WorkTree
    status: str
    commits: int | None  # that its branch has and ours lacks; None if unknown

    @property
    def words(self) -> str:
        """Where, in which state, and how far it is from being merged."""
        count = f"{self.commits} commit{'' if self.commits == 1 else 's'} ahead" if self.commits else ""
        return one_line(f"in {self.tree.words}: {', '.join(part for part in (self.status, count) if part)}")


class Siblings:
    """The other work trees of a workspace's clone; there are none outside a repository."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._archives: dict[Path, tuple[int, frozenset[str]]] = {}  # names by folder, with its time
        self._entries: dict[Path, tuple[Stamp, Entry]] = {}

    def seen(self, entry: Entry) -> list[Sighting]:
        """Return where an issue was changed after ours."""
        here, found = work_tree(self._layout.root), list[Sighting]()
        for tree, layout in self._others():
            other = self._newer(layout, entry)
            if here is not None and other is not None:
                count = ahead(here.common, tree.commit, here.commit)
                found.append(Sighting(tree, other.status, count))
        return found

    def finished(self, entries: Sequence[Entry]) -> set[str]:
        """Return the paths of those that are complete in another work tree, and not reopened here since."""
        done = set[str]()
        for _, layout in self._others():
            archived = {folder: self._archive(layout, folder) for folder in layout.folders.values()}
            for entry in entries:
                folder, _, name = entry.path.rpartition("/")
                home = layout.folders[layout.collection(entry.path)]
                if name in archived[home] and folder != f"{home}/{ARCHIVE}":
                    other = self._newer(layout, entry)
                    if other is not None and other.status in COMPLETE:
                        done.add(entry.path)
        return done

    def where(self, id: str) -> list[WorkTree]:
        """Return the work trees in which a file is named after an id."""
        return [tree for tree, layout in self._others() if any(_named(layout, id))]

    def _others(self) -> Iterator[tuple[WorkTree, Layout]]:
        return ((tree, self._layout.beside(root)) for tree, root in beside(self._layout.root))

    def _newer(self, layout: Layout, entry: Entry) -> Entry | None:
        """Return their version of an issue if it differs from ours and is not older."""
        home, name = layout.folders[layout.collection(entry.path)], PurePosixPath(entry.path).name
        for path in dict.fromkeys([entry.path, f"{home}/{ARCHIVE}/{name}", f"{home}/{name}"]):
            other = self._read(layout, path)
            if other is not None and other.id == entry.id:
                is_newer = other.digest != entry.digest and (other.updated or 0) >= (entry.updated or 0)
                return other if is_newer else None
        return None

    def _read(self, layout: Layout, path: str) -> Entry | None:
        place = layout.root / path
        with suppress(OSError, ValueError):
            found = place.lstat()
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                return None
            stamp, known = stamp_of(found), self._entries.get(place)
            if known is None or known[0] != stamp:
                content = place.read_bytes()
                known = stamp, parse(path, content, layout.collection(path), stamp).entry
                self._entries[place] = known
            return known[1]
        return None

    def _archive(self, layout: Layout, folder: str) -> frozenset[str]:
        place = layout.root / folder / ARCHIVE
        try:
            time = place.stat().st_mtime_ns
            if place not in self._archives or self._archives[place][0] != time:
                self._archives[place] = time, frozenset(one.name for one in place.iterdir())
        except OSError:
            return frozenset()
        return self._archives[place][1]


def _named(layout: Layout, id: str) -> Iterator[Path]:
    for folder in layout.folders.values():
        for place in (layout.root / folder, layout.root / folder / ARCHIVE):
            with suppress(OSError):
                yield from (one for one in place.iterdir() if _is_named(one.name, id))


def _is_named(name: str, id: str) -> bool:
    return name.startswith((f"{id}-", f"{id}.")) and name.endswith(".md")
