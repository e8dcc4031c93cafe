"""Where the tokenizer is not installed, every token count is an estimate and is marked `~`."""

import os
import re
from pathlib import Path

import pytest

from tests.process.speaking import SOURCES, run

# an unmarked count: a number before the unit, or at the end of a line of a table
UNMARKED = re.compile(r'(?<![~\d,])\d[\d,]* tokens|^[^"\n]* \d[\d,]*$', re.MULTILINE)


@pytest.fixture
def without_tokenizer(tmp_path: Path) -> dict[str, str]:
    """The environment of an installation that does not have rs_bpe."""
    folder = tmp_path / "hides"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['rs_bpe'] = None\n", encoding="utf-8")
    # the second variable makes a new interpreter start, which reads that file
    return {"PYTHONPATH": os.pathsep.join([str(SOURCES), str(folder)]), "PYTHONHASHSEED": "0"}


@pytest.mark.parametrize(
    "words", [["tools"], ["tools", "memo_list"], ["call", "memo_list", "--tokens"], ["doctor"], ["demo"]]
)
def test_every_estimate_is_marked(
    workspace: Path, without_tokenizer: dict[str, str], words: list[str]
) -> None:
    exact = run(*words, folder=workspace)
    estimated = run(*words, folder=workspace, **without_tokenizer)

    said = estimated.stdout + estimated.stderr
    assert estimated.returncode == 0
    assert UNMARKED.search(exact.stdout + exact.stderr) and not re.search(r"~\d", exact.stdout + exact.stderr)
    assert re.search(r"~\d[\d,]* tokens", said) and not UNMARKED.search(said), said


def test_a_note_tells_how_the_tokens_were_counted(workspace: Path, without_tokenizer: dict[str, str]) -> None:
    exact = run("tools", folder=workspace).stdout.splitlines()[-1]
    estimated = run("tools", folder=workspace, **without_tokenizer).stdout.splitlines()[-1]

    assert exact == "Counted with o200k; other tokenizers differ, so read the figures as ratios."
    assert estimated == "~ marks estimates; install laconic[tokens] to count exactly (o200k)."


def test_a_picture_marks_its_estimates(workspace: Path, without_tokenizer: dict[str, str]) -> None:
    run("demo", "--svg", "day.svg", "--json", folder=workspace, **without_tokenizer)
    drawn = (workspace / "day.svg").read_text(encoding="utf-8")

    assert len(re.findall(r">~[\d,]+</text>", drawn)) > 20
    assert not re.search(r">[\d,]+</text>", drawn)
