"""Files on a read-only file system: SQLite opens them only if it is told that they cannot change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

__all__ = ["address_in", "is_fixed"]

_READ_ONLY: Final = getattr(os, "ST_RDONLY", 0)  # not on Windows


def is_fixed(path: Path) -> bool:
    """True if nothing can be written where a file is, and all that was written is in the file itself.

    A journal beside it has more, and who wrote it may be elsewhere and write on: SQLite reads both then.
    """
    try:
        is_read_only = bool(_READ_ONLY and os.statvfs(path).f_flag & _READ_ONLY)
    except OSError:
        return False
    return is_read_only and not path.with_name(f"{path.name}-wal").exists()


def address_in(path: Path, mode: str = "rw") -> str:
    """Return the address of a file for SQLite; in this mode, unless it cannot change."""
    return f"{path.absolute().as_uri()}?mode={'ro&immutable=1' if is_fixed(path) else mode}"
