"""The index: an entry per file, checked against the disk at each scan."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Final

from laconic.servers.issues.index.contents import Contents
from laconic.servers.issues.index.entries import Entry, Parsed, digest_of, parse
from laconic.servers.issues.index.index_file import IndexFile, collecting_nothing
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.order import Order, Step
from laconic.servers.issues.index.scan import Tree
from laconic.servers.issues.index.stamps import Stamp, stamp_of
from laconic.stores.header.header import Header

_RACY: Final = 2_000_000_000  # ns: a file read so soon after a change may change again unnoticed
_MOST_STEPS: Final = 256  # after more changes than this, everything is sorted again


class Index:
    """Entries of all files; for `ttl` seconds they are trusted without a scan."""

    def __init__(
        self,
        layout: Layout,
        file: Path | None = None,
        *,
        ttl: float = 0.0,
        is_kept: bool = True,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self.layout: Final = layout
        self.parses = 0  # number of files parsed so far
        self.generation = 0  # grows with each change
        self.twins: dict[str, str] = {}  # extra names of files that have several, and the name that counts
        self._file = IndexFile(file, layout) if file is not None and is_kept else None
        self._is_kept, self._ttl, self._clock = is_kept, ttl, clock
        self._entries: dict[str, Entry] = {}
        self._order: tuple[int, Order] | None = None  # with its generation
        self._steps: deque[Step] = deque(maxlen=_MOST_STEPS)
        self._doubtful: set[str] = set()
        self._settled = 0  # how many were doubtful
        self._tree = Tree(layout)
        self.contents: Final = Contents(layout, self.is_linked)
        self._scanned_at: float | None = None
        self._held: ContextVar[bool] = ContextVar("held", default=False)
        self._lock = threading.RLock()

    def entries(self) -> list[Entry]:
        """Return all entries as of the last scan, each file once, last changed first."""
        with self._lock:
            return self._in_order().entries()

    def ids(self) -> Mapping[str, tuple[Entry, ...]]:
        """Return the same entries by id; the mapping must not be changed."""
        with self._lock:
            return self._in_order().ids

    def since(self, generation: int) -> list[Entry]:
        """Return entries that are new or changed since a generation; all of them if that is too long ago."""
        with self._lock:
            steps = self._steps_since(generation)
            return self.entries() if steps is None else [new for _, new in steps if new is not None]

    def left_out(self) -> list[str]:
        """List links that lead out of the workspace or nowhere."""
        return self._tree.all("left_out")

    def drafts(self) -> list[str]:
        """List drafts that killed writers left."""
        return self._tree.all("drafts")

    def is_linked(self, path: str) -> bool:
        """True if a file is reached through a link."""
        return self._tree.is_linked(path)

    @property
    def is_held(self) -> bool:
        """True inside `one_scan`."""
        return self._held.get()

    @contextmanager
    def one_scan(self) -> Iterator[None]:
        """Scan now and not again inside this context: for several reads in one call."""
        self.refresh()
        token = self._held.set(True)
        try:
            yield
        finally:
            self._held.reset(token)

    def ahead(self) -> Iterator[None]:
        """Do the first check of all files before anyone asks, a part at each step; it may end after any."""
        if self._scanned_at is None and self._is_kept:
            self._restore()
            yield
            yield from self._scanning()
            self._scanned_at = time.monotonic()

    def refresh(self, *, anyway: bool = False) -> None:
        """Check all files, and read those that changed."""
        with self._lock:
            if self._is_trusted() and not anyway:
                return
            with nullcontext() if self._scanned_at is not None else collecting_nothing():
                self._restore()
                for _ in self._scanning():
                    pass
            self._scanned_at = time.monotonic()
            if self._file is not None:
                self._file.save_sometimes(self._entries, self._doubtful, self.generation + self._settled)

    def read_again(self, path: str) -> Entry | None:
        """Update the entry of a file that was just written, moved or deleted, without a full scan."""
        with self._lock:
            before = self._entries.get(path)
            self._read(path)
            self._told(path, before)
            return self._entries.get(path)

    def wrote(self, path: str, content: bytes, header: Header | None = None) -> Parsed:
        """Update the entry of a file that was just written with this content; it is not read again."""
        with self._lock:
            before = self._entries.get(path)
            stamp = stamp_of((self.layout.root / path).stat())
            parsed = parse(path, content, self.layout.collection(path), stamp, header=header)
            self.parses += 1
            self._doubt(path, stamp)
            self._set(path, parsed.entry)
            self._told(path, before)
            return parsed

    def removed(self, path: str) -> None:
        """Drop the entry of a file that was just moved or deleted."""
        with self._lock:
            before = self._entries.get(path)
            self._forget(path)
            self._told(path, before)

    def _told(self, path: str, before: Entry | None) -> None:
        """Let the next scan expect a change that was told."""
        now = self._entries.get(path)
        self._tree.expect(path, before.stamp if before else None, now.stamp if now else None)
        self._name(twins={name: one for name, one in self.twins.items() if path not in (name, one)})

    def close(self) -> None:
        """Save the index for the next process."""
        with self._lock:
            if self._file is not None and self._scanned_at is not None:
                self._file.save(self._entries, self._doubtful, self.generation + self._settled)

    def _is_trusted(self) -> bool:
        if self._scanned_at is None:
            return False
        return self._held.get() or time.monotonic() - self._scanned_at < self._ttl

    def _restore(self) -> None:
        if not self._is_kept:
            self._entries, self._tree = {}, Tree(self.layout)
        elif self._file is not None and not self._entries and self._scanned_at is None:
            self._entries, self._doubtful = self._file.load()

    def _scanning(self) -> Iterator[None]:
        """Check all files, some at each step."""
        self.layout.check()
        before = self.generation
        try:
            found = self._tree.scan(self._entries)
            for path in found.gone:
                self._forget(path)
            for path in {*found.changed, *self._doubtful}:
                self._read(path)
                yield
        except BaseException:  # GeneratorExit, too
            self._tree = Tree(self.layout)  # its changes were not applied: find them again
            raise
        if self.generation != before or self._scanned_at is None:
            self._name(self._find_twins())

    def _read(self, path: str) -> None:
        before, now = self._entries.get(path), self.contents.tried(path)
        if now is None:
            self._forget(path)
            return
        self._doubt(path, now.stamp)
        if before is not None and now.trouble is None and before.digest == digest_of(now.data):
            if before.stamp != now.stamp:
                self._set(path, replace(before, stamp=now.stamp))
            return
        kind = self.layout.collection(path)
        self._set(path, parse(path, now.data, kind, now.stamp, now.trouble).entry)
        self.parses += 1

    def _set(self, path: str, entry: Entry) -> None:
        self._steps.append((self._entries.get(path), entry))
        self._entries[path] = entry
        self.generation += 1

    def _doubt(self, path: str, stamp: Stamp) -> None:
        if self._clock() - max(stamp[2:]) < _RACY:
            self._doubtful.add(path)
        elif path in self._doubtful:
            self._doubtful.remove(path)
            self._settled += 1

    def _forget(self, path: str) -> None:
        self._doubtful.discard(path)
        gone = self._entries.pop(path, None)
        if gone is not None:
            self._steps.append((gone, None))
            self.generation += 1

    def _steps_since(self, generation: int) -> list[Step] | None:
        count = self.generation - generation
        if generation < 0 or count > len(self._steps):
            return None
        return list(self._steps)[len(self._steps) - count :]

    def _in_order(self) -> Order:
        """Apply a few changes one by one; after many, sorting everything again is faster."""
        if self._order is not None:
            generation, order = self._order
            steps = self._steps_since(generation)
            if steps is not None and order.follow(steps):
                self._order = self.generation, order
                return order
        order = Order(entry for path, entry in self._entries.items() if path not in self.twins)
        self._order = self.generation, order
        return order

    def _name(self, twins: dict[str, str]) -> None:
        if twins != self.twins:
            self.twins, self._order = twins, None

    def _find_twins(self) -> dict[str, str]:
        """Where a killed move left a file under two names, pick the name in the right folder."""
        files: dict[Stamp, list[Entry]] = {}
        for path in self._tree.all("several"):
            entry = self._entries.get(path)
            if entry is not None and entry.stamp[0]:
                files.setdefault(entry.stamp, []).append(entry)
        groups = [sorted(group, key=self._misplaced) for group in files.values() if len(group) > 1]
        return {other.path: names[0].path for names in groups for other in names[1:]}

    def _misplaced(self, entry: Entry) -> tuple[bool, str]:
        return not self.layout.fits(entry.path, entry.type, entry.status), entry.path
