"""The plan of a workspace: which folders and settings it should have, what is missing, and creating it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from laconic.data import dataclass
from laconic.kit import Conflict, OutsideWorkspace
from laconic.servers.issues.index.layout import SCHEMA
from laconic.servers.issues.places import HOME
from laconic.servers.issues.setup.reports import CONFIG, WorkspaceReport
from laconic.servers.issues.setup.schemas import WorkspaceSchema, default_schema, small_schema
from laconic.servers.issues.tolerant import written
from laconic.stores import Taken
from laconic.stores.durable import write_new, write_over

_ASSETS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {  # where a plugin has them, and their suffixes
    "agents": ("workflows/agents", (".md",)),
    "prompts": ("workflows/prompts", (".md",)),
    "workflows": ("workflows", (".yaml", ".yml")),
}
_SETTINGS: Final = ("created", "schemaUpdated", "wranglerConfigCreated")
_HEADER: Final = "# What runs leave behind\n"


@dataclass(frozen=True)
class WorkspacePlan:
    """What one project should contain."""

    root: Path
    plugin: Path | None
    is_small: bool = False  # only what issues need, without the folders and settings of other programs
    home: str = HOME

    @cached_property
    def _source(self) -> dict[str, Any] | None:
        """The plugin's schema, if it has one; its folders are in the usual one."""
        found = _object(self.plugin / HOME / SCHEMA) if self.plugin and self.home == HOME else None
        return found if found and isinstance(found.get("directories"), dict) else None

    @cached_property
    def schema(self) -> WorkspaceSchema:
        """The plugin's schema, or ours."""
        own = small_schema if self.is_small else default_schema
        return WorkspaceSchema(self._source or own(self.home))

    @cached_property
    def folders(self) -> dict[str, bool]:
        """Every folder, and whether git tracks it."""
        found: dict[str, bool] = {}
        for path, is_tracked in self.schema.folders():
            found[path] = is_tracked
            if not self._at(path).is_dir() and os.path.lexists(self.root / path):
                raise Conflict(
                    f"{path} is a file, and a folder is needed there.", advice="Move it away first."
                )
        return found

    def _at(self, path: str) -> Path:
        """Return a path inside the project, links followed; refuse one that leads out of it."""
        found = Path(os.path.realpath(self.root / path))
        if not found.is_relative_to(self.root):
            raise OutsideWorkspace(f"{path} leads out of the workspace.")
        return found

    def report(self) -> WorkspaceReport:
        """Compare the project with the plan."""
        has = {path: self._at(path).is_dir() for path in self.folders}
        directories = {
            "created": [path for path in has if not has[path]],
            "existing": [path for path in has if has[path]],
        }
        assets = {kind: self._assets(kind) for kind in _ASSETS}
        config = dict.fromkeys(_SETTINGS, False) if self.is_small else self._config()
        gitignore = self._gitignore()
        is_new = directories["created"] or any(found["copied"] for found in assets.values())
        is_new = is_new or gitignore["patternsAdded"] or any(config.values())
        return WorkspaceReport(
            status="changes_needed" if is_new else "compliant",
            directories=directories,
            assets=assets,
            config=config,
            gitignore=gitignore,
            home=self.home,
        )

    def _assets(self, kind: str) -> dict[str, list[str]]:
        target = self._at(f"{self.home}/orchestration/{kind}")
        names = [path.name for path in self._offered(kind)]
        has = {name: os.path.lexists(target / name) for name in names}
        return {"copied": [n for n in names if not has[n]], "skipped": [n for n in names if has[n]]}

    def _offered(self, kind: str) -> list[Path]:
        """Return the plugin's files of one kind, without links."""
        source, endings = _ASSETS[kind]
        if self.plugin is None or not (self.plugin / source).is_dir():
            return []
        found = [path for path in sorted((self.plugin / source).iterdir()) if path.suffix in endings]
        return [path for path in found if path.is_file() and not path.is_symlink()]

    def _config(self) -> dict[str, bool]:
        schema, config = self._at(f"{self.home}/{SCHEMA}"), self._at(f"{self.home}/{CONFIG}")
        is_new = not schema.exists()
        old = _object(schema) or {}
        newer = bool(self._source and old and self.schema.version > WorkspaceSchema(old).version)
        return {
            "created": is_new,
            "schemaUpdated": is_new or newer,
            "wranglerConfigCreated": not config.exists(),
        }

    def _gitignore(self) -> dict[str, list[str]]:
        patterns = self.schema.patterns()
        has = {line.strip() for line in _text(self._at(f"{self.home}/.gitignore")).splitlines()}
        return {
            "patternsAdded": [one for one in patterns if one not in has],
            "existing": [one for one in patterns if one in has],
        }

    def apply(self, report: WorkspaceReport) -> None:
        """Create what the report lists as missing."""
        for path, is_tracked in self.folders.items():
            folder = self._at(path)
            folder.mkdir(parents=True, exist_ok=True)
            if is_tracked and (path in report.directories["created"] or not any(folder.iterdir())):
                _put(folder / ".gitkeep", b"")
        for kind, found in report.assets.items():
            for asset in self._offered(kind):
                if asset.name in found["copied"]:
                    _put(self._at(f"{self.home}/orchestration/{kind}") / asset.name, asset.read_bytes())
        self._ignore(report.gitignore["patternsAdded"])
        self._write_settings(report.config)

    def _ignore(self, patterns: list[str]) -> None:
        if not patterns:
            return
        path = self._at(f"{self.home}/.gitignore")
        text = _text(path) or _HEADER
        lines = "\n".join(["" if text.endswith("\n") else "\n", *patterns, ""]).removeprefix("\n")
        write_over(path, (text + lines).encode(errors="surrogateescape"))

    def _write_settings(self, config: Mapping[str, bool]) -> None:
        if config["schemaUpdated"]:
            copied = (self.plugin / HOME / SCHEMA).read_bytes() if self.plugin and self._source else None
            (_put if config["created"] else write_over)(
                self._at(f"{self.home}/{SCHEMA}"), copied or _lines(self.schema.values)
            )
        if config["wranglerConfigCreated"]:
            _put(self._at(f"{self.home}/{CONFIG}"), _lines(self.schema.settings(self.home)))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="surrogateescape")
    except FileNotFoundError:
        return ""


def _object(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(_text(path).removeprefix("\ufeff"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _lines(content: Mapping[str, Any]) -> bytes:
    return (written(content, indent=2) + "\n").encode(errors="backslashreplace")


def _put(path: Path, content: bytes) -> None:
    """Write a file unless it exists."""
    with suppress(Taken):
        write_new(path, content)
