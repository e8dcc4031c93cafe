"""Blobs: the bytes of files, in memory or in a folder; very large ones are made when they are read."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import md5
from pathlib import Path

from laconic.sandbox.state import NotKept

__all__ = ["Blobs"]

_LINE = b"A line of practice data, repeated as often as it takes to fill a file.\n"


class Blobs:
    """Bytes by id."""

    def __init__(self, folder: Path | None = None, first: Blobs | None = None) -> None:
        """Begin with what is in the folder, and with what only the `first` ones have."""
        self._folder = folder
        self._kept: dict[str, bytes] = {}
        self._made: dict[str, int] = dict(first._made) if first else {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        for id, content in first._kept.items() if first else ():
            if not self._has(id):
                self.put(id, content)

    def put(self, id: str, content: bytes) -> None:
        """Keep bytes.

        Raises:
            NotKept: the folder cannot be written.
        """
        if self._folder is None:
            self._kept[id] = content
            return
        new = self._folder / f"{id}.{os.urandom(4).hex()}.new"
        try:
            new.write_bytes(content)
            new.replace(self._folder / id)
        except OSError as error:
            with suppress(OSError):
                new.unlink()
            raise NotKept(f"{self._folder.name} cannot be written: {error.strerror}.") from error

    def _has(self, id: str) -> bool:
        return id in self._kept if self._folder is None else (self._folder / id).exists()

    def make(self, id: str, size: int) -> None:
        """Pretend to keep so many bytes, which are lines of text."""
        self._made[id] = size

    def size(self, id: str) -> int:
        """Return how many there are."""
        if id in self._made:
            return self._made[id]
        if self._folder is None:
            return len(self._kept.get(id, b""))
        return (self._folder / id).stat().st_size if (self._folder / id).exists() else 0

    def get(self, id: str, start: int = 0, end: int | None = None) -> bytes:
        """Return a part of them."""
        end = self.size(id) if end is None else min(end, self.size(id))
        if id in self._made:
            first = start // len(_LINE)
            lines = _LINE * (end // len(_LINE) - first + 1)
            return lines[start - first * len(_LINE) : end - first * len(_LINE)]
        if self._folder is None:
            return self._kept.get(id, b"")[start:end]
        if not (self._folder / id).exists():
            return b""
        with (self._folder / id).open("rb") as file:
            file.seek(start)
            return file.read(end - start)

    def checksum(self, id: str) -> str:
        """Return the sum that Drive gives with a file."""
        return md5(self.get(id)).hexdigest() if id not in self._made else ""
