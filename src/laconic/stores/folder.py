"""A folder of files: texts read and written as a whole, other contents also piece by piece."""

import fnmatch
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from laconic.effects import note_effect
from laconic.lazily import regex
from laconic.stores import durable
from laconic.stores.errors import Missing, OutsideFolder, StoreDown, Unreadable

# One part of a name. No leading dot: that excludes `.`, `..`, hidden files and our own drafts.
_PART: Final = regex(r"(?!\.)[^/\\\0\ud800-\udfff]+")


class Stamp(NamedTuple):
    """A file's time and size: if either differs, the file has changed."""

    mtime_ns: int
    size: int


class Folder:
    """Files under one root, named by their path relative to it, with `/` as the separator."""

    def __init__(self, root: Path, pattern: str = "*.md", *, depth: int | None = 0) -> None:
        """Include files whose last part matches `pattern`, at most `depth` subfolders down (None: any)."""
        self.root: Final = _real(root)
        self._fits = re.compile(fnmatch.translate(pattern)).match
        self._depth = -1 if depth is None else depth

    def names(self) -> list[str]:
        """Return all names, sorted; an empty list if the folder does not exist."""
        return sorted(name for name, _ in self._walk(self.root, "", self._depth))

    def stamps(self) -> dict[str, Stamp]:
        """Return all names with their stamps, in one pass."""
        found = {}
        for name, entry in self._walk(self.root, "", self._depth):
            with suppress(FileNotFoundError):  # deleted during the pass
                found[name] = _stamp(entry.stat())
        return found

    def stat(self, name: str) -> Stamp:
        """Return the stamp of one file."""
        path = self._path(name)
        try:
            return _stamp(path.stat())
        except OSError as error:
            raise Missing(f"There is no file {name}.") from error

    def read(self, name: str) -> str:
        """Return the text without its byte order mark; line endings are unchanged.

        Raises:
            Missing: the file does not exist.
            Unreadable: it is not UTF-8 or cannot be read.
        """
        try:
            return self.read_bytes(name).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unreadable(f"{name} is not UTF-8 text (byte {error.start:,}).") from error

    def read_bytes(self, name: str) -> bytes:
        """Return the content exactly as it is on disk."""
        path = self._path(name)
        if not path.is_file():
            raise Missing(f"There is no file {name}.")
        try:
            return path.read_bytes()
        except OSError as error:
            raise Unreadable(f"{name} cannot be read: {error.strerror}.") from error

    def stream(self, name: str, size: int = 64 * 1024) -> Iterator[bytes]:
        """Yield the content in pieces of at most `size` bytes, for a file that is too large to hold.

        Raises:
            Missing: the file does not exist.
            Unreadable: it cannot be read.
        """
        path = self._path(name)
        if not path.is_file():
            raise Missing(f"There is no file {name}.")
        try:
            with path.open("rb") as file:
                while piece := file.read(size):
                    yield piece
        except OSError as error:
            raise Unreadable(f"{name} cannot be read: {error.strerror}.") from error

    def write_bytes(self, name: str, content: durable.Content, *, new: bool = False) -> None:
        """Create or replace a file, also from pieces; if they end in an error, nothing is changed.

        Raises:
            Taken: a `new` file already exists.
        """
        path = self._path(name)
        if new:
            durable.write_new(path, content)
        else:
            durable.write_over(_real(path), content)  # through a link, so the link itself is kept
        note_effect()

    def write_new(self, name: str, text: str) -> None:
        """Create a file; of several concurrent callers, one succeeds.

        Raises:
            Taken: the file already exists.
        """
        self.write_bytes(name, _encoded(name, text), new=True)

    def write(self, name: str, text: str) -> None:
        """Create or replace a file; a reader sees the old text or the new one."""
        self.write_bytes(name, _encoded(name, text))

    def delete(self, name: str) -> bool:
        """Delete a file; False if it did not exist."""
        path = self._path(name)
        try:
            path.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreDown(f"{name} cannot be deleted: {error.strerror}.") from error
        note_effect()
        return True

    def _path(self, name: str) -> Path:
        *folders, last = name.split("/")
        fits = all(map(_PART.fullmatch, [*folders, last])) and self._fits(last)
        if not fits or 0 <= self._depth < len(folders):
            raise OutsideFolder(f"'{name}' is not a valid name in this folder.")
        path = self.root.joinpath(*folders, last)
        if not self._holds(path):
            raise OutsideFolder(f"'{name}' leads out of the folder.")
        return path

    def _holds(self, path: str | Path) -> bool:
        return _real(path).is_relative_to(self.root)

    def _walk(self, folder: str | Path, above: str, depth: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
        # scandir, not Path.walk: it returns kinds and times without one call per file.
        try:
            entries = os.scandir(folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise Unreadable(f"The folder {above or self.root.name} cannot be listed.") from error
        with entries:
            for entry in entries:
                if not _PART.fullmatch(entry.name):
                    continue
                if self._fits(entry.name) and self._is_file(entry):
                    yield above + entry.name, entry
                elif depth != 0 and entry.is_dir(follow_symlinks=False):  # a linked folder could be a loop
                    yield from self._walk(entry.path, f"{above}{entry.name}/", depth - 1)

    def _is_file(self, entry: os.DirEntry[str]) -> bool:
        if entry.is_symlink():
            return Path(entry).is_file() and self._holds(entry.path)
        return entry.is_file()


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))  # not Path.resolve, which raises on link loops


def _stamp(found: os.stat_result) -> Stamp:
    return Stamp(found.st_mtime_ns, found.st_size)


def _encoded(name: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Unreadable(f"The text for {name} contains half a character at {error.start:,}.") from error
