"""The texts of all issues: those kept in segments are searched there, the others in memory or their files."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from laconic.servers.issues.index.entries import Entry, digest_of
from laconic.servers.issues.search.segments import Segment, write_segment
from laconic.servers.issues.search.unfolded import FoldedText, Sought, UnfoldedText
from laconic.stores import StoreError

Read = Callable[[Entry], bytes | None]
"""Reads the content of a file; None if it is gone."""

_MOST_TEXTS: Final = 2048  # in a segment
_MOST_BYTES: Final = 2 * 2**20  # of text in memory while a segment is gathered, and in a segment
_FEW: Final = 256  # files that are not worth a segment: their texts are kept in memory
_MOST_MEMORY: Final = 4 * 2**20  # bytes for that
_ENDING: Final = ".texts"


class Texts:
    """Finds the texts that contain a query; a text is identified by the digest of its file."""

    def __init__(self, folder: Path | None, read: Read) -> None:
        """Keep segments in a folder; without a folder, each search reads all files."""
        self._folder = folder
        self._read = read
        self._segments: dict[str, Segment] = {}
        self._others: dict[int, Entry] = {}  # files whose texts are in no segment
        self._folded: dict[int, FoldedText] = {}  # some of those texts
        self._alive: frozenset[int] = frozenset()
        self._covered: int | None = None  # the generation that these belong to
        self._gathered: int | None = None  # the generation whose few texts are in memory

    def follow(self, entries: Iterable[Entry], generation: int) -> None:
        """Note which texts there are now, and which of them are in no segment."""
        self._find_segments()
        if generation != self._covered:
            wanted = {entry.digest: entry for entry in entries}
            self._alive = frozenset(wanted)
            kept = {digest for segment in self._segments.values() for digest in segment.digests}
            self._others = {digest: wanted[digest] for digest in self._alive - kept}
            self._folded = {digest: text for digest, text in self._folded.items() if digest in self._others}
            self._covered = generation

    def find(self, queries: Sequence[bytes]) -> list[set[int]]:
        """Return for each folded query the digests of the texts that contain it, deleted files included."""
        found = [set[int]() for _ in queries]
        for segment in self._segments.values():
            with segment.opened() as content:
                for query, digests in zip(queries, found, strict=True):
                    digests |= segment.holding(content, query)
        sought = [Sought(query) for query in queries]
        for digest in self._others:
            text = self._text(digest)
            for one, digests in zip(sought, found, strict=True):
                if text.contains(one):
                    digests.add(digest)
        return found

    def count(self, query: bytes, digests: set[int]) -> dict[int, int]:
        """Count how often each of some texts contains a query."""
        counts: dict[int, int] = {}
        for segment in self._segments.values():
            if digests.isdisjoint(segment.digests):
                continue
            with segment.opened() as content:
                texts = segment.texts(content, digests)
            counts |= {digest: text.count(query) for digest, text in texts.items()}
        for digest in self._others.keys() & digests:
            counts[digest] = self._text(digest).folded.count(query)
        return counts

    def _text(self, digest: int) -> FoldedText | UnfoldedText:
        """Return a text that is in no segment."""
        return self._folded.get(digest) or UnfoldedText(self._read(self._others[digest]) or b"")

    @property
    def are_unkept(self) -> bool:
        """True if it is worth to gather texts, into segments or into memory."""
        are_few = len(self._others) <= _FEW
        return self._gathered != self._covered if are_few else self._folder is not None

    def gather(self) -> Generator[None, None, None]:
        """Keep the texts that are in no segment: many in segments, few in memory; one text at each step."""
        if len(self._others) > _FEW:
            yield from self._gather_segments()
        else:
            self._gathered = self._covered
            yield from self._gather_few()

    def _gather_few(self) -> Generator[None, None, None]:
        size = sum(len(text.folded) for text in self._folded.values())
        for digest, entry in list(self._others.items()):
            content = self._read(entry) if digest not in self._folded else None
            if content is None or size + len(content) > _MOST_MEMORY or digest_of(content) != digest:
                continue
            text = self._folded[digest] = FoldedText(UnfoldedText(content).folded)
            size += len(text.folded)
            yield

    def _gather_segments(self) -> Generator[None, None, None]:
        texts: dict[int, bytes] = {}
        size = 0
        for entry in list(self._others.values()):
            content = self._read(entry)
            if content is not None:
                digest, text = digest_of(content), UnfoldedText(content).folded
                texts[digest] = text
                size += len(text)
            yield
            if len(texts) >= _MOST_TEXTS or size > _MOST_BYTES:
                self._write(texts)
                texts, size = {}, 0
                yield
        self._write(texts)

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

    def _write(self, texts: dict[int, bytes]) -> None:
        """Write texts into a segment, merged with small existing ones."""
        if self._folder is None:
            return
        self._find_segments()
        kept = {digest for segment in self._segments.values() for digest in segment.digests}
        fresh = {digest: text for digest, text in texts.items() if digest not in kept}
        if not fresh:
            return
        merged = self._take_small(fresh)
        name = token_hex(8) + _ENDING
        try:
            write_segment(self._folder / name, fresh)
        except StoreError:  # disk full, or not writable: keep nothing
            self._folder, self._segments, self._covered = None, {}, None
            return
        self._open(name)
        self._covered = None
        for segment in merged:
            del self._segments[segment.path.name]
            with suppress(OSError):
                segment.path.unlink()

    def _take_small(self, texts: dict[int, bytes]) -> list[Segment]:
        """Add the texts of small segments, and return the segments that are no longer needed."""
        taken, elsewhere = [], set(texts)
        size = sum(map(len, texts.values()))
        for segment in self._segments.values():
            live = {digest for digest in segment.digests if digest in self._alive}
            if live <= elsewhere:
                taken.append(segment)  # its texts are in other segments, or their files are gone
                continue
            elsewhere |= live
            part = segment.size * len(live) // len(segment)
            is_small = len(live) < _MOST_TEXTS // 2 and part < _MOST_BYTES // 2
            if is_small and len(texts) + len(live) <= _MOST_TEXTS and size + part <= _MOST_BYTES:
                with suppress(OSError), segment.opened() as content:
                    texts |= segment.texts(content, live)
                    taken.append(segment)
                    size += part
        return taken
