"""Reading files of a workspace as they are now; links are followed only inside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, NamedTuple

from laconic.kit import OutsideWorkspace
from laconic.servers.issues.index.entries import Parsed, parse
from laconic.servers.issues.index.flaws import Flaw
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.stamps import Stamp, stamp_of

_READ: Final = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_CHUNK: Final = 1 << 20


class Content(NamedTuple):
    """A file's bytes, its stamp, and why it could not be read, if it could not."""

    data: bytes
    stamp: Stamp
    trouble: Flaw | None = None


class Contents:
    """Reads files; `is_linked` tells which of them are reached through a link."""

    def __init__(self, layout: Layout, is_linked: Callable[[str], bool]) -> None:
        self._layout = layout
        self._is_linked = is_linked

    def read(self, path: str) -> Content:
        """Read a file.

        Raises:
            OSError: it is gone, or cannot be read.
            OutsideWorkspace: it has become a link out of the workspace.
        """
        real = self._layout.at(path) if self._is_linked(path) else f"{self._layout.root}{os.sep}{path}"
        handle = os.open(real, _READ)  # a file object makes twice as many system calls
        try:
            found = os.fstat(handle)  # before it is read: what changes it later also changes its stamp
            data = os.read(handle, found.st_size + 1)
            while len(data) != found.st_size and (more := os.read(handle, _CHUNK)):
                data += more
        finally:
            os.close(handle)
        return Content(data, stamp_of(found))

    def parsed(self, path: str) -> tuple[bytes, Parsed]:
        """Read and parse a file; raises what `read` raises."""
        content = self.read(path)
        return content.data, parse(path, content.data, self._layout.collection(path), content.stamp)

    def tried(self, path: str) -> Content | None:
        """Read a file, or return why it cannot be read; None if it is gone."""
        try:
            return self.read(path)
        except (FileNotFoundError, OutsideWorkspace):
            return None
        except OSError as error:
            trouble = Flaw("unreadable file", detail=str(error.strerror))
        try:
            found = (self._layout.root / path).stat(follow_symlinks=self._is_linked(path))
        except OSError:
            return None
        return Content(b"", stamp_of(found), trouble)
