"""Scanning the collections: which files exist, which changed, which are gone."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from laconic.data import dataclass
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.stamps import Other, Seen, Stamp, seen_in, stamp_of, sum_of, total_of
from laconic.stores.durable import is_draft


@dataclass
class ScanResult:
    """What a scan found."""

    changed: list[str] = field(default_factory=list)  # new ones included
    gone: list[str] = field(default_factory=list)


@dataclass
class _Folder:
    """A folder as last scanned; its total shows whether it has changed."""

    real: str
    above: str  # its path relative to the workspace, ending in `/`
    is_linked: bool = False  # reached through a link
    total: int = 0
    through: dict[str, Stamp] = field(default_factory=dict)  # files that are links themselves
    left_out: list[str] = field(default_factory=list)  # links out of the workspace or to nothing
    drafts: list[str] = field(default_factory=list)  # left by killed writers
    several: list[str] = field(default_factory=list)  # files with more than one name

    def note(self, kind: list[str], name: str) -> None:
        """Remember a name that is not an issue file, as part of the total."""
        kind.append(self.above + name)
        self.total += hash(name)


class Tree:
    """All folders of the collections; links are followed if they lead elsewhere in the workspace."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._folders: dict[str, _Folder] = {}

    def scan(self, known: Mapping[str, Entry]) -> ScanResult:
        """Compare the disk with the known entries."""
        scan = _Scan(self._layout, self._folders, known)
        self._folders = scan.folders
        return scan.result

    def all(self, kind: str) -> list[str]:
        """Collect the paths in `through`, `left_out`, `drafts` or `several` of all folders."""
        return [path for folder in self._folders.values() for path in getattr(folder, kind)]

    def is_linked(self, path: str) -> bool:
        """True if a file is reached through a link."""
        folder = self._folder(path)
        return folder is not None and (folder.is_linked or path in folder.through)

    def expect(self, path: str, old: Stamp | None, new: Stamp | None) -> None:
        """Include a change of our own in the total, so the next scan need not compare the folder.

        If anything else changed in the folder, its total still differs at the next scan.
        """
        folder = self._folder(path)
        if folder is not None and path not in folder.through and path not in folder.several:
            name = path[len(folder.above) :]
            folder.total += sum_of({name: new} if new else {}) - sum_of({name: old} if old else {})

    def _folder(self, path: str) -> _Folder | None:
        return self._folders.get(path[: path.rfind("/") + 1])


class _Scan:
    """One scan of all folders."""

    def __init__(self, layout: Layout, before: dict[str, _Folder], known: Mapping[str, Entry]) -> None:
        self.folders: dict[str, _Folder] = {}
        self.result = ScanResult()
        self._layout, self._before, self._known = layout, before, known
        self._present: set[str] = set()
        self._roots = {os.path.realpath(layout.root / at): at for at in layout.folders.values()}
        self._linked: set[str] = set()
        for real, at in self._roots.items():
            self._enter(_Folder(real, "" if at == "." else f"{at}/"))
        self._find_gone()

    def _enter(self, folder: _Folder) -> None:
        before = self._before.get(folder.above)
        if before is None:
            seen = seen_in(folder.real)
            total, others = sum_of(seen.stamps), seen.others
        else:
            seen = None
            total, others = total_of(folder.real)
        for other in others:
            self._meet(folder, other)
        folder.total += total
        if before is None or before.total != folder.total:
            self._compare(folder, seen or seen_in(folder.real))
            before = folder
        self.folders[folder.above] = before

    def _meet(self, folder: _Folder, other: Other) -> None:
        if other.name.startswith("."):
            if is_draft(other.name):
                folder.note(folder.drafts, other.name)
        elif other.is_link:
            self._follow(folder, other.name)
        elif other.is_folder:
            self._below(folder, other.name)

    def _below(self, folder: _Folder, name: str) -> None:
        real = f"{folder.real}{os.sep}{name}"
        if real not in self._roots:
            self._enter(_Folder(real, f"{folder.above}{name}/", folder.is_linked))

    def _follow(self, folder: _Folder, name: str) -> None:
        real = os.path.realpath(f"{folder.real}{os.sep}{name}")
        try:
            found = Path(real).stat()
        except OSError:  # dangling or circular
            folder.note(folder.left_out, name)
            return
        if not self._layout.holds(Path(real)):
            folder.note(folder.left_out, name)
        elif stat.S_ISDIR(found.st_mode):
            if not self._is_met(real):
                self._linked.add(real)
                self._enter(_Folder(real, f"{folder.above}{name}/", is_linked=True))
        elif name.endswith(".md") and stat.S_ISREG(found.st_mode) and not self._is_listed(real):
            folder.through[folder.above + name] = stamp = stamp_of(found)
            folder.total += hash((name, *stamp))

    def _compare(self, folder: _Folder, seen: Seen) -> None:
        """Find what changed in a folder whose total differs."""
        folder.several = [folder.above + name for name in seen.several]
        files = {folder.above + name: stamp for name, stamp in seen.stamps.items()}
        for path, stamp in {**files, **folder.through}.items():
            before = self._known.get(path)
            if before is None or before.stamp != stamp:
                self.result.changed.append(path)
            self._present.add(path)

    def _find_gone(self) -> None:
        same = {above for above, folder in self.folders.items() if self._before.get(above) is folder}
        if len(same) < len(self.folders) or len(same) < len(self._before):
            self.result.gone = [
                path for path in self._known.keys() - self._present if path[: path.rfind("/") + 1] not in same
            ]

    def _is_met(self, real: str) -> bool:
        """True if a folder is scanned anyway or contains one that is: following it would never end."""
        others = (*self._roots, *self._linked)
        return any(_is_in(real, other) or _is_in(other, real) for other in others)

    def _is_listed(self, real: str) -> bool:
        """True if the target of a link is in a collection under its own name."""
        return real.endswith(".md") and any(_is_in(real, root) for root in self._roots)


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
