"""The files of a journal: numbered, appended to until they are full, the oldest deleted.

No file is ever renamed and no lock is needed: whoever finds a file full opens the next number, as all others
do. A late record lands in an earlier file, which readers still look at.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["Segments"]

_NAME: Final = re.compile(r"(\d{1,12})\.jsonl")


class Segments:
    """The numbered files in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder

    def path(self, number: int) -> str:
        """Return the path of a file, which need not exist."""
        return os.path.join(self.folder, f"{number}.jsonl")  # noqa: PTH118  # a fifth of the time of `/`

    def numbers(self) -> list[int]:
        """Return the numbers of the files that exist, oldest first."""
        try:
            names = os.listdir(self.folder)  # noqa: PTH208  # names only, without a Path for each
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(int(found[1]) for found in map(_NAME.fullmatch, names) if found)

    def open(self, number: int) -> int:
        """Open a file for appending; creates it and the folder, for this user only."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        try:
            return os.open(self.path(number), flags, 0o600)
        except FileNotFoundError:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return os.open(self.path(number), flags, 0o600)

    def drop_before(self, number: int) -> None:
        """Delete the files with smaller numbers."""
        for old in self.numbers():
            if old < number:
                with suppress(OSError):
                    os.unlink(self.path(old))  # noqa: PTH108  # the path is a string

    def size(self) -> int:
        """Return the bytes of all files."""
        total = 0
        for number in self.numbers():
            with suppress(OSError):
                total += os.stat(self.path(number)).st_size  # noqa: PTH116  # the path is a string
        return total
