"""Files of a host: read unchanged, replaced atomically, backed up first."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from laconic.cli.install.hosts import InstallRefused

__all__ = ["back_up", "digest", "existing", "read", "remove_empty", "write"]


def read(path: Path) -> str | None:
    """Return the text with its own line endings, or None if there is no file.

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
    """Return a digest of the text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def existing(path: str | None) -> Path | None:
    """Return the path if it is an existing file."""
    return Path(path) if path and Path(path).is_file() else None


def back_up(path: Path, text: str, state: Path, now: datetime) -> Path:
    """Copy the file to the state folder, never into a work tree, with the same permissions."""
    folder = state / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{path.name.lstrip('.')}.{now:%Y%m%dT%H%M%SZ}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 100))]
    backup = next(folder / name for name in names if not (folder / name).exists())
    write(backup, text, like=path)
    return backup


def write(path: Path, text: str, *, like: Path | None = None) -> None:
    """Replace a file atomically, keeping its mode and owner."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        _copy_permissions(Path(temporary), like or path)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def remove_empty(path: Path, folders: int) -> None:
    """Remove this many folders around a deleted file, as long as they are empty."""
    for folder in list(path.parents)[:folders]:
        try:
            folder.rmdir()
        except OSError:  # not empty
            return


def _copy_permissions(path: Path, like: Path) -> None:
    if not like.exists():
        mask = os.umask(0)
        os.umask(mask)
        path.chmod(0o666 & ~mask)
        return
    status = like.stat()
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only root can change the owner, and only root needs to
            os.chown(path, status.st_uid, status.st_gid)
    path.chmod(status.st_mode & 0o7777)
