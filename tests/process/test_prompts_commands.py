"""`laconic prompts`: people find, read, write and fill in prompts in a terminal."""

import json
from pathlib import Path

import pytest

from tests.process.speaking import run

TEMPLATE = "Review this {{ language|default('Python') }} code:\r\n\n{{ code }}\n\n"


@pytest.fixture
def library(tmp_path: Path, workspace: Path) -> dict[str, str]:
    """The variables of a library with one prompt in two versions."""
    variables = {"LACONIC_DATABASE": str(tmp_path / "library.db")}
    (workspace / "review.txt").write_bytes(TEMPLATE.encode())
    made = run("prompts", "edit", "review", "--new", "-f", "review.txt", folder=workspace, **variables)
    assert made.stdout == "review is version 1.\n", made.stderr
    edited = run("prompts", "edit", "review", folder=workspace, EDITOR="sed -i s/Review/Read/", **variables)
    assert edited.stdout == "review is version 2.\n", edited.stderr
    return variables


def test_a_prompt_is_found_read_filled_in_and_its_history_shown(
    workspace: Path, library: dict[str, str]
) -> None:
    def prints(*words: str) -> str:
        done = run("prompts", *words, folder=workspace, **library)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert prints("list", "reading -poem") == "review\t2\t\t\n"
    assert prints("show", "review@1") == TEMPLATE
    assert json.loads(prints("show", "review", "--json"))["content"] == TEMPLATE.replace("Review", "Read")
    assert prints("render", "review", "code=x=1") == "Read this Python code:\n\nx=1\n\n"
    first, second = (line.split("\t") for line in prints("history", "review").splitlines())
    assert (first[0], first[2], first[4]) == ("2", "update", "content")
    assert (second[0], second[2], second[4]) == ("1", "create", "arguments,content,name")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "reviews"], "Prompt reviews not found. Did you mean review?"),
        (["show", "review@7"], "The newest is review@2."),
        (["render", "review"], "Missing required arguments: code."),
        (["render", "review", "kode=1"], "Unknown argument 'kode'."),
        (["edit", "poem"], "--new creates it."),
        (["edit", "No Name", "--new", "-f", "review.txt"], "Expected: lower-case words joined by hyphens"),
        (["edit", "review", "-f", "nobody.txt"], "cannot be read"),
        (["list", "--state", "gone"], "Known: active, archived, deleted, all."),
    ],
)
def test_what_is_wrong_is_told_on_stderr_and_nothing_is_saved(
    workspace: Path, library: dict[str, str], words: list[str], said: str
) -> None:
    done = run("prompts", *words, folder=workspace, **library)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_template_that_is_wrong_is_not_saved(workspace: Path, library: dict[str, str]) -> None:
    broken = run("prompts", "edit", "review", folder=workspace, EDITOR="sed -i s/code/kode|nope/", **library)
    assert broken.returncode == 1
    assert "There is no filter 'nope'." in broken.stderr
    assert run("prompts", "list", folder=workspace, **library).stdout == "review\t2\t\t\n"
