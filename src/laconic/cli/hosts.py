"""Hosts: where each keeps its MCP configuration, and putting our entry there with a way back."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from laconic.cli import jsonc

__all__ = ["HOSTS", "Host", "Machine", "Plan", "Refused", "apply", "plan", "plan_undo", "undo"]

# Cursor and VS Code put the open folder here. Both start some servers in the home folder, so the working
# directory does not tell which folder is meant.
OPEN_FOLDER: Final = "${workspaceFolder}"


class Refused(Exception):
    """Nothing was changed; the message says why and what to do."""


@dataclass(frozen=True)
class Machine:
    """What decides where files lie: a parameter, so that every platform can be tested on any."""

    platform: str = sys.platform
    home: Path = field(default_factory=Path.home)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def folder(self, variable: str, *default: str) -> Path:
        """The folder a variable names, else one below the home folder."""
        named = self.environ.get(variable)
        return Path(named) if named else self.home.joinpath(*default)

    @property
    def settings(self) -> Path:
        """Where applications keep a person's settings."""
        if self.platform == "win32":
            return self.folder("APPDATA", "AppData", "Roaming")
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.folder("XDG_CONFIG_HOME", ".config")


Locate = Callable[[Machine, Path], Path]
Clock = Callable[[], datetime]


def _utc() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Host:
    """One application that starts MCP servers; its first scope is the usual one."""

    name: str
    title: str
    scopes: Mapping[str, Locate]
    key: str
    next_step: str
    typed: bool = True  # the entry says "type": "stdio"
    comments: bool = False  # reads JSON with comments
    folder: str | None = None  # what to pass as --workspace; None: it starts servers in the right folder
    fixed: bool = False  # starts servers anywhere and has no word for the open folder

    def path(self, scope: str, workspace: Path, machine: Machine) -> Path:
        """Where the configuration of a scope lies; a symbolic link is followed, so that it stays one."""
        if scope not in self.scopes:
            known = " or ".join(self.scopes)
            raise Refused(f"{self.title} has no '{scope}' scope; pass {known}.")
        path = self.scopes[scope](machine, workspace)
        return path.resolve() if path.is_symlink() else path

    def entry(self, command: Sequence[str], args: Sequence[str], env: Mapping[str, str]) -> dict[str, object]:
        """What stands under our name."""
        first, *rest = command
        shape: dict[str, object] = {"type": "stdio"} if self.typed else {}
        return shape | {"command": first, "args": [*rest, *args]} | ({"env": dict(env)} if env else {})


def _in_workspace(*parts: str) -> Locate:
    return lambda machine, workspace: workspace.joinpath(*parts)


def _claude_code(machine: Machine, workspace: Path) -> Path:
    return machine.folder("CLAUDE_CONFIG_DIR") / ".claude.json"


def _cursor(machine: Machine, workspace: Path) -> Path:
    return machine.home / ".cursor" / "mcp.json"


def _vscode(machine: Machine, workspace: Path) -> Path:
    if portable := machine.environ.get("VSCODE_PORTABLE"):
        return Path(portable, "user-data", "User", "mcp.json")
    return Path(machine.environ.get("VSCODE_APPDATA") or machine.settings, "Code", "User", "mcp.json")


def _claude_desktop(machine: Machine, workspace: Path) -> Path:
    """On Windows the packaged application reads a private copy; which one, its releases disagree about."""
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
        raise Refused(f"Claude Desktop is installed more than once; edit the right file by hand:\n{listed}")
    return paths[0]


_TABLE = (
    Host(
        name="claude-code",
        title="Claude Code",
        scopes={"project": _in_workspace(".mcp.json"), "user": _claude_code},
        key="mcpServers",
        next_step="Start claude anew in the project and approve the server; /mcp shows it. Close the "
        "sessions that run now first: one of them may write its own configuration back.",
    ),
    Host(
        name="claude-desktop",
        title="Claude Desktop",
        scopes={"user": _claude_desktop},
        key="mcpServers",
        next_step="Quit Claude Desktop entirely and start it again; Settings > Developer shows the server.",
        typed=False,
        fixed=True,
    ),
    Host(
        name="cursor",
        title="Cursor",
        scopes={"project": _in_workspace(".cursor", "mcp.json"), "user": _cursor},
        key="mcpServers",
        next_step="Switch the server on in Cursor's settings under MCP; restart Cursor if it is not listed.",
        comments=True,
        folder=OPEN_FOLDER,
    ),
    Host(
        name="vscode",
        title="VS Code",
        scopes={"project": _in_workspace(".vscode", "mcp.json"), "user": _vscode},
        key="servers",
        next_step="Run 'MCP: List Servers' from the Command Palette, start the server and trust it.",
        comments=True,
        folder=OPEN_FOLDER,
    ),
)
HOSTS: Final[Mapping[str, Host]] = {host.name: host for host in _TABLE}


@dataclass(frozen=True)
class Plan:
    """One change of one file; no text means no file."""

    host: Host
    scope: str
    path: Path
    name: str
    before: str | None
    after: str | None

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def keys(self) -> tuple[str, str]:
        """Where our entry stands in the file."""
        return self.host.key, self.name


@dataclass(frozen=True)
class _Record:
    """What undoing needs to know of an installation."""

    digest: str  # of the file as we left it
    backup: str | None  # the file as it was before us; None: there was none
    exact: bool  # the backup, or no file, is what undoing leads to
    replaced: bool  # an entry of our name stood there before
    parent: bool  # we made the object around the entry
    folders: int  # how many folders we made for the file


def plan(
    host: Host,
    scope: str,
    workspace: Path,
    command: Sequence[str],
    args: Sequence[str],
    env: Mapping[str, str],
    *,
    name: str = "laconic",
    machine: Machine | None = None,
) -> Plan:
    """Work out what installing would write.

    Raises: Refused.
    """
    path = host.path(scope, workspace, machine or Machine())
    before = _read(path)
    entry = json.dumps(host.entry(command, args, env))
    try:
        after = jsonc.set_member(before or "", (host.key, name), entry)
    except jsonc.BadJsonc as error:
        raise Refused(f"{path} cannot be edited: {error}") from error
    return Plan(host, scope, path, name, before, after)


def apply(plan: Plan, state: Path, *, now: Clock = _utc) -> Path | None:
    """Carry out the plan of an installation and return the backup, if there was a file to keep.

    Raises: Refused.
    """
    if not plan.changes or plan.after is None:
        return None
    _check_unchanged(plan)
    record, backup = _way_back(plan, state, now)
    _save(plan, state, record)
    _write(plan.path, plan.after)
    return backup


def plan_undo(
    host: Host,
    scope: str,
    workspace: Path,
    state: Path,
    *,
    name: str = "laconic",
    machine: Machine | None = None,
) -> Plan:
    """Work out what undoing would write: the file before us if nobody touched it since, else ours removed.

    Raises: Refused.
    """
    path = host.path(scope, workspace, machine or Machine())
    before = _read(path)
    plan = Plan(host, scope, path, name, before, before)
    if before is None:
        raise Refused(f"There is no {path}, so there is nothing to undo.")
    record = _load(plan, state)
    kept = _existing(record.backup) if record else None
    if record and record.exact and record.digest == _digest(before) and (kept or not record.backup):
        return replace(plan, after=_read(kept) if kept else None)
    try:
        return replace(plan, after=_without_entry(plan, before, record, _read(kept) if kept else None))
    except jsonc.BadJsonc as error:
        raise Refused(f"{path} cannot be edited: {error}") from error


def undo(plan: Plan, state: Path, *, now: Clock = _utc) -> Path | None:
    """Carry out the plan of an undoing; return a backup unless the old file came back whole.

    Raises: Refused.
    """
    _check_unchanged(plan)
    record = _load(plan, state)
    kept = _existing(record.backup) if record else None
    backup = None
    if plan.after is None:
        plan.path.unlink()
        _remove_empty(plan.path, record.folders if record else 0)
    elif kept and plan.after == _read(kept):
        _write(plan.path, plan.after)
        kept.unlink()  # its content is the file again
    else:
        backup = _keep(plan.path, plan.before or "", state, now())
        _write(plan.path, plan.after)
    _record_path(plan, state).unlink(missing_ok=True)
    return backup


def _without_entry(plan: Plan, before: str, record: _Record | None, original: str | None) -> str:
    """The text without our entry, or with the entry that stood in its place before us."""
    ours = jsonc.find(before, plan.keys)
    if ours is None:
        raise Refused(f"{plan.path} has no entry '{plan.name}', so there is nothing to undo.")
    theirs = jsonc.find(original, plan.keys) if record and record.replaced and original else None
    if theirs and original:
        value = original[theirs.value.start : theirs.end]
        return before[: ours.value.start] + value + before[ours.end :]
    return jsonc.remove_member(before, plan.keys, prune=int(record.parent) if record else 0)


# The record


def _way_back(plan: Plan, state: Path, now: Clock) -> tuple[_Record, Path | None]:
    """What to remember, and the backup. A second installation leads back to before the first."""
    earlier, record = _load(plan, state), _new_record(plan)
    if plan.before is None:
        return record, None
    if earlier is None or not record.replaced:
        backup = _keep(plan.path, plan.before, state, now())
        return replace(record, backup=str(backup)), backup
    kept = _existing(earlier.backup)
    if earlier.digest == _digest(plan.before) and (kept or not earlier.backup):
        return replace(earlier, digest=record.digest), kept
    return replace(earlier, digest=record.digest, exact=False), _keep(plan.path, plan.before, state, now())


def _new_record(plan: Plan) -> _Record:
    text = plan.before or ""
    return _Record(
        digest=_digest(plan.after or ""),
        backup=None,
        exact=True,
        replaced=jsonc.find(text, plan.keys) is not None,
        parent=jsonc.find(text, plan.keys[:1]) is None,
        folders=sum(not folder.exists() for folder in plan.path.parents),
    )


def _record_path(plan: Plan, state: Path) -> Path:
    place = _digest(f"{plan.path}\0{plan.name}")[:16]
    return state / "installs" / f"{plan.host.name}-{place}.json"


def _load(plan: Plan, state: Path) -> _Record | None:
    try:
        return _Record(**json.loads(_record_path(plan, state).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # none, or written by another version
        return None


def _save(plan: Plan, state: Path, record: _Record) -> None:
    _write(_record_path(plan, state), json.dumps(asdict(record), indent=2) + "\n")


# Files


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _existing(path: str | None) -> Path | None:
    return Path(path) if path and Path(path).is_file() else None


def _read(path: Path) -> str | None:
    """The text with its own line ends; None without a file."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8, so it was left alone.") from error
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from error


def _check_unchanged(plan: Plan) -> None:
    if _read(plan.path) != plan.before:
        raise Refused(f"{plan.path} changed meanwhile; close {plan.host.title} and run this again.")


def _keep(path: Path, text: str, state: Path, now: datetime) -> Path:
    """Copy the file to the state folder, never into a work tree, readable to no more people than it is."""
    folder = state / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{path.name.lstrip('.')}.{now:%Y%m%dT%H%M%SZ}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 100))]
    backup = next(folder / name for name in names if not (folder / name).exists())
    _write(backup, text, like=path)
    return backup


def _write(path: Path, text: str, *, like: Path | None = None) -> None:
    """Replace a file whole or not at all; mode and owner stay what they were."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        _dress(Path(temporary), like or path)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _dress(path: Path, like: Path) -> None:
    if not like.exists():
        mask = os.umask(0)
        os.umask(mask)
        path.chmod(0o666 & ~mask)
        return
    status = like.stat()
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only root may give a file away, and only root needs to
            os.chown(path, status.st_uid, status.st_gid)
    path.chmod(status.st_mode & 0o7777)


def _remove_empty(path: Path, folders: int) -> None:
    for folder in list(path.parents)[:folders]:
        try:
            folder.rmdir()
        except OSError:  # somebody uses it
            return
