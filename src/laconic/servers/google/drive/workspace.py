"""Files of the workspace: the only ones that are sent or written, and none that is hidden."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex
from typing import Any

from laconic.kit import BadArguments, Conflict, OutsideWorkspace, Problem, Refused


def place_of(workspace: Path, given: str) -> Path:
    """Return a path inside the workspace, links followed.

    Raises:
        OutsideWorkspace: it leads out of the workspace.
        Refused: it is hidden, or in a hidden folder.
    """
    root = Path(os.path.realpath(workspace))
    path = Path(os.path.realpath(root / given)) if "\0" not in given else root.parent
    if path == root or not path.is_relative_to(root):
        raise OutsideWorkspace(f"'{given[:80]}' is not inside the workspace.")
    if any(part.startswith(".") for part in path.relative_to(root).parts):
        raise Refused(f"'{given[:80]}' is hidden: such files are neither sent nor written.")
    return path


def readable(workspace: Path, given: str) -> Path:
    """Return a file that can be sent.

    Raises:
        BadArguments: there is no such file.
    """
    path = place_of(workspace, given)
    if not path.is_file():
        raise BadArguments([Problem("path", f"There is no file '{given[:80]}' in the workspace.", given)])
    return path


class Draft:
    """A file that is being written: it appears under its name when it is complete."""

    def __init__(self, workspace: Path, given: str, *, overwrite: bool) -> None:
        """Take a path inside the workspace.

        Raises:
            Conflict: a file is there.
        """
        self._path, self._given, self._overwrite = place_of(workspace, given), given, overwrite
        if self._path.exists() and not (overwrite and self._path.is_file()):
            raise self._exists()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._draft = self._path.with_name(f".{token_hex(8)}.part")
        self._file: Any = self._draft.open("xb")  # a new file, whatever is there: not where a link leads

    def _exists(self) -> Conflict:
        return Conflict(
            f"'{self._given[:80]}' exists in the workspace.", advice="Pass another path, or overwrite true."
        )

    def write(self, part: bytes) -> None:
        """Add bytes."""
        self._file.write(part)

    def finish(self) -> None:
        """Give the file its name.

        Raises:
            Conflict: meanwhile a file has it.
        """
        self._file.close()
        if self._overwrite:
            self._draft.replace(self._path)
            return
        try:
            os.link(self._draft, self._path)
        except FileExistsError:
            raise self._exists() from None
        except OSError:  # no links on this disk
            self._draft.replace(self._path)

    def drop(self) -> None:
        """Remove what was written, unless it is complete."""
        self._file.close()
        self._draft.unlink(missing_ok=True)
