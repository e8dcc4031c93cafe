"""Schemas: which folders a workspace has, which of them git tracks, and what git ignores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from laconic.data import dataclass
from laconic.servers.issues.places import HOME

__all__ = ["WorkspaceSchema", "default_schema", "small_schema"]

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
_NEEDED: Final = ("issues", "specifications", "ideas")


@dataclass(frozen=True)
class WorkspaceSchema:
    """The layout of a workspace as JSON; a plugin may have written it, so nothing of it is certain."""

    values: Mapping[str, Any]

    @property
    def directories(self) -> Mapping[str, Any]:
        """What is known of each folder, by name."""
        found = self.values.get("directories")
        return found if isinstance(found, dict) else {}

    @property
    def version(self) -> tuple[int, ...]:
        """The version, comparable with others."""
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", str(self.values.get("version", "")))
        return tuple(int(part) for part in found.groups()) if found else (0, 0, 0)

    def folders(self) -> Iterator[tuple[str, bool]]:
        """Return the path of each folder, and whether git tracks it."""
        yield from _folders(self.directories, inherited=False)

    def patterns(self) -> list[str]:
        """Return what git ignores."""
        wanted = self.values.get("gitignorePatterns")
        return [one for one in wanted if _is_pattern(one)] if isinstance(wanted, list) else list(_IGNORED)

    def settings(self, home: str) -> dict[str, Any]:
        """Return the settings of Wrangler that follow from it."""
        named = {name: one["path"] for name, one in self.directories.items() if _path(one)}
        root = (self.values.get("workspace") or {}).get("root", home)
        workspace = {"root": root, "directories": named}
        return {"version": self.values.get("version", "1.0.0"), "workspace": workspace}


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


def small_schema(home: str) -> dict[str, Any]:
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
