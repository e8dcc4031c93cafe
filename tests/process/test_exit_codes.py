"""The exit status of every command: 0 success, 1 failure, 2 wrong usage or configuration."""

import subprocess
from pathlib import Path

import pytest

from tests.process.speaking import run

STATUS = {
    0: [
        "--help",
        "--version",
        "serve --help",
        "tools",
        "call memo_list",
        "doctor",
        "install cursor --dry-run",
        "issues list",
        "issues ready",
        "issues board",
        "issues doctor",
        "issues init --dry-run",
        "issues new Plan --body Text",
        "secret rotate",
    ],
    1: [
        "call memo_get name=none",
        "install cursor --undo",
        "issues show 99",
        "issues edit 99 --status open",
        "issues claim 99",
        "issues done 99",
        "issues new Plan --body Text --blocked-by 99",
        "doctor -s example --workspace none",
    ],
    2: [
        "",
        "nonsense",
        "serve --nonsense",
        "serve nonsense",
        "serve --http nonsense",
        "serve --wire nonsense",
        "tools nonsense",
        "tools --output nonsense",
        "call",
        "call nonsense",
        "call memo_list nonsense",
        "call memo_list --json nonsense",
        "demo --svg none/day.svg",
        "install",
        "install nonsense",
        "install cursor --scope nonsense",
        "install cursor nonsense",
        "install cursor --env nonsense",
        "issues",
        "issues list --status nonsense",
        "issues list --limit 0",
        "issues list --workspace none",
        "issues new",
        "issues new Plan --file none.md",
        "issues new Plan --type nonsense --body Text",
        "secret",
        "secret nonsense",
    ],
}


@pytest.fixture
def repository(workspace: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    return workspace


@pytest.mark.parametrize(
    ("status", "words"), [(status, words) for status, all_words in STATUS.items() for words in all_words]
)
def test_every_command_exits_with_the_documented_status(repository: Path, status: int, words: str) -> None:
    done = run(*words.split(), folder=repository)

    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    if status and words.split()[:1] != ["doctor"]:  # its answer is the list of what is wrong
        assert (done.stdout, bool(done.stderr)) == ("", True)
