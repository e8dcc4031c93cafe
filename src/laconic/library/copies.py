"""Copies: a file of its own for each day on which the library was used, the newest ones kept."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from laconic.stores import StoreError
from laconic.stores.database.address import file_of
from laconic.stores.database.sqlite.copies import copy_file
from laconic.stores.shelf.glance import is_empty

__all__ = ["DailyCopies"]

log = logging.getLogger("laconic.library")
_FOLDER: Final = "backups"


class DailyCopies:
    """Copies a library's file once a day while a server runs; a PostgreSQL is backed up by who runs it."""

    def __init__(
        self, address: str, keep: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """Take how many copies to keep; 0: none is made."""
        self._file = file_of(address)
        self._keep = keep
        self._now = now

    @property
    def are_wanted(self) -> bool:
        """True if copies are to be made."""
        return self._file is not None and self._keep > 0

    def make(self) -> Path | None:
        """Make today's copy if there is none, and delete the oldest ones; None if nothing was to be done."""
        if self._file is None or not self.are_wanted or not self._file.is_file() or is_empty(self._file):
            return None  # a copy without anything in it would be the one of the day
        folder = self._file.parent / _FOLDER
        copy = folder / f"{self._file.stem}-{self._now():%Y-%m-%d}{self._file.suffix}"
        if copy.exists():
            return None
        try:
            copy_file(self._file, copy, sound=True)  # damaged ones would push the sound ones out
            for old in self._of_days(folder)[: -self._keep]:
                old.unlink(missing_ok=True)
        except (StoreError, OSError) as error:  # the library itself works on
            log.warning("no copy of the library was made: %s", error)
            return None
        return copy

    def _of_days(self, folder: Path) -> list[Path]:
        """Return the copies of days, the oldest first; other files there are not ours to delete."""
        assert self._file is not None
        stem, suffix = re.escape(self._file.stem), re.escape(self._file.suffix)
        is_ours = re.compile(rf"{stem}-\d{{4}}-\d\d-\d\d{suffix}")
        return sorted(path for path in folder.iterdir() if is_ours.fullmatch(path.name))
