"""Files written so that whoever is killed, at any moment, leaves every one of them whole."""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from laconic.stores.errors import StoreDown, Taken

_DRAFT: Final = (".laconic-", ".tmp")
_STALE: Final = 60.0  # seconds: a draft that old has no writer any more


def write_over(path: Path, content: bytes) -> None:
    """Create or replace a file; a reader sees the old content or the new one.

    Raises:
        StoreDown: it cannot be written.
    """
    with _draft(path, content) as draft:
        with suppress(FileNotFoundError):
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)


def write_new(path: Path, content: bytes) -> None:
    """Create a file; of several writers at once one succeeds.

    Raises:
        Taken: there is one of that name.
        StoreDown: it cannot be written.
    """
    with _draft(path, content) as draft:
        _link(draft, path)
        _sync(path.parent)


def move_new(old: Path, new: Path) -> None:
    """Give a file another name, never that of another file.

    Between the two steps it has both names, so that it cannot be lost; they are one file then.

    Raises:
        Taken: there is one of that name.
        StoreDown: it cannot be moved.
    """
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        _link(old, new)
        _sync(new.parent)
        with suppress(FileNotFoundError):  # where there are no links it has moved already
            old.unlink()
    except OSError as error:
        raise StoreDown(f"{old.name} cannot be moved: {error.strerror}.") from error


def free_name(path: Path) -> Path:
    """Find a name like this one that no file has: `x.md`, then `x-2.md`, and so on."""
    number, free = 2, path
    while os.path.lexists(free):
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free


def clear_drafts(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder; only whoever holds its lock may ask."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_draft(entry.name) and time.time() - entry.stat().st_mtime > _STALE:
                Path(entry).unlink(missing_ok=True)


def is_draft(name: str) -> bool:
    """Say whether a file is one that a writer has not put in its place."""
    return name.startswith(_DRAFT[0]) and name.endswith(_DRAFT[1])


@contextmanager
def _draft(path: Path, content: bytes) -> Iterator[Path]:
    draft = path.with_name(os.urandom(8).hex().join(_DRAFT))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    except OSError as error:
        raise StoreDown(f"{path.name} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def _link(old: Path, new: Path) -> None:
    try:
        new.hardlink_to(old)
    except FileExistsError:
        raise Taken(f"There is a file {new.name} already.") from None
    except OSError:  # a file system without hard links
        if os.path.lexists(new):
            raise Taken(f"There is a file {new.name} already.") from None
        old.rename(new)


def _sync(folder: Path) -> None:
    """Put a folder's names on the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
