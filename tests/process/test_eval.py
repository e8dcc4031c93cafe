"""`laconic eval` as a person types it."""

import json
from pathlib import Path

from tests.process.speaking import run


def test_the_suites_are_listed(tmp_path: Path) -> None:
    done = run("eval", folder=tmp_path)

    assert done.returncode == 0
    assert "issues\t5 cases\t" in done.stdout and "prompts-edit\t6 cases\t" in done.stdout


def test_a_run_is_shown_and_kept_and_two_are_compared(tmp_path: Path) -> None:
    right = run("eval", "issues", "--samples", "1", folder=tmp_path)
    wrong = run("eval", "issues", "--samples", "1", "--model", "scripted/wrong", "--json", folder=tmp_path)
    kept = sorted((tmp_path / "eval-results").iterdir())
    both = run("eval", "--compare", *map(str, kept), folder=tmp_path)

    assert right.returncode == 0, right.stderr
    assert "issues with scripted/right: passed, 1 of 1 samples" in right.stdout
    assert wrong.returncode == 1
    assert [path.suffix for path in kept] == [".json", ".json"]
    assert json.loads(wrong.stdout) == json.loads(kept[1].read_text(encoding="utf-8"))
    assert both.stdout.count("worse") == 5


def test_wrong_usage_is_one_line(tmp_path: Path) -> None:
    for words in (
        ["eval", "isues"],
        ["eval", "issues", "--model", "anthropic/x"],
        ["eval", "--compare", "a"],
    ):
        done = run(*words, folder=tmp_path)

        assert done.returncode == 2
        assert done.stderr.startswith("laconic: ") and done.stderr.count("\n") == 1, done.stderr


def test_an_interrupted_run_is_continued(tmp_path: Path) -> None:
    run("eval", "issues", "--samples", "1", folder=tmp_path)
    (kept,) = (tmp_path / "eval-results").iterdir()
    data = json.loads(kept.read_text(encoding="utf-8"))
    head = {"suite": data["suite"]["digest"], "model": data["model"]}
    marked = [record | {"answer": "from before"} for record in data["records"][:4]]
    digest = data["suite"]["digest"]
    partial = tmp_path / "eval-results" / f"issues-scripted-right-{digest}.partial.jsonl"
    partial.write_text("".join(f"{json.dumps(line)}\n" for line in [head, *marked]), encoding="utf-8")

    again = json.loads(run("eval", "issues", "--samples", "1", "--json", folder=tmp_path).stdout)

    assert [record["answer"] == "from before" for record in again["records"]] == [True] * 4 + [False]
    assert not partial.exists()
