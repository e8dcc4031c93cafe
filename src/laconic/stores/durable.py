"""Files written in such a way that a process killed at any moment leaves each of them complete."""

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from laconic.stores.errors import StoreDown, Taken

Content = bytes | Iterable[bytes]
"""A content, whole or in pieces that come one after another."""

_DRAFT: Final = (".laconic-", ".tmp")
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_COMMON: Final = 0o666  # less what the umask takes
_PRIVATE: Final = 0o600
_STALE: Final = 60.0  # seconds: the writer of a draft that old is gone


def write_over(path: Path, content: Content, *, private: bool = False) -> None:
    """Create or replace a file; a reader sees the old content or the new one.

    A private file is never readable for other users, whatever its mode was.

    Raises:
        StoreDown: it cannot be written.
    """
    with _draft(path, content, _PRIVATE if private else _COMMON) as draft:
        if not private:
            with suppress(FileNotFoundError):
                draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)


def write_new(path: Path, content: Content) -> None:
    """Create a file; of several concurrent writers, one succeeds.

    Raises:
        Taken: a file of that name exists.
        StoreDown: it cannot be written.
    """
    with _draft(path, content) as draft:
        _link(draft, path)
        _sync(path.parent)


def move_new(old: Path, new: Path) -> None:
    """Rename a file, never over another file.

    Between the two steps the file has both names, so it cannot be lost.

    Raises:
        Taken: a file of the new name exists.
        StoreDown: it cannot be moved.
    """
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        _link(old, new)
        _sync(new.parent)
        with suppress(FileNotFoundError):  # without hard links it has already moved
            old.unlink()
    except OSError as error:
        raise StoreDown(f"{old.name} cannot be moved: {error.strerror}.") from error


def free_name(path: Path) -> Path:
    """Find a similar name that no file has: `x.md`, then `x-2.md`, and so on."""
    number, free = 2, path
    while os.path.lexists(free):
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free


def clear_drafts(folder: Path) -> None:
    """Remove the drafts that killed writers left in a folder; the caller must hold the folder's lock."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_draft(entry.name) and time.time() - entry.stat().st_mtime > _STALE:
                Path(entry).unlink(missing_ok=True)


def is_draft(name: str) -> bool:
    """True if a file is a draft that its writer has not yet moved to its final name."""
    return name.startswith(_DRAFT[0]) and name.endswith(_DRAFT[1])


@contextmanager
def _draft(path: Path, content: Content, mode: int = _COMMON) -> Iterator[Path]:
    draft = path.with_name(os.urandom(8).hex().join(_DRAFT))
    try:
        with _writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.fdopen(os.open(draft, _NEW, mode), "wb")
        try:
            for chunk in (content,) if isinstance(content, bytes) else content:  # its own errors stay its own
                with _writing(path):
                    file.write(chunk)
            with _writing(path):
                file.flush()
                os.fsync(file.fileno())
        finally:
            with suppress(OSError):
                file.close()
        with _writing(path):
            yield draft
    finally:
        with suppress(OSError):
            draft.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreDown(f"{path.name} cannot be written: {error.strerror}.") from error


def _link(old: Path, new: Path) -> None:
    try:
        new.hardlink_to(old)
    except FileExistsError:
        raise Taken(f"A file {new.name} already exists.") from None
    except OSError:  # a file system without hard links
        if os.path.lexists(new):
            raise Taken(f"A file {new.name} already exists.") from None
        old.rename(new)


def _sync(folder: Path) -> None:
    """Flush a folder's names to disk, where the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
