"""Where issues are: one folder per type with an archive in it, and how files are named."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from laconic.data import dataclass
from laconic.kit import BadConfiguration, OutsideWorkspace
from laconic.servers.issues.models import COMPLETE
from laconic.servers.issues.places import HOME, check_there

FOLDERS: Final[Mapping[str, str]] = {"issue": "issues", "specification": "specifications", "idea": "ideas"}
ARCHIVE: Final = "archived"

_VARIABLES: Final = {
    "issue": "WRANGLER_ISSUES_DIRECTORY",
    "specification": "WRANGLER_SPECIFICATIONS_DIRECTORY",
}
_BASE: Final = "WRANGLER_ISSUE_BASE_PATH"
SCHEMA: Final = "config/workspace-schema.json"


@dataclass(frozen=True)
class Layout:
    """A workspace and its folder for each type; paths are relative to the workspace, with `/`."""

    root: Path
    folders: Mapping[str, str]
    home: str = HOME

    @classmethod
    def of(cls, root: Path, folders: Mapping[str, str] | None = None, home: str = HOME) -> Layout:
        """Use the default folders, except for those given."""
        real = _real(root)
        usual = {kind: f"{home}/{name}" for kind, name in FOLDERS.items()}
        return cls(
            real, {kind: _relative(real, at) for kind, at in {**usual, **(folders or {})}.items()}, home
        )

    @classmethod
    def configured(
        cls,
        workspace: Path,
        environ: Mapping[str, str],
        folders: Mapping[str, str] | None = None,
        home: str = HOME,
    ) -> Layout:
        """Use the variables and the schema file of Wrangler workspaces; `folders` takes precedence."""
        root = _real(workspace / environ.get(_BASE, ""))
        ideas = _ideas_folder(root, home)
        named = {kind: environ[name] for kind, name in _VARIABLES.items() if environ.get(name)}
        return cls.of(root, {**({"idea": ideas} if ideas else {}), **named, **(folders or {})}, home)

    def beside(self, root: Path) -> Layout:
        """Return the same folders in another work tree."""
        return replace(self, root=_real(root))

    def check(self) -> None:
        """Refuse a workspace that is gone, and a folder that leads out of it, by name or through a link."""
        check_there(self.root)
        for kind, folder in self.folders.items():
            if not self.holds(_real(self.root / folder)):
                raise BadConfiguration(f"The folder {folder} of type {kind} leads out of the workspace.")

    def holds(self, real: Path) -> bool:
        """True if a path without links is inside the workspace."""
        return real.is_relative_to(self.root)

    def at(self, path: str) -> Path:
        """Return the real path of a file or folder, links followed.

        Raises:
            OutsideWorkspace: it is not in the workspace.
        """
        real = _real(self.root / path)
        if not self.holds(real):
            raise OutsideWorkspace(f"{path} leads out of the workspace.")
        return real

    def relative(self, given: str) -> str:
        """Turn an absolute path inside the workspace into a relative one; return anything else unchanged."""
        path = Path(given.strip())
        if "\0" in given or not path.is_absolute():
            return given
        real = path if path.is_relative_to(self.root) else _real(path)
        return real.relative_to(self.root).as_posix() if self.holds(real) else given

    def collection(self, path: str) -> str:
        """Return the type whose folder a file is in; the innermost one."""
        inside = [kind for kind, folder in self.folders.items() if _is_in(path, folder)]
        return max(inside, key=lambda kind: len(self.folders[kind]), default="issue")

    def folder(self, path: str, kind: str, status: str) -> str:
        """Return the folder where a file belongs; one of an unknown type stays in its collection."""
        home = self.folders[kind if kind in self.folders else self.collection(path)]
        return str(PurePosixPath(home, ARCHIVE)) if status in COMPLETE else home

    def fits(self, path: str, kind: str, status: str) -> bool:
        """True if a file is below its type's folder, and in an archive exactly if it is complete."""
        is_home = kind not in self.folders or _is_in(path, self.folders[kind])
        return is_home and is_archived(path) == (status in COMPLETE)


def is_archived(path: str) -> bool:
    """True if a file is directly in an archive."""
    return PurePosixPath(path).parent.name == ARCHIVE


def file_name(id: str, title: str) -> str:
    """Return the name for a new file."""
    return f"{id}-{slug(title)}.md"


def slug(title: str) -> str:
    """Turn a title into part of a file name: at most 50 ASCII letters, digits and single hyphens."""
    kept = re.sub(r"[^a-z0-9_\s-]", "", title.lower())
    joined = re.sub(r"[\s_-]+", "-", kept).strip("-")[:50]
    return joined.removeprefix("plan-step-") or "issue"


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises on circular links


def _relative(root: Path, folder: str) -> str:
    """Make a folder relative to the root; one outside stays as given, for the message of `check`."""
    joined = Path(os.path.normpath(root / folder))
    return joined.relative_to(root).as_posix() if joined.is_relative_to(root) else folder


def _is_in(path: str, folder: str) -> bool:
    return folder == "." or path.startswith(f"{folder}/")


def _ideas_folder(root: Path, home: str) -> str | None:
    """Read the folder for ideas from the nearest schema file, searching up to the repository's top."""
    for folder in (root, *root.parents):
        with suppress(OSError, ValueError, KeyError, TypeError):
            schema = json.loads((folder / home / SCHEMA).read_text(encoding="utf-8"))
            return str(schema["mcpConfiguration"]["ideasDirectory"])
        if (folder / home / SCHEMA).is_file() or (folder / ".git").exists():
            return None
    return None
