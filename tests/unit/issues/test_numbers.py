"""Numbers of new issues: other branches and clones count, as far as the repository knows them."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.issues.git.asking import ask_git
from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.writing import branches
from tests.unit.issues.clones import Clone, git


def on_branch(clone: Clone, name: str, *titles: str) -> None:
    """Commits issues on a branch, and forgets their numbers."""
    clone.git("checkout", "--quiet", "-b", name)
    for title in titles:
        clone.create(title)
    clone.commit()
    clone.git("checkout", "--quiet", "-")
    (clone.root / ".git/laconic/issue-numbers.json").unlink()


def test_numbers_on_another_branch_are_not_used_again(clone: Clone) -> None:
    on_branch(clone, "feature", "Second", "Third")

    assert clone.create("Next").id == "ISS-000004"


def test_numbers_on_packed_branches_count_too(clone: Clone) -> None:
    on_branch(clone, "deep/er/feature", "Second")
    clone.git("pack-refs", "--all")

    assert clone.create("Next").id == "ISS-000003"


def test_each_type_has_its_own_numbers_on_branches(clone: Clone) -> None:
    clone.git("checkout", "--quiet", "-b", "feature")
    clone.create("A plan", type="specification")
    clone.commit()
    clone.git("checkout", "--quiet", "-")
    (clone.root / ".git/laconic/issue-numbers.json").unlink()

    assert clone.create("Plan", type="specification").id == "SPEC-000002"
    assert clone.create("Issue").id == "ISS-000002"


def test_a_branch_that_moves_is_seen_by_a_store_that_is_open(clone: Clone) -> None:
    store = clone.store
    store.create({"title": "Second"}, "B")
    clone.git("stash", "--quiet", "--include-untracked")
    on_branch(clone, "feature", *("More " * 3).split())

    assert store.create({"title": "Next"}, "B").id == "ISS-000006"


def test_git_is_asked_only_when_a_branch_has_moved(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(folder: Path, *words: str, **more: Any) -> str | None:
        asked.append(words[0])
        return ask_git(folder, *words, **more)

    monkeypatch.setattr(branches, "ask_git", ask)
    clone.create("A")
    after_a_move = len(asked)

    clone.create("B")
    store = clone.store
    for _ in range(3):
        store.create({"title": "C"}, "B")
    still = len(asked)
    clone.commit()
    clone.create("D")

    assert (after_a_move > 0, still, len(asked) > still) == (True, after_a_move, True)


def test_without_git_only_the_files_count(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert clone.create("Next").id == "ISS-000002"


def test_a_branch_without_issues_does_no_harm(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "work")
    clone = Clone(tmp_path / "work")
    (clone.root / "README.md").write_text("x", encoding="utf-8")
    clone.commit()

    assert clone.create("First").id == "ISS-000001"


def test_creating_an_issue_changes_nothing_in_the_repository_but_the_file(clone: Clone) -> None:
    before = clone.git("for-each-ref").stdout, clone.git("count-objects").stdout

    made = clone.create("Next")

    assert (clone.git("for-each-ref").stdout, clone.git("count-objects").stdout) == before
    assert clone.status() == f"?? {made.path}\n"


def test_a_workspace_below_the_top_looks_at_its_own_folder(clone: Clone) -> None:
    inner = clone.root / "packages/one"
    inner.mkdir(parents=True)
    (clone.root / "keep").write_text("x", encoding="utf-8")
    clone.git("checkout", "--quiet", "-b", "feature")
    IssueStore(inner, environ={}).create({"title": "Inner"}, "B")
    clone.commit()
    clone.git("checkout", "--quiet", "-")
    (clone.root / ".git/laconic/issue-numbers.json").unlink()
    inner.mkdir(parents=True, exist_ok=True)

    assert IssueStore(inner, environ={}).create({"title": "Next"}, "B").id == "ISS-000002"
    assert clone.create("Outer").id == "ISS-000002"


def test_variables_that_git_sets_for_hooks_do_not_mislead(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_branch(clone, "feature", "Second")
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "other")], check=True)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))

    assert IssueStore(clone.root, environ={}).create({"title": "Next"}, "B").id == "ISS-000003"
