"""Create .venv and install the pinned dependencies and the project into it.

Uses only the standard library because it runs before anything is installed. All output goes to stderr:
stdout belongs to the program that starts next.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed"
LOCK = ROOT / ".cache" / "install.lock"

# The pip of the running Python can install into another environment. Installing pip itself takes seconds, so
# only a Python without pip does that. (Debian has both kinds: pip without ensurepip, and the reverse.)
OUTER_PIP = find_spec("pip") is not None

# Variables set for other purposes that would install our packages elsewhere, or leave some out.
FOREIGN = {"PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}


def main() -> int:
    pins = ["requirements.lock"] + ["requirements-dev.lock"] * ("--dev" in sys.argv[1:])
    try:
        with _alone():
            _ensure(pins)
    except subprocess.CalledProcessError as error:
        _say(f"installation failed (status {error.returncode}, reason above); the next start tries again")
        return 1
    except OSError as error:
        _say(f"cannot install: {error}")
        return 1
    except KeyboardInterrupt:
        _say("installation was interrupted; the next start begins again")
        return 130
    return 0


@contextmanager
def _alone() -> Iterator[None]:
    """Allow one installation at a time; the kernel releases the lock with the last process that holds it."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w", encoding="utf-8") as file:
        os.set_inheritable(file.fileno(), True)  # a pip that outlives this process keeps the lock
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("another process is installing, waiting for it…")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _ensure(pins: list[str]) -> None:
    want, have = _fingerprint(pins), STAMP.read_text(encoding="utf-8") if STAMP.exists() else ""
    if os.access(PYTHON, os.X_OK) and have.startswith(want):  # one more line: the development dependencies
        return
    if os.access(PYTHON, os.X_OK) and have.startswith(f"{ROOT}\n"):
        _say("the pins changed, updating .venv…")
        STAMP.unlink()  # after a crash from here on, the next start installs again
    else:
        _say("first start, installing into .venv (about a minute)…")
        _make_venv()
    _install(pins)
    fresh = STAMP.with_suffix(".new")
    fresh.write_text(want, encoding="utf-8")
    fresh.replace(STAMP)


def _fingerprint(pins: list[str]) -> str:
    """Return what ./laconic compares: the folder (environments cannot move) and checksums of the inputs."""
    command = ["cksum", "pyproject.toml", *pins]
    sums = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return f"{ROOT}\n{sums}"


def _make_venv() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    _run(sys.executable, "-m", "venv", *(["--without-pip"] if OUTER_PIP else []), VENV)


def _install(pins: list[str]) -> None:
    _pip("install", *(f"--requirement={ROOT / name}" for name in pins))
    _pip("install", "--no-deps", f"--editable={ROOT}")
    # For users who forbid Python to write bytecode: without this, each start would compile our source.
    # With -c, because -m fails if a file has a syntax error, and that must not fail the installation.
    _run(PYTHON, "-c", "import compileall; compileall.compile_dir('src', quiet=2)")


def _pip(*arguments: str) -> None:
    pip = (sys.executable, "-m", "pip", "--python", str(PYTHON)) if OUTER_PIP else (str(PYTHON), "-m", "pip")
    _run(*pip, "-qq", "--disable-pip-version-check", "--no-input", *arguments)


def _run(*command: str | Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    environment["PIP_USER"] = "0"
    subprocess.run(command, check=True, cwd=ROOT, stdout=sys.stderr, env=environment, close_fds=False)


def _say(words: str) -> None:
    print(f"laconic: {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
