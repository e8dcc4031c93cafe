"""Files that belong to a host: read as they are, replaced whole, copied before we change them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from laconic.cli.install.hosts import InstallRefused

__all__ = ["digest", "existing", "keep", "read", "remove_empty", "write"]


def read(path: Path) -> str | None:
    """The text with its own line ends; None without a file.

    Raises: InstallRefused.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InstallRefused(f"{path} is not UTF-8, so it was left alone.") from error
    except OSError as error:
        raise InstallRefused(f"{path} cannot be read: {error.strerror}.") from error


def digest(text: str) -> str:
    """Tell texts apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def existing(path: str | None) -> Path | None:
    """The file of that name, if it is there."""
    return Path(path) if path and Path(path).is_file() else None


def keep(path: Path, text: str, state: Path, now: datetime) -> Path:
    """Copy the file to the state folder, never into a work tree, readable to no more people than it is."""
    folder = state / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{path.name.lstrip('.')}.{now:%Y%m%dT%H%M%SZ}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 100))]
    backup = next(folder / name for name in names if not (folder / name).exists())
    write(backup, text, like=path)
    return backup


def write(path: Path, text: str, *, like: Path | None = None) -> None:
    """Replace a file whole or not at all; mode and owner stay what they were."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        _dress(Path(temporary), like or path)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def remove_empty(path: Path, folders: int) -> None:
    """Remove so many folders around a file that is gone, as far as nobody uses them."""
    for folder in list(path.parents)[:folders]:
        try:
            folder.rmdir()
        except OSError:  # somebody uses it
            return


def _dress(path: Path, like: Path) -> None:
    if not like.exists():
        mask = os.umask(0)
        os.umask(mask)
        path.chmod(0o666 & ~mask)
        return
    status = like.stat()
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only root may give a file away, and only root needs to
            os.chown(path, status.st_uid, status.st_gid)
    path.chmod(status.st_mode & 0o7777)
