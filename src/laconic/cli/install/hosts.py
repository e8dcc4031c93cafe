"""Hosts: the applications that start MCP servers, and where each keeps its configuration."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from laconic.cli.install import jsonc, toml_tables
from laconic.cli.install.formats import ConfigFormat
from laconic.kit.errors import BadConfiguration, Refused

__all__ = ["HOSTS", "Host", "InstallRefused", "Machine", "Scope"]

# Cursor and VS Code replace this with the open folder. Both start some servers in the home folder, so the
# working directory is not enough.
OPEN_FOLDER: Final = "${workspaceFolder}"


class InstallRefused(Refused):
    """Nothing was changed; the message explains why and what to do."""


@dataclass(frozen=True)
class Machine:
    """What determines where files are; a parameter, so every platform can be tested anywhere."""

    platform: str = sys.platform
    home: Path = field(default_factory=Path.home)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def folder(self, variable: str, *default: str) -> Path:
        """Return the folder that a variable names, or a default below the home folder."""
        named = self.environ.get(variable)
        return Path(named) if named else self.home.joinpath(*default)

    @property
    def settings(self) -> Path:
        """Where applications keep the user's settings."""
        if self.platform == "win32":
            return self.folder("APPDATA", "AppData", "Roaming")
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.folder("XDG_CONFIG_HOME", ".config")


Locate = Callable[[Machine, Path], Path]


@dataclass(frozen=True)
class Scope:
    """Where a host keeps servers for everybody, for a project, or for a person in a project."""

    locate: Locate
    around: Callable[[Path], tuple[str, ...]] = lambda workspace: ()  # names around the host's key
    of_workspace: bool = True  # only for this workspace


@dataclass(frozen=True)
class Host:
    """One application that starts MCP servers; its first scope is the default."""

    name: str
    title: str
    scopes: Mapping[str, Scope]
    key: str
    next_step: str
    typed: bool = True  # the entry has "type": "stdio"
    comments: bool = False  # its files may have comments
    format: ConfigFormat = jsonc
    folder: str | None = None  # what to pass as --workspace; None: it starts servers in the right folder
    fixed: bool = False  # starts servers in any folder and has no variable for the open one

    def scope(self, name: str | None) -> str:
        """Return the name of a scope, by default of the first.

        Raises:
            BadConfiguration: the host does not have it.
        """
        if name is not None and name not in self.scopes:
            known = " or ".join(self.scopes)
            raise BadConfiguration(f"{self.title} has no '{name}' scope; pass {known}.", advice="")
        return name or next(iter(self.scopes))

    def path(self, scope: str, workspace: Path, machine: Machine) -> Path:
        """Return the configuration file of a scope; a symbolic link is followed, so writing keeps it."""
        path = self.scopes[self.scope(scope)].locate(machine, workspace)
        return path.resolve() if path.is_symlink() else path

    def keys(self, scope: str, workspace: Path) -> tuple[str, ...]:
        """Return the names that lead to the servers in the file of a scope."""
        return *self.scopes[scope].around(workspace), self.key

    def entry(self, command: Sequence[str], args: Sequence[str], env: Mapping[str, str]) -> dict[str, object]:
        """Return the entry that is written under our name."""
        first, *rest = command
        shape: dict[str, object] = {"type": "stdio"} if self.typed else {}
        return shape | {"command": first, "args": [*rest, *args]} | ({"env": dict(env)} if env else {})


def _project(*parts: str) -> Scope:
    return Scope(lambda machine, workspace: workspace.joinpath(*parts))


def _user(locate: Locate) -> Scope:
    return Scope(locate, of_workspace=False)


def _claude_code(machine: Machine, workspace: Path) -> Path:
    return machine.folder("CLAUDE_CONFIG_DIR") / ".claude.json"


def _cursor(machine: Machine, workspace: Path) -> Path:
    return machine.home / ".cursor" / "mcp.json"


def _codex(machine: Machine, workspace: Path) -> Path:
    return machine.folder("CODEX_HOME", ".codex") / "config.toml"


def _vscode(machine: Machine, workspace: Path) -> Path:
    if portable := machine.environ.get("VSCODE_PORTABLE"):
        return Path(portable, "user-data", "User", "mcp.json")
    return Path(machine.environ.get("VSCODE_APPDATA") or machine.settings, "Code", "User", "mcp.json")


def _claude_desktop(machine: Machine, workspace: Path) -> Path:
    """On Windows the packaged application reads a private copy; its place differs between releases."""
    usual = machine.settings / "Claude"
    file = "claude_desktop_config.json"
    if machine.platform != "win32":
        return usual / file
    local = machine.folder("LOCALAPPDATA", "AppData", "Local")
    newest = sorted(local.glob("Claude-Data/[Cc]laude*/"))
    packaged = [
        folder / "LocalCache" / "Roaming" / "Claude" for folder in sorted(local.glob("Packages/Claude_*/"))
    ]
    for places in (newest, packaged, [usual]):
        if written := [place / file for place in places if (place / file).is_file()]:
            return _only(written)
    return _only([place / file for place in newest or packaged or [usual]])


def _only(paths: list[Path]) -> Path:
    if len(paths) > 1:
        listed = "\n".join(f"  {path}" for path in paths)
        raise InstallRefused(
            f"Claude Desktop is installed more than once; edit the right file by hand:\n{listed}"
        )
    return paths[0]


_TABLE = (
    Host(
        name="claude-code",
        title="Claude Code",
        scopes={
            "project": _project(".mcp.json"),
            "local": Scope(_claude_code, lambda workspace: ("projects", str(workspace))),
            "user": _user(_claude_code),
        },
        key="mcpServers",
        next_step="Restart Claude Code in the project and approve the server; /mcp shows it. Close all "
        "running sessions first: one of them may overwrite the configuration.",
    ),
    Host(
        name="claude-desktop",
        title="Claude Desktop",
        scopes={"user": _user(_claude_desktop)},
        key="mcpServers",
        next_step="Quit Claude Desktop completely and start it again; Settings > Developer shows the server.",
        typed=False,
        fixed=True,
    ),
    Host(
        name="codex",
        title="Codex",
        scopes={"user": _user(_codex), "project": _project(".codex", "config.toml")},
        key="mcp_servers",
        next_step="Start Codex again; /mcp shows the server. Codex reads a project's file only if you "
        "trust the project.",
        typed=False,
        comments=True,
        format=toml_tables,
    ),
    Host(
        name="cursor",
        title="Cursor",
        scopes={"project": _project(".cursor", "mcp.json"), "user": _user(_cursor)},
        key="mcpServers",
        next_step="Turn the server on in Cursor's settings under MCP; restart Cursor if it is not listed.",
        comments=True,
        folder=OPEN_FOLDER,
    ),
    Host(
        name="vscode",
        title="VS Code",
        scopes={"project": _project(".vscode", "mcp.json"), "user": _user(_vscode)},
        key="servers",
        next_step="Run 'MCP: List Servers' from the Command Palette, start the server and trust it.",
        comments=True,
        folder=OPEN_FOLDER,
    ),
)
HOSTS: Final[Mapping[str, Host]] = {host.name: host for host in _TABLE}
