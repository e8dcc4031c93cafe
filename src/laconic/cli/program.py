"""This program: the command that starts it, whether that command will last, and Laconic's own checkout."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from laconic.kit.errors import Refused

__all__ = ["check_lasting", "is_own_checkout", "is_temporary", "own_command"]

_CACHE_MARK: Final = "CACHEDIR.TAG"  # uv and pipx put it into their caches, and uv into each environment too
_ENVIRONMENT_MARK: Final = "pyvenv.cfg"
_BUILD: Final = "pip-build-env-"  # pip deletes it after one build
_BIN_VARIABLES: Final = ("UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "XDG_BIN_HOME")


def own_command(
    *,
    roots: Sequence[Path] | None = None,
    platform: str = sys.platform,
    python: str = sys.executable,
    environ: Mapping[str, str] = os.environ,
) -> list[str]:
    """Return the command that starts us: the launcher of our checkout, the console script, or this Python."""
    if platform != "win32":  # there a host cannot start a script without its interpreter
        for root in roots if roots is not None else _roots():
            launcher = root / "laconic"
            if (root / "pyproject.toml").is_file() and launcher.is_file() and os.access(launcher, os.X_OK):
                return [str(launcher.absolute())]
    path = environ.get("PATH", "")
    if script := shutil.which("laconic", path=str(Path(python).parent)) or shutil.which("laconic", path=path):
        return [str(_link_to(Path(script), environ) or Path(script).absolute())]
    return [python, "-P", "-m", "laconic"]  # -P: never import from the current folder of the host


def is_temporary(path: Path) -> bool:
    """True if the path is in an environment that may vanish: in a cache of uv or pipx, or a build of pip."""
    for one in (path.absolute(), path.resolve()):  # the Python of an environment is a link out of it
        if any(part.startswith(_BUILD) for part in one.parts):
            return True
        for folder in one.parents:
            if (folder / _ENVIRONMENT_MARK).is_file():
                return any((above / _CACHE_MARK).is_file() for above in folder.parents)
    return False


def check_lasting(path: Path) -> None:
    """Check that a program can be written into a configuration.

    Raises:
        Refused: the program is in an environment that may vanish.
    """
    if is_temporary(path):
        source = _source()
        raise Refused(
            "This laconic runs from a cache, which may be cleaned at any time.",
            advice=f"Run: uv tool install {source} (or pipx install {source}), then this command again.",
        )


def is_own_checkout(folder: Path) -> bool:
    """True if the folder is in a checkout of Laconic, and not in a repository inside that."""
    for one in (folder.resolve(), *folder.resolve().parents):
        if (one / "src" / "laconic").is_dir() and _project(one / "pyproject.toml") == "laconic":
            return True
        if (one / ".git").exists():
            return False
    return False


def _roots() -> list[Path]:
    """Return where our checkout may be: above src, or above the environment that the launcher created."""
    return [Path(__file__).resolve().parents[3], Path(sys.prefix).parent]


def _link_to(script: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the link through which uv or pipx put a script on the PATH: it outlives a new environment."""
    named = [environ[name] for name in _BIN_VARIABLES if environ.get(name)]
    folders = [*named, str(Path.home() / ".local" / "bin"), *environ.get("PATH", "").split(os.pathsep)]
    for folder in folders:
        link = Path(folder, script.name)
        if link.is_absolute() and link.is_symlink() and link.resolve() == script.resolve():
            return link
    return None


def _project(file: Path) -> object:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")).get("project", {}).get("name")
    except (OSError, ValueError, AttributeError):  # not there, not TOML, or not a table
        return None


def _source() -> str:
    """Return what an installer needs to install us again: our name, or where we came from."""
    try:
        origin = json.loads(distribution("laconic").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    address = str(origin.get("url", "laconic"))
    if "vcs_info" in origin:
        address = f"git+{address}"
    elif address.startswith("file:"):
        address = unquote(urlsplit(address).path)
    return shlex.quote(address)
