"""A small file of one user that all processes of this user change, one at a time."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from laconic.stores.durable import clear_drafts, write_over
from laconic.stores.errors import StoreDown
from laconic.stores.locks import try_lock

__all__ = ["SharedFile"]

_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
_MODES: Final = (0o600, 0o700)  # of the file and of its folder


class SharedFile:
    """A private file with a lock beside it, which the system releases when its holder dies."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Take the path; without `durable` it is fast to write, and may be damaged after a crash."""
        self._path, self._durable = path, durable
        self._lock = path.with_name(f"{path.name}.lock")
        self._has_folder = False

    def read(self) -> bytes:
        """Return the content; empty if there is no file.

        Raises:
            StoreDown: it cannot be read.
        """
        try:
            with open(self._path, "rb", buffering=0) as file:  # noqa: PTH123  # pathlib takes twice as long
                return file.read()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise StoreDown(f"{self._path.name} cannot be read: {error.strerror}.") from error

    def write(self, content: bytes) -> None:
        """Replace the content.

        Raises:
            StoreDown: it cannot be written.
        """
        self._make_folder()
        if self._durable:
            clear_drafts(self._path.parent)  # a killed writer's draft has the same secret in it
            write_over(self._path, content, private=True)
        else:
            self._overwrite(content)

    def lock(self) -> AbstractContextManager[bool]:
        """Hold the lock if it is free now; False if another task or process has it.

        Raises:
            StoreDown: it cannot be created.
        """
        self._make_folder()
        return try_lock(self._lock)

    def _make_folder(self) -> None:
        """Make the folder for the user alone, once: nobody removes it while it is in use."""
        if self._has_folder:
            return
        try:
            self._path.parent.mkdir(mode=_MODES[1], parents=True, exist_ok=True)
        except OSError as error:
            raise StoreDown(f"{self._path.parent.name} cannot be created: {error.strerror}.") from error
        self._has_folder = True

    def _overwrite(self, content: bytes) -> None:
        try:
            file = os.open(self._path, _FLAGS, _MODES[0])
            try:
                os.write(file, content)
                os.ftruncate(file, len(content))
            finally:
                os.close(file)
        except OSError as error:
            raise StoreDown(f"{self._path.name} cannot be written: {error.strerror}.") from error
