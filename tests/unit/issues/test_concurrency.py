"""Several writers at once, in processes and work trees, some killed: nothing is lost or duplicated."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from laconic.kit import Conflict
from laconic.servers.issues.store import IssueStore
from laconic.stores import StoreDown
from laconic.stores.locks import file_lock
from tests.unit.issues.conftest import Open

ROOT = Path(__file__).resolve().parents[3]


def start(module: str, *words: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", f"tests.unit.issues.{module}", *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(*started: "subprocess.Popen[str]") -> list[str]:
    """Waits for processes, and returns all lines they printed."""
    lines = []
    for process in started:
        with process:
            said, complaints = process.communicate(timeout=240)
        assert process.returncode == 0, complaints
        lines += said.splitlines()
    return lines


def git(at: Path, *words: str) -> str:
    command = [
        "git",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b.c",
        "-c",
        "protocol.file.allow=always",
        *words,
    ]
    return subprocess.run(command, cwd=at, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_200_creates_from_four_processes_give_200_ids(root: Path, cache: Path, store: IssueStore) -> None:
    ids = run(*(start("workers", "create", root, cache, 50, "same") for _ in range(4)))

    assert sorted(ids) == [f"ISS-{number:06d}" for number in range(1, 201)]
    assert sorted(entry.id for entry in store.entries()) == sorted(ids)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_100_label_additions_from_several_processes_all_survive(
    root: Path, cache: Path, store: IssueStore
) -> None:
    store.create({"title": "T"}, "B")

    run(*(start("workers", "label", root, cache, 25, name) for name in "abcd"))

    expected = {f"{name}-{number}" for name in "abcd" for number in range(25)}
    labels = store.find("1").labels
    assert (len(labels), set(labels)) == (100, expected)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_never_hold_the_same_issue(root: Path, cache: Path, store: IssueStore) -> None:
    for _ in range(20):
        store.create({"title": "T"}, "B")

    taken = Counter(run(*(start("workers", "claim", root, cache, 20, name) for name in "abc")))

    assert taken == Counter(entry.id for entry in store.entries())


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_labels_survive_while_others_move_the_file(root: Path, cache: Path, store: IssueStore) -> None:
    store.create({"title": "T"}, "B")

    run(
        *(start("workers", "label", root, cache, 20, name) for name in "ab"),
        start("workers", "shuffle", root, cache, 30, "c"),
    )

    (entry,) = store.entries()
    assert len(set(entry.labels)) == 40


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_40_random_kills_lose_and_duplicate_nothing(root: Path, cache: Path) -> None:
    (said,) = run(start("killing", root, cache, 40, 1))

    assert said.startswith("40 kills")


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_1000_random_kills_lose_and_duplicate_nothing(root: Path, cache: Path) -> None:
    said = run(*(start("killing", root / str(seed), cache, 250, seed) for seed in range(2, 6)))

    assert all(line.startswith("250 kills") for line in said)


def test_a_writer_waits_no_longer_than_its_timeout(root: Path, open_store: Open) -> None:
    store = open_store(patience=0.05)

    with file_lock(root), pytest.raises(StoreDown, match="Another process has held the lock"):
        store.create({"title": "T"}, "B")

    assert store.create({"title": "T"}, "B").id == "ISS-000001"


@pytest.fixture
def repository(root: Path) -> Path:
    """A repository with one issue committed."""
    git(root, "init", "--quiet", "--initial-branch", "main")
    IssueStore(root, environ={}).create({"title": "First"}, "B")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "First")
    return root


def test_work_trees_never_use_the_same_id(repository: Path, tmp_path: Path, open_store: Open) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "second"))
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "third"))
    trees = [open_store(at) for at in (repository, tmp_path / "second", tmp_path / "third")]

    ids = [tree.create({"title": "T"}, "B").id for _ in range(3) for tree in trees]

    assert ids == [f"ISS-{number:06d}" for number in range(2, 11)]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_work_trees_written_at_once_never_use_the_same_id(
    repository: Path, tmp_path: Path, cache: Path
) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "second"))

    ids = run(*(start("workers", "create", at, cache, 25, "x") for at in (repository, tmp_path / "second")))

    assert len(set(ids)) == 50


def test_what_others_wrote_into_a_work_tree_counts_too(
    repository: Path, tmp_path: Path, open_store: Open
) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "second"))
    folder = tmp_path / "second/.wrangler/issues/team"
    folder.mkdir()
    (folder / "ISS-000040-by-hand.md").write_text("Not committed.", encoding="utf-8")
    (folder / "odd.md").write_text("---\nid: 'ISS-000055'\n---\n", encoding="utf-8")

    assert open_store(repository).create({"title": "T"}, "B").id == "ISS-000056"


def test_a_deleted_id_is_not_used_again_in_another_work_tree(
    repository: Path, tmp_path: Path, open_store: Open
) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "second"))
    store = open_store(repository)
    store.delete(store.create({"title": "T"}, "B").id)

    assert open_store(tmp_path / "second").create({"title": "T"}, "B").id == "ISS-000003"


def test_ids_that_two_clones_both_used_are_distinguished_after_the_merge(
    repository: Path, tmp_path: Path, open_store: Open
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(repository), str(clone))
    for at, title in ((repository, "Ours"), (clone, "Theirs")):
        assert open_store(at).create({"title": title}, "B").id == "ISS-000002"
        git(at, "add", "--all")
        git(at, "commit", "--quiet", "--message", title)

    git(repository, "pull", "--quiet", "--no-rebase", "--no-edit", str(clone), "main")

    store = open_store(repository)
    with pytest.raises(Conflict, match="ISS-000002 could be 2 files") as conflict:
        store.edit("ISS-000002", lambda header, _: header.set("priority", "low"))
    titles = [store.find(path).title for path in conflict.value.details["candidates"]]
    assert sorted(titles) == ["Ours", "Theirs"]
    assert store.create({"title": "T"}, "B").id == "ISS-000003"


def test_a_workspace_below_the_top_of_a_repository_has_its_own_numbers(
    repository: Path, open_store: Open
) -> None:
    inner = repository / "packages/one"
    inner.mkdir(parents=True)

    assert open_store(inner).create({"title": "T"}, "B").id == "ISS-000001"
    assert open_store(repository).create({"title": "T"}, "B").id == "ISS-000002"
