"""The plan of a workspace: which folders and settings it should have, what is missing, and creating it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from laconic.kit import Conflict, OutsideWorkspace, Record, one_line
from laconic.servers.issues.git.ignoring import ignored_words
from laconic.servers.issues.index.layout import SCHEMA
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.places import HOME
from laconic.servers.issues.tolerant import written
from laconic.stores import Taken
from laconic.stores.durable import write_new, write_over

_FOLDERS: Final[Mapping[str, tuple[bool, tuple[str, ...]]]] = {  # whether git tracks it, and its subfolders
    "issues": (True, ("archived",)),
    "specifications": (True, ("archived",)),
    **dict.fromkeys(("ideas", "memos", "plans", "docs"), (True, ())),
    "cache": (False, ()),
    "config": (True, ()),
    "logs": (False, ()),
    "orchestration": (True, ("agents", "prompts", "workflows")),
}
_IGNORED: Final = ("cache/", "logs/", "sessions/")
_ASSETS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {  # where a plugin has them, and their suffixes
    "agents": ("workflows/agents", (".md",)),
    "prompts": ("workflows/prompts", (".md",)),
    "workflows": ("workflows", (".yaml", ".yml")),
}
_CONFIG: Final = "config/wrangler.json"
_SETTINGS: Final = ("created", "schemaUpdated", "wranglerConfigCreated")
_NEEDED: Final = ("issues", "specifications", "ideas")
_HEADER: Final = "# What runs leave behind\n"


class WorkspaceReport(Record, key="status"):
    """What a workspace lacks, or what was created."""

    status: Literal["compliant", "initialized", "changes_needed"]
    directories: dict[str, list[str]]
    assets: dict[str, dict[str, list[str]]]
    config: dict[str, bool]
    gitignore: dict[str, list[str]]
    ignored: list[str] = Field(default_factory=list)  # collections that git ignores
    home: str = Field(default=HOME, exclude=True)  # for the words

    def write_text(self, format: str | None) -> str:
        """The words for a model."""
        return self.words("run with fix: true")

    def words(self, apply: str) -> str:
        """What is new, one line per kind; `apply` is how the changes are made."""
        warned = [ignored_words(self.ignored)] if self.ignored else []
        if self.status == "compliant":
            return "\n".join(["Workspace is fully compliant. No changes needed.", *warned])
        done = self.status == "initialized"
        head = "Workspace initialized." if done else f"Workspace changes needed ({apply} to apply):"
        assets = [f"{kind}/{name}" for kind, found in self.assets.items() for name in found["copied"]]
        home, flags = one_line(self.home), {SCHEMA: "schemaUpdated", _CONFIG: "wranglerConfigCreated"}
        settings = {f"{home}/{name}": self.config[flag] for name, flag in flags.items()}
        facts = {
            f"Directories {'created' if done else 'to create'}": self.directories["created"],
            f"Assets {'copied' if done else 'to copy'}": assets,
            f"Settings {'written' if done else 'to write'}": [name for name, new in settings.items() if new],
            f"Patterns {'added' if done else 'to add'} to {home}/.gitignore": self.gitignore["patternsAdded"],
        }
        lines = [f"{name}: {listed(new)}" for name, new in facts.items() if new]
        return "\n".join([head, *lines, *warned])


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
    def schema(self) -> dict[str, Any]:
        """The plugin's schema, or ours."""
        return self._source or (_small_schema if self.is_small else default_schema)(self.home)

    @cached_property
    def folders(self) -> dict[str, bool]:
        """Every folder, and whether git tracks it."""
        found: dict[str, bool] = {}
        for path, is_tracked in _folders(self.schema["directories"], inherited=False):
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
        schema, config = self._at(f"{self.home}/{SCHEMA}"), self._at(f"{self.home}/{_CONFIG}")
        is_new = not schema.exists()
        old = _object(schema) or {}
        newer = bool(self._source and old and _version(self._source) > _version(old))
        return {
            "created": is_new,
            "schemaUpdated": is_new or newer,
            "wranglerConfigCreated": not config.exists(),
        }

    def _gitignore(self) -> dict[str, list[str]]:
        wanted = self.schema.get("gitignorePatterns")
        patterns = [one for one in wanted if _is_pattern(one)] if isinstance(wanted, list) else list(_IGNORED)
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
                self._at(f"{self.home}/{SCHEMA}"), copied or _lines(self.schema)
            )
        if config["wranglerConfigCreated"]:
            named = {name: one["path"] for name, one in self.schema["directories"].items() if _path(one)}
            root = (self.schema.get("workspace") or {}).get("root", self.home)
            content = {"version": self.schema.get("version", "1.0.0")}
            _put(
                self._at(f"{self.home}/{_CONFIG}"),
                _lines({**content, "workspace": {"root": root, "directories": named}}),
            )


def default_schema(home: str = HOME) -> dict[str, Any]:
    """Return the layout of a workspace without a plugin."""

    def entry(name: str, is_tracked: bool, inner: tuple[str, ...]) -> dict[str, Any]:
        path = f"{home}/{name}"
        below = {sub: {"path": f"{path}/{sub}"} for sub in inner}
        return {"path": path, "gitTracked": is_tracked, **({"subdirectories": below} if below else {})}

    return {
        "version": "1.3.0",
        "workspace": {"root": home},
        "directories": {name: entry(name, *facts) for name, facts in _FOLDERS.items()},
        "gitignorePatterns": list(_IGNORED),
        "mcpConfiguration": {
            f"{name}Directory": f"{home}/{name}" for name in ("issues", "specifications", "ideas")
        },
    }


def _small_schema(home: str) -> dict[str, Any]:
    """Return the layout that issues need; archives and sessions get their folders when they are used."""
    entries = {name: {"path": f"{home}/{name}", "gitTracked": True} for name in _NEEDED}
    return {"directories": entries, "gitignorePatterns": ["sessions/"]}


def _folders(entries: Mapping[str, Any], *, inherited: bool) -> Iterator[tuple[str, bool]]:
    for one in entries.values():
        path = _path(one)
        if not path:
            continue
        is_tracked = bool(one.get("gitTracked", inherited))
        yield path, is_tracked
        inner = one.get("subdirectories")
        if isinstance(inner, dict):
            yield from _folders(inner, inherited=is_tracked)


def _path(entry: Any) -> str:
    found = entry.get("path") if isinstance(entry, dict) else None
    return found if isinstance(found, str) else ""


def _is_pattern(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\n" not in value


def _version(schema: Mapping[str, Any]) -> tuple[int, ...]:
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", str(schema.get("version", "")))
    return tuple(int(part) for part in found.groups()) if found else (0, 0, 0)


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
