"""The merge driver: registers our merge of issues with git, for one repository and all its work trees.

Nothing is written to a work tree. The command is in the repository's own configuration and the file patterns
in its own attributes, so each clone decides for itself; a clone without the driver merges as git does.
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

from laconic.kit import Conflict
from laconic.servers.issues.git.asking import ask_git
from laconic.servers.issues.index.layout import Layout
from laconic.stores import StoreDown
from laconic.stores.durable import write_over
from laconic.stores.locks import file_lock, git_common_dir, git_top

NAME: Final = "laconic-issues"

_SECTION: Final = f"merge.{NAME}"
_REMARK: Final = "# Issues are merged field by field; `laconic issues init --undo` takes this out."
_SPECIAL: Final = re.compile(r"([\\*?\[\]])")

State = Literal["registered", "outdated", "absent", "no repository"]


@dataclass(frozen=True)
class MergeDriver:
    """The merge driver for the issues of one workspace."""

    layout: Layout

    def state(self) -> State:
        """Return whether git uses the driver here."""
        home = git_common_dir(self.layout.root)
        if home is None:
            return "no repository"
        lines, known = _lines(home / "info/attributes"), self._told("driver")
        if known is None and not any(line in lines for line in self._attributes()):
            return "absent"
        is_whole = known == command() and all(line in lines for line in self._attributes())
        return "registered" if is_whole else "outdated"

    def register(self) -> State:
        """Make git use the driver; return the state before.

        Raises:
            Conflict: not in a repository.
            StoreDown: its configuration cannot be written.
        """
        before = self.state()
        if before in ("absent", "outdated"):
            with file_lock(self._home()):
                self._tell("name", "issues, field by field")
                self._tell("driver", command())
                path = self._home() / "info/attributes"
                lines = _lines(path)
                new = [line for line in self._attributes() if line not in lines]
                _write(path, [*lines, *([] if _REMARK in lines else [_REMARK]), *new])
        elif before == "no repository":
            raise _nowhere()
        return before

    def remove(self) -> State:
        """Make git merge the issues of this workspace like any other file; return the state before."""
        before = self.state()
        if before in ("registered", "outdated"):
            with file_lock(self._home()):
                path = self._home() / "info/attributes"
                left = [line for line in _lines(path) if line not in self._attributes()]
                is_last = not any(line.endswith(f" merge={NAME}") for line in left)
                _write(path, [line for line in left if line != _REMARK] if is_last else left)
                if is_last:
                    ask_git(self.layout.root, "config", "--local", "--remove-section", _SECTION)
        elif before == "no repository":
            raise _nowhere()
        return before

    def programs(self) -> list[Path]:
        """Return the files that git needs to start the driver; none where no driver is registered."""
        words = shlex.shlex(self._told("driver") or "", posix=True, punctuation_chars=True)
        words.whitespace_split = True
        try:
            pairs = list(pairwise(words))
        except ValueError:  # quotes that do not match: not our command
            return []
        return [Path(name.replace("%%", "%")) for test, name in pairs if test in ("-x", "-f")]

    def _home(self) -> Path:
        home = git_common_dir(self.layout.root)
        if home is None:
            raise _nowhere()
        return home

    def _attributes(self) -> list[str]:
        """Return the lines for git's attributes: patterns from the top of the repository."""
        top = git_top(self.layout.root) or self.layout.root
        above = self.layout.root.relative_to(top)
        return [_attribute((above / folder).as_posix()) for folder in self.layout.folders.values()]

    def _told(self, key: str) -> str | None:
        told = ask_git(self.layout.root, "config", "--local", "--get", f"{_SECTION}.{key}")
        return told.removesuffix("\n") if told is not None else None

    def _tell(self, key: str, value: str) -> None:
        if ask_git(self.layout.root, "config", "--local", f"{_SECTION}.{key}", value) is None:
            raise StoreDown("git's configuration of this repository cannot be written.")


def command() -> str:
    """Return what git runs: this program, or git's own merge if the program is gone.

    -P, because git runs it in the user's work tree: no module may be loaded from there.
    """
    places = (Path(sys.executable), Path(__file__).parents[3])
    python, package = (place.as_posix().replace("%", "%%") for place in places)
    ours = f"{shlex.quote(python)} -P -m laconic issues merge %O %A %B %P"
    tests = f"test -x {shlex.quote(python)} && test -f {shlex.quote(f'{package}/__main__.py')}"
    own = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    return f"if {tests}; then {ours}; else {own}; fi"


def _attribute(folder: str) -> str:
    pattern = _SPECIAL.sub(r"\\\1", folder).removeprefix("./")
    pattern = "/**/*.md" if pattern == "." else f"/{pattern}/**/*.md"
    if re.search(r'[\s"]', pattern):  # quoted as in C
        pattern = '"{}"'.format(pattern.replace("\\", "\\\\").replace('"', '\\"'))
    return f"{pattern} merge={NAME}"


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []


def _write(path: Path, lines: list[str]) -> None:
    if not lines:
        path.unlink(missing_ok=True)
        return
    write_over(path, "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))


def _nowhere() -> Conflict:
    return Conflict("This folder is not in a git repository.", advice="Run git init first.")
