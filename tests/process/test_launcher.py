"""The launcher installs once, also for concurrent starts, and leaves stdin and stdout alone.

Each test runs the real ./laconic in its own small checkout, whose package needs nothing from an index.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = ("laconic", "scripts/python", "scripts/install.py")

# Builds an editable wheel with the standard library alone, so that pip has nothing to fetch.
BACKEND = """
import zipfile
from pathlib import Path

def build_editable(folder, config_settings=None, metadata_directory=None):
    info = "laconic-0.dist-info"
    with zipfile.ZipFile(Path(folder, "laconic-0-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("laconic.pth", str(Path("src").resolve()))
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: laconic\\nVersion: 0\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return "laconic-0-py3-none-any.whl"
"""

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "laconic"
version = "0"
"""

# Prints its arguments and its current folder.
MAIN = """
import json, os, sys
seen = {"arguments": sys.argv[1:], "stdin": sys.stdin.read(), "folder": os.getcwd(), "file": __file__}
print(json.dumps(seen))
"""


def make_checkout(folder: Path) -> Path:
    package = folder / "src" / "laconic"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(MAIN, encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (folder / "requirements.lock").touch()
    (folder / "scripts").mkdir()
    for name in LAUNCHER:
        shutil.copy2(ROOT / name, folder / name)
    return folder


def start(
    program: Path, *arguments: str, folder: Path | None = None, **environment: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(program), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | environment,
        start_new_session=True,  # a test may kill it with all it started
    )


def run(
    program: Path, *arguments: str, stdin: str = "", folder: Path | None = None, **environment: str
) -> tuple[dict[str, object], str]:
    """What the started program saw, from a stdout that holds nothing else, and its stderr."""
    process = start(program, *arguments, folder=folder, **environment)
    out, err = process.communicate(stdin, timeout=55)

    assert process.returncode == 0, err
    return json.loads(out), err


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which the first start has been; tests here leave it complete."""
    checkout = make_checkout(tmp_path_factory.mktemp("checkout"))
    run(checkout / "laconic")
    return checkout


def test_two_first_starts_install_once_and_both_run(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path)

    both = [start(checkout / "laconic", word) for word in ("one", "two")]
    said = [process.communicate("typed ahead", timeout=55) for process in both]

    saw = [json.loads(out) for out, _ in said]  # nothing but the output of the program
    assert [(seen["arguments"], seen["stdin"]) for seen in saw] == [
        (["one"], "typed ahead"),
        (["two"], "typed ahead"),
    ]
    assert sorted(err for _, err in said) == [
        "laconic: another process is installing, waiting for it…\n",
        "laconic: first start, installing into .venv (about a minute)…\n",
    ]


def test_an_installation_that_was_killed_is_repeated(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path)
    victim = start(checkout / "laconic")
    wait_for(checkout / ".venv" / "bin" / "python")
    os.killpg(victim.pid, signal.SIGKILL)
    victim.communicate(timeout=5)
    leftover = checkout / ".venv" / "leftover"
    leftover.touch()

    _, err = run(checkout / "laconic")

    assert err.startswith("laconic: first start, installing")
    assert not leftover.exists()


def wait_for(path: Path) -> None:
    until = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < until, f"{path.name} did not appear"
        time.sleep(0.01)


def test_a_warm_start_installs_nothing_and_prints_nothing(installed: Path) -> None:
    before = (installed / ".venv" / "installed").stat()

    seen, err = run(installed / "laconic", "serve", "--read-only", stdin="hello")

    assert (seen["arguments"], seen["stdin"], err) == (["serve", "--read-only"], "hello", "")
    after = (installed / ".venv" / "installed").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_it_starts_from_any_folder_through_symlinks_and_takes_no_module_from_there(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "laconic.py").write_text("raise SystemExit('the wrong one')", encoding="utf-8")
    (tmp_path / "first").symlink_to(os.path.relpath(installed / "laconic", tmp_path))
    (tmp_path / "second").symlink_to("first")

    seen, err = run(tmp_path / "second", folder=tmp_path)

    assert (seen["folder"], err) == (str(tmp_path), "")
    assert seen["file"] == str(installed / "src/laconic/__main__.py")


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_changed_pins_are_installed_at_the_next_start(installed: Path, name: str) -> None:
    with (installed / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")

    # with the environment active, as a developer would have it
    path = f"{installed / '.venv' / 'bin'}:{os.environ['PATH']}"
    first, second = (run(installed / "laconic", PATH=path)[1] for _ in range(2))

    assert first == "laconic: the pins changed, updating .venv…\n"
    assert second == ""


def test_a_failed_installation_is_reported_and_is_tried_again(installed: Path) -> None:
    pins = installed / "requirements.lock"
    good = pins.read_text(encoding="utf-8")
    pins.write_text("./no-such-wheel.whl\n", encoding="utf-8")

    process = start(installed / "laconic")
    out, err = process.communicate(timeout=55)
    pins.write_text(good, encoding="utf-8")

    assert (process.returncode, out) == (1, "")
    assert "no-such-wheel" in err
    assert err.endswith("reason above); the next start tries again\n")
    assert run(installed / "laconic")[1].startswith("laconic: first start, installing")


def test_a_copied_checkout_makes_its_own_environment(installed: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(installed, copy, symlinks=True)

    seen, err = run(copy / "laconic")

    assert err.startswith("laconic: first start, installing")
    assert seen["file"] == str(copy / "src/laconic/__main__.py")


def test_without_a_python_new_enough_it_reports_what_is_missing(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path / "checkout")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "cksum", "head", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or pytest.fail(f"{name} is missing"))
    (tools / "python3").write_text("#!/bin/sh\nexit 1 # as an old Python answers the version check\n")
    (tools / "python3").chmod(0o755)

    process = start(checkout / "laconic", PATH=str(tools))
    out, err = process.communicate(timeout=10)

    assert (process.returncode, out) == (1, "")
    assert err.startswith("laconic: no Python 3.11 or newer with pip on the PATH")
