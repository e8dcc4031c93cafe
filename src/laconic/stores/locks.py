"""Locks between processes, and the folder that all work trees of a repository share."""

import errno
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from laconic.stores.errors import StoreDown
from laconic.stores.smallfile import beginning_of

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BUSY: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK, errno.EWOULDBLOCK})
_LOCK_FILE: Final = "laconic.lock"
_MOST_PARENTS: Final = 64
_WORK_TREE: Final = re.compile(r"^\s*worktree\s*=\s*(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)
_LONGEST: Final = 10_000  # bytes of a path, and some more


@contextmanager
def file_lock(path: Path, timeout: float = 10.0) -> Iterator[None]:
    """Hold a lock against all other processes and threads; the system releases it if the holder dies.

    The lock is on the file, which is created, or on a folder itself where the system supports that:
    then no lock file is left behind, and a read-only folder can be locked too.

    Raises:
        StoreDown: it was not free in time, or cannot be created.
    """
    with _holder(path) as holder:
        _wait(holder, path.name, timeout)
        try:
            yield
        finally:
            _unlock(holder)


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Hold a lock as `file_lock` does if it is free now; False if another has it.

    Raises:
        StoreDown: it cannot be created.
    """
    with _holder(path) as holder:
        is_ours = _try(holder)
        try:
            yield is_ours
        finally:
            if is_ours:
                _unlock(holder)


@contextmanager
def _holder(path: Path) -> Iterator[int]:
    try:
        holder = _opened(path)
    except OSError as error:
        raise StoreDown(f"Cannot lock {path.name}: {error.strerror}.") from error
    try:
        yield holder
    finally:
        os.close(holder)


def _opened(path: Path) -> int:
    if not path.is_dir():
        return _lock_file(path)
    if sys.platform == "win32":
        return _lock_file(path / _LOCK_FILE)
    folder = os.open(path, os.O_RDONLY)
    try:
        _try(folder)
    except OSError:  # NFS only locks what is open for writing
        os.close(folder)
        return _lock_file(path / _LOCK_FILE)
    return folder


def _lock_file(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)


def _wait(holder: int, name: str, timeout: float) -> None:
    deadline_at = time.monotonic() + timeout
    while not _try(holder):
        if time.monotonic() >= deadline_at:
            raise StoreDown(f"Another process has held the lock on {name} for {timeout:g} s.")
        time.sleep(random.uniform(0.0005, 0.005))  # out of step with other waiters


def _try(holder: int) -> bool:
    """Take the lock if it is free; its holder can take it again."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(holder, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True


def _unlock(holder: int) -> None:
    """Unlock; closing the file is not enough, since a child forked meanwhile would keep the lock."""
    if sys.platform == "win32":
        msvcrt.locking(holder, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(holder, fcntl.LOCK_UN)


class GitPlace(NamedTuple):
    """A work tree, the folder with what git keeps about it, and the one that all work trees share."""

    top: Path
    own: Path
    common: Path


def git_place(path: Path) -> GitPlace | None:
    """Find the work tree around a folder, without running git; None outside a repository."""
    for folder in (path, *path.parents)[:_MOST_PARENTS]:
        own = _git_dir(folder)
        if own is not None:
            shared = _line(own / "commondir")
            return GitPlace(folder, own, Path(os.path.realpath(own / shared)) if shared else own)
    return None


def git_top(path: Path) -> Path | None:
    """Find the work tree around a folder; None outside a repository."""
    found = git_place(path)
    return found.top if found else None


def git_common_dir(path: Path) -> Path | None:
    """Find the folder that all work trees of a repository share; None outside one."""
    found = git_place(path)
    return found.common if found else None


def git_head(path: Path) -> Path | None:
    """Find the file that says which branch is checked out around a folder; None outside a repository."""
    found = git_place(path)
    return found.own / "HEAD" if found else None


def git_worktrees(common: Path) -> list[Path]:
    """Return the existing work trees of a repository: the main one, then those added to it."""
    found = [common.parent] if common.name == ".git" else _told_in(common / "config")
    with suppress(OSError):
        for folder in sorted((common / "worktrees").iterdir()):
            link = _line(folder / "gitdir")
            if link:
                found.append(Path(os.path.realpath(folder / link)).parent)
    return [top for top in dict.fromkeys(found) if (top / ".git").exists()]


def _told_in(config: Path) -> list[Path]:
    """Return the main work tree of a repository whose git folder is elsewhere, such as a submodule's."""
    found = _WORK_TREE.search(_line(config))
    return [Path(os.path.realpath(config.parent / found[1].strip('"')))] if found else []


def _git_dir(folder: Path) -> Path | None:
    git = folder / ".git"
    if git.is_file():
        name, _, link = _line(git).partition(":")
        git = folder / link.strip() if name == "gitdir" else git
    return Path(os.path.realpath(git)) if (git / "HEAD").is_file() else None


def _line(path: Path) -> str:
    """Return the content of a one-line file; empty if it cannot be read."""
    try:
        line = beginning_of(path, _LONGEST).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
    return "" if "\0" in line else line  # no path has one
