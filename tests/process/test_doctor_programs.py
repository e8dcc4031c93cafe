"""`laconic doctor` finds configurations of hosts and git that start a laconic which does not exist."""

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laconic.cli.install.hosts import HOSTS
from tests.process.speaking import SOURCES, run

SCOPES = [(host.name, scope) for host in HOSTS.values() for scope in host.scopes]
Wrong = Callable[[], list[str]]


@pytest.fixture
def home(workspace: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    folder = workspace.parent / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def wrong(workspace: Path, home: Path) -> Wrong:
    """The lines of the doctor about what is wrong; its status and output fit them."""

    def look() -> list[str]:
        done = run("doctor", folder=workspace)
        found = [line for line in done.stdout.splitlines() if line.startswith("WRONG ")]
        assert (done.returncode, done.stderr) == (1 if found else 0, "")
        return found

    return look


def claude(workspace: Path, name: str = "laconic", **entry: Any) -> Path:
    path = workspace / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": {name: entry}}), encoding="utf-8")
    return path


def test_nothing_is_reported_where_no_host_is_configured(workspace: Path, home: Path) -> None:
    said = run("doctor", folder=workspace).stdout

    assert not any(name in said for name in (*HOSTS, "merge driver"))


@pytest.mark.parametrize(("host", "scope"), SCOPES)
def test_what_install_wrote_is_found_and_its_end_too(
    workspace: Path, home: Path, wrong: Wrong, host: str, scope: str
) -> None:
    done = run("install", host, "example", "--scope", scope, folder=workspace)
    path = Path(done.stdout.splitlines()[0].partition(" to ")[2])
    assert f"ok    {host}: {path}" in run("doctor", folder=workspace).stdout.splitlines()

    gone = workspace.parent / "gone" / "laconic"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(str(SOURCES.parent / "laconic"), str(gone)), encoding="utf-8")
    (line,) = wrong()
    problem, _, fix = line.partition(" Run: ")
    assert problem == f"WRONG {host}: {path} starts {gone}, which does not exist."
    assert fix == f"laconic install {host} example --scope {scope}"

    assert run(*fix.split()[1:], folder=workspace).returncode == 0
    assert (wrong(), path.read_text(encoding="utf-8")) == ([], text)


@pytest.mark.parametrize(
    ("entry", "flaw"),
    [
        ({"command": "laconic-of-nobody"}, "is not on the PATH"),
        ({"command": "./.mcp.json", "args": ["serve"]}, "is not executable"),
        ({"command": "/etc", "args": ["serve"]}, "is not executable"),
        ({"command": "./missing"}, "does not exist"),
        ({"command": "/none/python", "args": ["-P", "-m", "laconic", "serve"]}, "does not exist"),
    ],
)
def test_a_command_that_cannot_be_started_is_reported_with_the_reason(
    workspace: Path, wrong: Wrong, entry: dict[str, Any], flaw: str
) -> None:
    path = claude(workspace, **entry)

    assert wrong() == [
        f"WRONG claude-code: {path} starts {entry['command']}, which {flaw}. "
        "Run: laconic install claude-code --scope project"
    ]


def test_a_command_in_a_cache_is_reported(workspace: Path, wrong: Wrong, tmp_path: Path) -> None:
    environment = tmp_path / "cache" / "archive" / "x"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    (tmp_path / "cache" / "CACHEDIR.TAG").touch()
    command = environment / "bin" / "laconic"
    command.touch(0o755)
    path = claude(workspace, command=str(command), args=["serve"])

    (line,) = wrong()
    assert line.startswith(f"WRONG claude-code: {path} starts {command}, which is in a cache that may be")


@pytest.mark.parametrize(
    ("name", "entry", "options"),
    [
        ("tracker", {"command": "/none/laconic", "args": ["serve"]}, "--scope project --name tracker"),
        (
            "laconic",
            {"command": "/none/x", "args": ["serve", "issues", "example", "--read-only"]},
            "issues example --scope project",
        ),
        (
            "laconic",
            {"command": "/none/x", "args": ["serve", "--workspace", "/other"], "env": {"TOKEN": "hush"}},
            "--scope project --pin --workspace /other --env TOKEN=…",
        ),
    ],
)
def test_the_remedy_repeats_the_choices_of_the_entry_and_no_secret(
    workspace: Path, wrong: Wrong, name: str, entry: dict[str, Any], options: str
) -> None:
    claude(workspace, name, **entry)

    (line,) = wrong()
    fix = line.partition(" Run: laconic install claude-code ")[2]
    assert fix == options
    assert "hush" not in line


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "http", "url": "http://127.0.0.1:1/mcp"},
        {"command": "${TOOLS}/laconic"},
        {"command": 5},
        {"command": "sh", "args": "not a list"},
    ],
)
def test_what_cannot_be_checked_is_not_reported(workspace: Path, wrong: Wrong, entry: dict[str, Any]) -> None:
    claude(workspace, **entry)

    assert wrong() == []


def test_servers_of_others_are_not_looked_at(workspace: Path, wrong: Wrong) -> None:
    claude(workspace, "other", command="/none/other", args=["serve"])

    assert wrong() == []


def test_a_file_that_cannot_be_read_is_one_line_and_the_rest_is_still_checked(
    workspace: Path, home: Path, wrong: Wrong
) -> None:
    (home / ".claude.json").write_text("{", encoding="utf-8")  # of two scopes
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text("a = \n", encoding="utf-8")
    (workspace / ".vscode").mkdir()
    (workspace / ".vscode" / "mcp.json").write_bytes(b"\xff")
    (workspace / ".cursor" / "mcp.json").mkdir(parents=True)

    assert [line.split(": ")[0] for line in wrong()] == [
        "WRONG claude-code",
        "WRONG codex",
        "WRONG cursor",
        "WRONG vscode",
    ]
    assert f"{home}/.claude.json cannot be read: Line 1, column 2" in wrong()[0]


def test_a_merge_driver_that_is_gone_is_reported_and_init_registers_it_again(
    workspace: Path, wrong: Wrong
) -> None:
    assert run("issues", "init", folder=workspace).returncode == 0
    assert "ok    merge driver: git merges issues field by field" in run("doctor", folder=workspace).stdout

    git = ["git", "-C", str(workspace), "config", "merge.laconic-issues.driver"]
    driver = subprocess.run(git, check=True, capture_output=True, text=True).stdout.rstrip("\n")
    python = shlex.split(driver)[3]
    subprocess.run([*git, driver.replace(python, "/none/odd %% name")], check=True)
    (line,) = wrong()
    assert line == ("WRONG merge driver: git needs /none/odd, which does not exist. Run: laconic issues init")
    subprocess.run([*git, driver.replace(python, shlex.quote("/none/100%% odd;name"))], check=True)
    (line,) = wrong()
    assert line == (
        "WRONG merge driver: git needs /none/100% odd;name, which does not exist. Run: laconic issues init"
    )

    assert run("issues", "init", folder=workspace).returncode == 0
    assert wrong() == []


def test_a_merge_driver_of_somebody_else_is_not_looked_at(workspace: Path, wrong: Wrong) -> None:
    git = ["git", "-C", str(workspace), "config", "merge.laconic-issues.driver"]
    for driver in ("elsewhere %O %A %B", "broken 'quote"):
        subprocess.run([*git, driver], check=True)
        assert wrong() == []
