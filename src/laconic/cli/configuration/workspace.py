"""The workspace, and the folders outside it for state and caches."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from laconic.data import dataclass
from laconic.text import folder_name

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions

__all__ = ["Places", "find_workspace", "user_folder"]

_STORE: Final = re.compile(r"[a-z][a-z0-9+.-]+:")  # at least two letters: `C:` is a drive
_DEFAULTS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "state": {
        "linux": ("XDG_STATE_HOME", ".local", "state"),
        "darwin": ("", "Library", "Application Support"),
        "win32": ("LOCALAPPDATA", "AppData", "Local"),
    },
    "cache": {
        "linux": ("XDG_CACHE_HOME", ".cache"),
        "darwin": ("", "Library", "Caches"),
        "win32": ("LOCALAPPDATA", "AppData", "Local"),
    },
    "data": {
        "linux": ("XDG_DATA_HOME", ".local", "share"),
        "darwin": ("", "Library", "Application Support"),
        "win32": ("APPDATA", "AppData", "Roaming"),
    },
    "config": {
        "linux": ("XDG_CONFIG_HOME", ".config"),
        "darwin": ("", "Library", "Application Support"),
        "win32": ("APPDATA", "AppData", "Roaming"),
    },
}


def find_workspace(given: Path | None = None) -> Path:
    """Return the given folder, else the repository around the current folder, else the current folder."""
    if given is not None:
        return given.resolve()
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    return here


def user_folder(
    kind: Literal["state", "cache", "data", "config"],
    *,
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    home: Path | None = None,
) -> Path:
    """Return the folder where this user's programs keep state, caches, data or configuration."""
    defaults = _DEFAULTS[kind]
    variable, *parts = defaults.get(platform, defaults["linux"])
    named = environ.get(variable, "") if variable else ""
    folder = Path(named) if named and Path(named).is_absolute() else (home or Path.home()).joinpath(*parts)
    below = ("laconic", "cache") if platform == "win32" and kind == "cache" else ("laconic",)
    return folder.joinpath(*below)


@dataclass(frozen=True)
class Places:
    """The folders and stores of one workspace."""

    workspace: Path
    state: Path  # of this workspace only
    cache: Path
    data: Path  # per user: credentials, and what all workspaces share
    installs: Path  # what `install` needs for undo; per user, because hosts are
    store: str  # the address of the key-value store
    kept: str  # the address of the store for long and cached answers, which must not evict anything else

    @classmethod
    def of(cls, options: ServerOptions) -> Places:
        """Return the places for these options; nothing is created yet."""
        workspace = options.workspace or find_workspace()
        named = _practice(options.sandbox) or options.state or ""
        is_store = bool(_STORE.match(named))
        root = Path(named).expanduser().absolute() if named and not is_store else user_folder("state")
        state = root / folder_name(workspace)
        return cls(
            workspace=workspace,
            state=state,
            cache=options.cache.absolute() if options.cache else user_folder("cache"),
            data=options.sandbox / "data" if isinstance(options.sandbox, Path) else user_folder("data"),
            installs=root,
            store=named if is_store else str(state / "state.db"),
            kept=_beside(named) if is_store else str(state / "kept.db"),
        )

    @property
    def journal(self) -> Path:
        """The folder of the journal, which all work trees of a repository share."""
        from laconic.stores.locks import git_common_dir  # here: a server that only lists its tools has no use

        common = git_common_dir(self.workspace)
        shared = common.parent if common is not None and common.name == ".git" else common
        return self.installs / folder_name(shared or self.workspace) / "journal"

    @property
    def is_lasting(self) -> bool:
        """True if state outlives this process."""
        return not self.store.startswith("memory:")


def _beside(store: str) -> str:
    """Return a second address for a store that evicts; redis has its own policy."""
    return f"{store}-kept" if store.startswith("sqlite:") else store


def _practice(sandbox: bool | Path) -> str:
    """Return where practice data has its state, which has nothing in common with the real one."""
    if isinstance(sandbox, Path):
        return str(sandbox / "state")
    return "memory:" if sandbox else ""
