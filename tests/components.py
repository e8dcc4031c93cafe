"""Programs that some tests need and a machine may lack: how to find each, what to say when it is absent."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_FOLDER = ROOT / ".cache" / "node" / "node_modules" / ".bin"
POSTGRES_FOLDERS = Path("/usr/lib/postgresql")
OLDEST_NODE = 22


@dataclass(frozen=True)
class Component:
    """One such program: `find` gives its path, `remedy` says how to get it."""

    find: Callable[[], Path | None]
    remedy: str


def required() -> set[str]:
    """The components that must be there: LACONIC_REQUIRE turns their absence from a skip into a failure."""
    return {name.strip() for name in os.environ.get("LACONIC_REQUIRE", "").split(",") if name.strip()}


def _on_path(program: str) -> Path | None:
    found = shutil.which(program)
    return Path(found) if found else None


def _find_postgres() -> Path | None:
    # Debian keeps the server's programs off the PATH, one folder a version.
    installed = POSTGRES_FOLDERS.glob("*/bin/postgres")
    newest = max(installed, key=lambda path: float(path.parent.parent.name), default=None)
    return newest or _on_path("postgres")


def _find_node() -> Path | None:
    ours = NODE_FOLDER / "node"  # made by scripts/node
    for node in (ours if ours.exists() else None, _on_path("node")):
        if node and _major_version(node) >= OLDEST_NODE:
            return node
    return None


def _major_version(node: Path) -> int:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=10, check=True)
        return int(said.stdout.removeprefix("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0  # a node that does not start is none


def _find_own_mounts() -> Path | None:
    unshare = _on_path("unshare")
    if unshare is None:
        return None
    tried = [str(unshare), "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    failed = subprocess.run(tried, capture_output=True, check=False).returncode
    return None if failed else unshare


COMPONENTS = {
    "redis": Component(lambda: _on_path("redis-server"), "apt-get install redis-server"),
    "postgres": Component(_find_postgres, "apt-get install postgresql"),
    "node": Component(_find_node, "scripts/node"),
    "chromium": Component(lambda: _on_path("chromium"), "apt-get install chromium"),
    "own mounts": Component(_find_own_mounts, "a Linux that lets users mount in a namespace"),
}
