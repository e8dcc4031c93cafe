"""Inside Laconic's own checkout, commands that set something up ask first."""

import subprocess
from pathlib import Path

import pytest

from tests.process.speaking import run
from tests.process.terminal import on_terminal

REFUSAL = (
    "laconic: This is Laconic's own checkout, not your project. "
    "Run the same command in your project (cd your-project), or add --yes.\n"
)
QUESTION = "This is Laconic's own checkout, not your project. Write here anyway? [y/N]: "
SET_UP = [
    ["install", "claude-code"],
    ["install", "claude-code", "--scope", "local"],
    ["install", "claude-desktop"],
    ["install", "codex", "--scope", "user", "--pin"],
    ["issues", "init"],
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "laconic"
    (folder / "src" / "laconic").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[project]\nname = 'laconic'\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (tmp_path / "home").mkdir()
    return folder


def files(checkout: Path) -> dict[str, bytes]:
    """Every file that a command may have changed: in the checkout, its .git and the home folder."""
    root = checkout.parent
    found = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    own = ("home/state/", "home/cache/")
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(own)}


@pytest.mark.parametrize("words", SET_UP)
def test_without_a_terminal_nothing_is_set_up(checkout: Path, words: list[str]) -> None:
    before = files(checkout)
    for folder in (checkout, checkout / "src"):
        done = run(*words, "--workspace", str(folder), folder=checkout)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", REFUSAL)
    assert files(checkout) == before


@pytest.mark.parametrize("words", SET_UP)
def test_yes_and_dry_run_do_not_ask(checkout: Path, words: list[str]) -> None:
    before = files(checkout)
    assert run(*words, "--dry-run", folder=checkout).returncode == 0
    assert files(checkout) == before
    assert run(*words, "--yes", folder=checkout).returncode == 0
    assert files(checkout) != before
    undone = run(*words, "--undo", folder=checkout)
    assert (undone.returncode, undone.stderr) == (0, "")


@pytest.mark.parametrize("words", [["install", "claude-code"], ["issues", "init"]])
@pytest.mark.parametrize(("keys", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1), ("\x04", 1)])
def test_on_a_terminal_the_answer_decides(checkout: Path, words: list[str], keys: str, status: int) -> None:
    shown = on_terminal(*words, folder=checkout, width=200, keys=keys)

    assert shown.status == status, shown.text
    assert QUESTION in shown.text
    assert (checkout / ".mcp.json").exists() == (status == 0 and words[0] == "install")
    assert (checkout / ".wrangler").exists() == (status == 0 and words[0] == "issues")


@pytest.mark.parametrize("words", [["install", "cursor", "--scope", "user"], ["install", "codex"]])
def test_what_is_for_all_projects_does_not_ask(checkout: Path, words: list[str]) -> None:
    assert run(*words, folder=checkout).returncode == 0


def test_another_project_is_not_asked_about(workspace: Path) -> None:
    for words in SET_UP:
        assert run(*words, folder=workspace).returncode == 0
