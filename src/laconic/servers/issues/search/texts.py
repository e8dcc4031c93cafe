"""The texts of all issues, folded for searching: new ones in memory, the others in segments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.search.postings import MOST_TEXTS
from laconic.servers.issues.search.segments import Segment, write_segment
from laconic.stores import StoreError

Load = Callable[[Entry], tuple[int, bytes] | None]
"""Reads the folded text of a file and the digest of its content; None if the file is gone."""

_MOST_BYTES: Final = 8 * 2**20  # of text in memory, and in a segment
_MOST_FRESH: Final = 256
_ENDING: Final = ".texts"


class Texts:
    """Finds the texts that contain a query; a text is identified by the digest of its file."""

    def __init__(self, folder: Path | None) -> None:
        """Keep segments in a folder; without a folder, each search reads all files."""
        self._folder = folder
        self._segments: dict[str, Segment] = {}
        self._fresh: dict[int, bytes] = {}
        self._bytes = 0  # of the fresh texts, or slightly more
        self._covered: int | None = None

    def cover(self, entries: Iterable[Entry], generation: int, load: Load) -> None:
        """Load the texts that are not known yet."""
        self._find_segments()
        if generation == self._covered:
            return
        wanted = {entry.digest: entry for entry in entries}
        known = {digest for segment in self._segments.values() for digest in segment.digests}
        self._fresh = {
            digest: text for digest, text in self._fresh.items() if digest in wanted and digest not in known
        }
        for digest, entry in wanted.items():
            if digest not in known and digest not in self._fresh:
                self._take(load(entry), wanted.keys())
        if len(self._fresh) > _MOST_FRESH:
            self._flush(wanted.keys())
        self._covered = generation if self._folder is not None else None

    def find(self, query: bytes) -> set[int]:
        """Return the digests of the texts that contain a folded query, deleted files included."""
        found = {digest for digest, text in self._fresh.items() if query in text}
        for segment in self._segments.values():
            with segment.opened() as content:
                found |= segment.named(content.find(query))
        return found

    def count(self, query: bytes, digests: set[int]) -> dict[int, int]:
        """Count how often each of some texts contains a query."""
        counts = {digest: text.count(query) for digest, text in self._fresh.items() if digest in digests}
        for segment in self._segments.values():
            numbers = [number for number, digest in enumerate(segment.digests) if digest in digests]
            if numbers:
                with segment.opened() as content:
                    counts |= {segment.digests[n]: content.text(n).count(query) for n in numbers}
        return counts

    def release(self) -> None:
        """Free the texts that cannot be kept in a folder."""
        if self._folder is None:
            self._fresh, self._bytes = {}, 0

    def forget(self) -> None:
        """Forget the segments, after another process changed the folder."""
        self._segments, self._covered = {}, None

    def _find_segments(self) -> None:
        """List the segments again: other processes write and merge them too."""
        names: set[str] = set()
        if self._folder is not None:
            with suppress(OSError):
                names = {path.name for path in self._folder.iterdir() if path.suffix == _ENDING}
        if names != self._segments.keys():
            self._segments = {name: one for name, one in self._segments.items() if name in names}
            self._covered = None
            for name in names - self._segments.keys():
                self._open(name)

    def _open(self, name: str) -> None:
        if self._folder is None:
            return
        try:
            self._segments[name] = Segment(self._folder / name)
        except (StoreError, ValueError):  # damaged, or another version: treated as missing
            with suppress(OSError):
                (self._folder / name).unlink()
        except OSError:  # merged into another segment meanwhile
            pass

    def _take(self, loaded: tuple[int, bytes] | None, wanted: Iterable[int]) -> None:
        if loaded is not None:
            digest, text = loaded
            self._fresh[digest] = text
            self._bytes += len(text)
            if len(self._fresh) >= MOST_TEXTS or self._bytes > _MOST_BYTES:
                self._flush(wanted)

    def _flush(self, wanted: Iterable[int]) -> None:
        """Write the fresh texts into a segment, merged with small existing ones."""
        if self._folder is None or not self._fresh:
            return
        texts, merged = self._with_small(wanted)
        name = token_hex(8) + _ENDING
        try:
            write_segment(self._folder / name, texts)
        except StoreError:  # disk full, or not writable: keep nothing
            self._folder, self._segments = None, {}
            return
        self._open(name)
        self._fresh, self._bytes = {}, 0
        for segment in merged:
            del self._segments[segment.path.name]
            with suppress(OSError):
                segment.path.unlink()

    def _with_small(self, wanted: Iterable[int]) -> tuple[dict[int, bytes], list[Segment]]:
        alive, texts, merged, elsewhere = frozenset(wanted), dict(self._fresh), [], set[int]()
        size = sum(map(len, texts.values()))
        for segment in list(self._segments.values()):
            live = [number for number, digest in enumerate(segment.digests) if digest in alive]
            if elsewhere.issuperset(segment.digests[number] for number in live):
                merged.append(segment)  # useless: its texts are in other segments, or their files are gone
                continue
            elsewhere.update(segment.digests[number] for number in live)
            part = segment.size * len(live) // len(segment)
            is_small = len(live) < MOST_TEXTS // 2 and part < _MOST_BYTES // 2
            if is_small and len(texts) + len(live) <= MOST_TEXTS and size + part <= _MOST_BYTES:
                with suppress(OSError), segment.opened() as content:
                    texts |= {segment.digests[number]: content.text(number) for number in live}
                    merged.append(segment)
                    size += part
        return texts, merged
