"""A command that starts warm is the command that a person starts, but for the time it takes."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import warm

# in the place of ours: tells all a program can know of its process
PROGRAM = """
import atexit, json, os, sys, warnings
streams = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
told = {
    "words": sys.argv,
    "folder": os.getcwd(),
    "variables": dict(os.environ),
    "paths": sys.path,
    "ours": [name for name in sys.modules if name.startswith("laconic")],
    "flags": repr(sys.flags),
    "streams": {
        name: [one.encoding, one.errors, one.fileno(), one.line_buffering, one.write_through, one.isatty()]
        for name, one in streams.items()
    },
    "given": sys.stdin.read(),
    "warnings": warnings.filters[0][0],
}
atexit.register(lambda: print("at the end"))
print(json.dumps(told))
print("said aside", file=sys.stderr)
exec(sys.argv[1])
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    package = tmp_path / "paths" / "laconic"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    return kept | {"PYTHONPATH": str(package.parent), "OWN": "ä", "PYTHONWARNINGS": "error"}


def cold(words: list[str], cwd: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [*warm.PROGRAM, *words]
    return subprocess.run(command, cwd=cwd, env=env, input="ä", capture_output=True, text=True, check=False)


def told(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[0])
    return found


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "last", ["pass", "sys.exit(3)", "sys.exit('No.')", "os._exit(4)", "os.kill(os.getpid(), 9)"]
)
def test_a_warm_command_is_told_what_a_cold_one_is_and_ends_like_it(
    tmp_path: Path, env: dict[str, str], last: str, unbuffered: str
) -> None:
    env["PYTHONUNBUFFERED"] = unbuffered
    expected = cold([last, "--two"], tmp_path, env)

    done = warm.run([last, "--two"], cwd=tmp_path, env=env, stdin="ä", timeout=30)

    assert warm.is_possible(env)
    assert (done.returncode, done.stderr) == (expected.returncode, expected.stderr)
    assert done.stdout.splitlines()[1:] == expected.stdout.splitlines()[1:]
    if expected.stdout:
        assert told(done) == told(expected)


def test_an_error_shows_its_last_line(tmp_path: Path, env: dict[str, str]) -> None:
    done = warm.run(["1/0"], cwd=tmp_path, env=env, timeout=30)

    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "ZeroDivisionError: division by zero")


def test_what_an_interpreter_reads_as_it_starts_is_obeyed(tmp_path: Path, env: dict[str, str]) -> None:
    env["PYTHONIOENCODING"] = "latin-1"

    assert not warm.is_possible(env)
    assert told(warm.run(["pass"], cwd=tmp_path, env=env, timeout=30))["streams"]["stdout"][0] == "iso8859-1"


def test_a_path_that_customises_the_start_of_an_interpreter_does_so(
    tmp_path: Path, env: dict[str, str]
) -> None:
    (tmp_path / "paths" / "sitecustomize.py").write_text("print('customised')", encoding="utf-8")

    assert warm.run(["pass"], cwd=tmp_path, env=env, timeout=30).stdout.startswith("customised")


def test_a_command_that_does_not_end_is_killed_and_the_next_one_starts(
    tmp_path: Path, env: dict[str, str]
) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run(["import time; time.sleep(60)"], cwd=tmp_path, env=env, timeout=0.2)

    assert warm.run(["pass"], cwd=tmp_path, env=env, timeout=30).returncode == 0
