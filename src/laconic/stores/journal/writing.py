"""Journal: appends short records, each with one write that no other writer can split."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.stores.errors import StoreDown
from laconic.stores.journal.segments import Segments

__all__ = ["Journal"]

_SEGMENT: Final = 1024 * 1024  # bytes after which the next file is started
_MOST: Final = 8  # files
_LOOK: Final = 0.05  # seconds


class Journal:
    """A journal that this process appends to; other processes may append to the same folder."""

    def __init__(
        self, folder: Path, *, segment: int = _SEGMENT, most: int = _MOST, look: float = _LOOK
    ) -> None:
        """Keep at most `most` files of about `segment` bytes; nothing is created before the first record.

        Whether the file was deleted, or filled by others, is looked up again after `look` seconds: on some
        systems that makes the next write several times slower.
        """
        self.segments: Final = Segments(folder)
        self._segment = segment
        self._most = most
        self._file = -1
        self._number = 0
        self._look = look
        self._looked_at = 0.0

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self.segments.folder

    def append(self, records: Iterable[str]) -> None:
        """Append records, one line of JSON each, in one write.

        Each begins with a line break, so that it is whole even after a record that a full disk cut off.

        Raises:
            StoreDown: it cannot be written, now or ever.
        """
        data = "".join([f"\n{record}\n" for record in records]).encode("utf-8", "replace")
        try:
            written = os.write(self._ready(), data)
        except OSError as error:
            self.close()
            raise StoreDown(f"The journal cannot be written: {error.strerror}.") from error
        if written < len(data):
            raise StoreDown("The journal cannot be written: the disk is full.")

    def _ready(self) -> int:
        """Return a file that exists and has room."""
        if self._file >= 0:
            now = time.monotonic()
            if now - self._looked_at < self._look and os.lseek(self._file, 0, os.SEEK_CUR) < self._segment:
                return self._file
            self._looked_at, found = now, os.fstat(self._file)
            if found.st_size < self._segment and found.st_nlink:
                return self._file
            self.close()
        known = self.segments.numbers()
        self._number = known[-1] if known else 1
        self._file = self.segments.open(self._number)
        while os.fstat(self._file).st_size >= self._segment:
            self.close()
            self._number += 1
            self._file = self.segments.open(self._number)
            self.segments.drop_before(self._number - self._most + 1)
        return self._file

    def size(self) -> int:
        """Return the bytes of all files."""
        return self.segments.size()

    def close(self) -> None:
        """Close the file; the next record opens it again."""
        if self._file >= 0:
            with suppress(OSError):
                os.close(self._file)
            self._file = -1
