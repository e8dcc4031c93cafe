"""Reading a journal: from a position on, the last records, or as they come."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final, Self

from laconic.stores.journal.segments import Segments

__all__ = ["Reader"]

_EVERY: Final = 0.25  # seconds between two looks
_LATE: Final = 8  # files that a position remembers, since a late record may land in any but the last one

Record = dict[str, Any]


class Reader:
    """Reads a journal's records once each, in the order in which they were appended to each file."""

    def __init__(self, folder: Path, since: str = "", *, id: str = "", tree: str = "", key: str = "") -> None:
        """Read from a position on, `since`, or everything: about an id, of a work tree, with a key."""
        self._segments = Segments(folder)
        self._seen = _offsets(since)
        self._wanted = {name: value for name, value in (("ids", id), ("tree", tree)) if value}
        self._key = key
        words = [*self._wanted.values(), *([key] if key else ())]
        self._needles = [json.dumps(word, ensure_ascii=False).encode() for word in words]
        self._stats: dict[int, tuple[int, int]] = {}  # of the files at the last look: inode and size
        self.has_missed = False  # files were deleted before they were read

    @classmethod
    def at_end(cls, folder: Path, **wanted: str) -> Self:
        """Return a reader of the records that are appended from now on."""
        reader = cls(folder, **wanted)
        reader.skip()
        return reader

    @property
    def position(self) -> str:
        """Where the next read begins, for `since` of another reader."""
        return " ".join(f"{number}:{offset}" for number, offset in sorted(self._seen.items())[-_LATE:])

    def skip(self) -> None:
        """Go to the end, without reading."""
        self._stats = {number: found for number in self._segments.numbers() if (found := self._stat(number))}
        self._seen = {number: size for number, (_, size) in self._stats.items()}

    def read(self) -> list[Record]:
        """Return the new records; broken lines are left out."""
        return [record for line in self._lines() if (record := self._record(line)) is not None]

    def tail(self, count: int) -> list[Record]:
        """Return the last records, oldest first, and go to the end."""
        lines = [*self._lines()]
        found: list[Record] = []
        for line in reversed(lines):
            record = self._record(line)
            if record is not None:
                found.append(record)
            if len(found) >= count:
                break
        return found[::-1]

    async def follow(self, every: float = _EVERY) -> AsyncIterator[list[Record]]:
        """Wait for records; while there are none, a look asks only for the sizes of the files."""
        while True:
            if self.is_behind() and (records := self.read()):
                yield records
            await asyncio.sleep(every)

    def is_behind(self) -> bool:
        """True if a file grew, shrank, came or went since the last read."""
        if self._stat(max(self._seen, default=0) + 1) is not None:
            return True
        return any(self._stat(number) != known for number, known in self._stats.items())

    def _stat(self, number: int) -> tuple[int, int] | None:
        found = self._segments.stat(number)
        return (found.st_ino, found.st_size) if found else None

    def _lines(self) -> Iterator[bytes]:
        """Read the whole lines that are new, file by file."""
        numbers = self._segments.numbers()
        if self._seen and (not numbers or numbers[-1] < max(self._seen)):  # deleted and started again
            self._seen, self._stats = {}, {}
        first = min(self._seen, default=0)
        self.has_missed |= bool(self._seen) and numbers[0] > max(self._seen)
        for number in numbers:
            if number >= first:
                yield from self._new_in(number)
        for number in self._seen.keys() - set(numbers):
            del self._seen[number]
            self._stats.pop(number, None)

    def _new_in(self, number: int) -> Iterator[bytes]:
        offset = self._seen.get(number, 0)
        try:
            with os.fdopen(self._segments.open_to_read(number), "rb") as file:
                found = os.fstat(file.fileno())
                known = self._stats.get(number)
                if found.st_size < offset or (known and known[0] != found.st_ino):
                    offset = 0  # truncated, or another file
                file.seek(offset)
                data = file.read(found.st_size - offset)
        except OSError:  # deleted meanwhile, or not ours to read
            return
        whole = data.rfind(b"\n") + 1  # the rest is being written
        self._seen[number] = offset + whole
        self._stats[number] = found.st_ino, found.st_size
        if all(needle in data for needle in self._needles):  # in most there is none: no line is looked at
            yield from data[:whole].split(b"\n")

    def _record(self, line: bytes) -> Record | None:
        if not line or not all(needle in line for needle in self._needles):
            return None
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return None  # cut off by a full disk or a kill
        if not isinstance(record, dict):
            return None
        is_wanted = (not self._key or self._key in record) and self._is_wanted(record)
        return record if is_wanted else None

    def _is_wanted(self, record: Record) -> bool:
        for name, value in self._wanted.items():
            found = record.get(name)
            if not (value in found if isinstance(found, list) else value == found):
                return False
        return True


def _offsets(position: str) -> dict[int, int]:
    """Read a position; what is none counts as the beginning."""
    found = {}
    for word in position.split():
        number, _, offset = word.partition(":")
        if not (number.isdecimal() and offset.isdecimal() and len(word) < 40):
            return {}
        found[int(number)] = int(offset)
    return found
