"""Small files that strangers may have made: read within a bound, and never waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

__all__ = ["NotRegular", "beginning_of"]

_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)


class NotRegular(OSError):
    """It is a folder, a pipe or a device."""


def beginning_of(path: str | Path, most: int) -> bytes:
    """Return at most so many bytes from the beginning of a file.

    Raises:
        NotRegular: it is no regular file, so that reading it might never end.
        OSError: it cannot be read.
    """
    _check(os.stat(path).st_mode)  # noqa: PTH116  # before it is opened: opening a device may do something
    with open(path, "rb", opener=_opener) as file:
        _check(os.fstat(file.fileno()).st_mode)
        return file.read(most) or b""


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | _WITHOUT_WAITING)


def _check(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise NotRegular("not a regular file")
