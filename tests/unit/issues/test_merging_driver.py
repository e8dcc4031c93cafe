"""Registering the merge driver: in the repository's own files, for all work trees, undone without a trace."""

import shutil
from pathlib import Path

import pytest

from laconic.kit import Conflict
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.merging.driver import MergeDriver, command
from tests.unit.issues import messy
from tests.unit.issues.clones import Clone


def driver(root: Path) -> MergeDriver:
    return MergeDriver(Layout.of(root))


def merge_of(clone: Clone, path: str) -> str:
    return clone.git("check-attr", "merge", "--", path).stdout.rpartition(": ")[2].strip()


def test_the_driver_is_only_for_files_of_the_collections(clone: Clone) -> None:
    assert driver(clone.root).register() == "absent"

    for path in ("issues/a.md", "issues/archived/a.md", "specifications/deep/er/a.md", "ideas/x y.md"):
        assert merge_of(clone, f".wrangler/{path}") == "laconic-issues"
    for path in ("README.md", ".wrangler/docs/a.md", ".wrangler/issues/a.txt", "sub/.wrangler/issues/a.md"):
        assert merge_of(clone, path) == "unspecified"
    assert clone.status() == ""


def test_registering_twice_changes_nothing(clone: Clone) -> None:
    driver(clone.root).register()
    before = messy.state(clone.root)

    assert driver(clone.root).register() == "registered"
    assert messy.state(clone.root) == before


def test_undoing_leaves_what_others_wrote(clone: Clone) -> None:
    attributes = clone.root / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("*.png binary\n", encoding="utf-8")
    before = messy.state(clone.root)

    driver(clone.root).register()
    assert attributes.read_text(encoding="utf-8").startswith("*.png binary\n")
    assert driver(clone.root).remove() == "registered"

    assert messy.state(clone.root) == before
    assert driver(clone.root).remove() == "absent"


def test_one_registration_serves_all_work_trees(clone: Clone, tmp_path: Path) -> None:
    clone.git("worktree", "add", "--quiet", str(tmp_path / "second"))
    second = Clone(tmp_path / "second")

    driver(second.root).register()

    assert driver(clone.root).state() == "registered"
    assert merge_of(second, ".wrangler/issues/a.md") == merge_of(clone, ".wrangler/issues/a.md")
    assert second.status() == clone.status() == ""


@pytest.mark.parametrize("name", ["packages/one", "with space", 'odd "[*]?\\ name'])
def test_a_workspace_below_the_top_has_its_own_lines(clone: Clone, name: str) -> None:
    inner = clone.root / name
    inner.mkdir(parents=True)
    driver(clone.root).register()

    driver(inner).register()
    assert merge_of(clone, f"{name}/.wrangler/issues/a.md") == "laconic-issues"

    driver(clone.root).remove()
    assert (driver(inner).state(), driver(clone.root).state()) == ("registered", "outdated")
    assert merge_of(clone, ".wrangler/issues/a.md") == "unspecified"


def test_a_program_that_moved_is_detected_and_registered_again(clone: Clone) -> None:
    driver(clone.root).register()
    clone.git("config", "merge.laconic-issues.driver", "elsewhere %O %A %B")

    assert driver(clone.root).state() == "outdated"
    assert driver(clone.root).register() == "outdated"
    assert clone.git("config", "merge.laconic-issues.driver").stdout == f"{command()}\n"


def test_outside_a_repository_there_is_nothing_to_register(root: Path) -> None:
    assert driver(root).state() == "no repository"
    for deed in (driver(root).register, driver(root).remove):
        with pytest.raises(Conflict, match="not in a git repository"):
            deed()


def test_if_the_program_is_gone_git_merges_by_itself(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise git would keep our side without a trace of theirs in the file."""
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    shutil.copy("/bin/sh", python)
    monkeypatch.setattr("sys.executable", str(python))
    driver(clone.root).register()
    python.unlink()
    clone.git("checkout", "--quiet", "-b", "other")
    clone.set("1", priority="high")
    clone.commit()
    clone.git("checkout", "--quiet", "-")
    clone.set("1", status="in_progress")
    clone.commit()

    done = clone.git("merge", "other", check=False)

    assert "CONFLICT" in done.stdout
    text = clone.file("1")
    assert "priority: high" in text and "status: in_progress" in text and ">>>>>>> theirs" in text
