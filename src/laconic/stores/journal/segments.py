"""The files of a journal: numbered, appended to until they are full, the oldest deleted.

No file is ever renamed and no lock is needed: whoever finds a file full opens the next number, as all others
do. A late record lands in an earlier file, which readers still look at.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final

__all__ = ["Segments"]

_NAME: Final = re.compile(r"([1-9][0-9]{0,8})\.jsonl")
_LAST: Final = 999_999_999
_SAFELY: Final = (
    getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a named pipe would wait for its other end
)


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
            with os.scandir(self.folder) as entries:
                files = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        except OSError:  # there is none, or it is not ours to read
            return []
        return sorted(int(found[1]) for found in map(_NAME.fullmatch, files) if found)

    def open(self, number: int) -> int:
        """Open a file for appending; creates it and the folder, for this user only."""
        if number > _LAST:
            raise OSError(errno.ERANGE, os.strerror(errno.ERANGE))
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            return self._opened(number, flags)
        except FileNotFoundError:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return self._opened(number, flags)

    def open_to_read(self, number: int) -> int:
        """Open a file that exists."""
        return self._opened(number, os.O_RDONLY)

    def stat(self, number: int) -> os.stat_result | None:
        """Return the facts of a file; None if there is none."""
        try:
            found = os.lstat(self.path(number))
        except OSError:
            return None
        return found if S_ISREG(found.st_mode) else None

    def _opened(self, number: int, flags: int) -> int:
        """Open a regular file; links are not followed."""
        file = os.open(self.path(number), flags | _SAFELY, 0o600)
        if S_ISREG(os.fstat(file).st_mode):
            return file
        os.close(file)
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    def drop_before(self, number: int) -> None:
        """Delete the files with smaller numbers."""
        for old in self.numbers():
            if old < number:
                with suppress(OSError):
                    os.unlink(self.path(old))  # noqa: PTH108  # the path is a string

    def size(self) -> int:
        """Return the bytes of all files."""
        return sum([found.st_size for number in self.numbers() if (found := self.stat(number))])
