"""Laconic as a new user has it: installed from a wheel, or as a clone, outside of this checkout.

Nothing is fetched: both find the dependencies in the environment that runs the tests. scripts/wheel installs
the wheel with its dependencies for real.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sysconfig.get_path("purelib")


@dataclass(frozen=True)
class Installation:
    """A `laconic` on the PATH of a person with a home folder; for a clone, the checkout behind it."""

    home: Path
    checkout: Path | None = None

    @property
    def environ(self) -> dict[str, str]:
        """The person's environment; of ours only what every program needs."""
        return person(self.home)

    def run(self, *words: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder and return what it printed, on both streams together."""
        return subprocess.run(
            words,
            cwd=folder,
            env=self.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=150,
            check=False,
        )


def person(home: Path) -> dict[str, str]:
    """The environment of a person whose programs are in ~/.local/bin."""
    ours = ("LACONIC_", "XDG_", "PYTHON", "PIP_", "VIRTUAL_ENV", "GIT_", "CI")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    paths = [str(home / ".local" / "bin"), os.environ["PATH"]]
    # unbuffered: both streams arrive in the order a terminal would show
    return kept | {
        "HOME": str(home),
        "PATH": os.pathsep.join(paths),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",
    }


def wheel(folder: Path, source: Path = ROOT) -> Path:
    """Build the wheel of the present tree, or of a copy of it."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = folder.glob("laconic-*.whl")
    return built


def from_wheel(home: Path, built: Path) -> Installation:
    """Install a wheel as `pipx install` does: an environment, and a link in ~/.local/bin."""
    environment = home / "tools" / "laconic"
    _environment(environment)
    uv, python = Path(sys.executable).with_name("uv"), environment / "bin" / "python"
    command = [
        str(uv),
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-deps",
        f"--python={python}",
        str(built),
    ]
    subprocess.run(command, check=True, capture_output=True)
    _link(home, environment / "bin" / "laconic")
    return Installation(home)


def from_clone(home: Path) -> Installation:
    """Clone the present tree, with its environment ready, and link its launcher into ~/.local/bin."""
    checkout = clone(home / "laconic")
    ready(checkout)
    _link(home, checkout / "laconic")
    return Installation(home, checkout)


def clone(folder: Path) -> Path:
    """Copy what is tracked, as it is now, into a repository of its own."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "As it is"]):
        subprocess.run(["git", *words], cwd=folder, check=True, env=person(folder))
    return folder


def ready(checkout: Path) -> None:
    """Do what the launcher does on first use, without an index: the dependencies are those of the tests."""
    _environment(checkout / ".venv", checkout / "src")
    sums = ["cksum", "pyproject.toml", "requirements.lock"]
    stamp = subprocess.run(sums, cwd=checkout, check=True, capture_output=True, text=True).stdout
    (checkout / ".venv" / "installed").write_text(f"{checkout}\n{stamp}", encoding="utf-8")


def _environment(folder: Path, *paths: Path) -> None:
    venv.create(folder, symlinks=True, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    # a path in a .pth file does not bring the .pth files in it along, so not our own editable installation
    lines = [*map(str, paths), PACKAGES]
    (packages / "dependencies.pth").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _link(home: Path, target: Path) -> None:
    folder = home / ".local" / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "laconic").symlink_to(target)


def state_of(checkout: Path) -> Mapping[str, str]:
    """What git sees in a checkout beyond its commit."""
    command = ["git", "status", "--porcelain", "--ignored"]
    seen = subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True).stdout
    lines = (line.split(maxsplit=1) for line in seen.splitlines())
    made = (".venv/", ".cache/", "__pycache__")  # by the first use, and by Python
    return {name: mark for mark, name in lines if not any(part in name for part in made)}
