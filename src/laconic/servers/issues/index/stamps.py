"""Stamps: they show whether a file changed, and are taken of a whole folder as fast as possible."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

Stamp = tuple[int, int, int, int]
"""Inode, size, modification time and change time, in ns."""

_INODE, _SIZE = 1, 6  # positions in a stat result: faster than attributes
_KIND, _REGULAR = 0o170000, 0o100000  # the type bits of a mode, and their value for a file
_BY_HANDLE: Final = os.scandir in os.supports_fd
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class Other(NamedTuple):
    """A directory entry that is not a plain markdown file."""

    name: str
    is_link: bool
    is_folder: bool


class Seen(NamedTuple):
    """The content of a folder."""

    stamps: dict[str, Stamp]  # of the markdown files
    several: list[str]  # files with more than one name, here or elsewhere
    others: list[Other]


def stamp_of(found: os.stat_result) -> Stamp:
    """Return the stamp of a file."""
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def total_of(folder: str) -> tuple[int, list[Other]]:
    """Add up the stamps of a folder's markdown files, and return the other directory entries.

    This loop is most of the cost of a call. A total costs half as much as a lookup per file; the chance that
    two totals of 64 bits are equal is one in 10^19.
    """
    total, others = 0, []
    with _listed(folder) as entries:
        for entry in entries:
            name = entry.name
            if name[-3:] == ".md" and name[0] != ".":
                try:
                    found = entry.stat(follow_symlinks=False)
                except OSError:  # deleted meanwhile
                    continue
                if found.st_mode & _KIND == _REGULAR:
                    total += hash((name, found[_INODE], found[_SIZE], found.st_mtime_ns, found.st_ctime_ns))
                    continue
            others.append(_other(entry))
    return total, others


def stamps_of(folder: str) -> tuple[dict[str, Stamp], list[Other]]:
    """Return a folder's markdown files with their stamps, and the other directory entries."""
    seen = seen_in(folder)
    return seen.stamps, seen.others


def seen_in(folder: str) -> Seen:
    """Return the content of a folder with stamps and hard links."""
    seen = Seen({}, [], [])
    with _listed(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".md") and not entry.name.startswith("."):
                with suppress(OSError):  # deleted meanwhile
                    found = entry.stat(follow_symlinks=False)
                    if found.st_mode & _KIND == _REGULAR:
                        seen.stamps[entry.name] = stamp_of(found)
                        if found.st_nlink > 1:
                            seen.several.append(entry.name)
                        continue
            seen.others.append(_other(entry))
    return seen


def sum_of(stamps: Mapping[str, Stamp]) -> int:
    """Add up stamps as `total_of` does."""
    return sum(hash((name, *stamp)) for name, stamp in stamps.items())


def _other(entry: os.DirEntry[str]) -> Other:
    return Other(entry.name, entry.is_symlink(), entry.is_dir(follow_symlinks=False))


@contextmanager
def _listed(folder: str) -> Iterator[Iterable[os.DirEntry[str]]]:
    """List a folder by handle, which saves path lookups; an unreadable folder counts as empty."""
    handle = None
    try:
        handle = os.open(folder, _FOLDER) if _BY_HANDLE else None
        entries = os.scandir(folder if handle is None else handle)
    except OSError:
        yield ()
    else:
        with entries:
            yield entries
    finally:
        if handle is not None:
            os.close(handle)
