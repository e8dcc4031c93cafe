"""Closing and opening an issue moves its file: to the archive, and back to where it came from."""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from laconic.servers.issues.service import Tracker
from laconic.servers.issues.store import IssueStore
from tests.unit.issues.clones import Clone, git

ISSUES = ".wrangler/issues"


def put(root: Path, path: str, id: str, **values: str) -> Path:
    file = root / ISSUES / path
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{name}: {value}" for name, value in {"id": id, "title": id, "status": "open", **values}.items()
    ]
    file.write_text("\n".join(["---", *lines, "---", "Text.", ""]), encoding="utf-8")
    return file


def files(root: Path) -> list[str]:
    return sorted(path.relative_to(root / ISSUES).as_posix() for path in root.rglob("*.md"))


def test_an_issue_comes_back_to_the_folder_and_name_it_was_archived_from(
    root: Path, store: IssueStore
) -> None:
    put(root, "team/a/x.md", "ISS-000001")
    put(root, "x.md", "ISS-000002")
    put(root, "archived/x.md", "ISS-000003", status="closed")
    tracker = Tracker(store)

    for id in ("1", "2"):
        tracker.complete(id, None)
    assert files(root) == ["archived/x-2.md", "archived/x-3.md", "archived/x.md"]
    assert "archivedFrom: team/a/x.md\n" in (root / ISSUES / "archived/x-2.md").read_text(encoding="utf-8")
    for id in ("1", "2"):
        tracker.change(id, {"status": "open"})

    assert files(root) == ["archived/x.md", "team/a/x.md", "x.md"]
    assert "archivedFrom" not in "".join(path.read_text(encoding="utf-8") for path in root.rglob("*.md"))


def test_a_plain_issue_gets_no_new_key_when_it_is_archived(root: Path, store: IssueStore) -> None:
    put(root, "x.md", "ISS-000001")
    Tracker(store).complete("1", None)

    assert "archivedFrom" not in (root / ISSUES / "archived/x.md").read_text(encoding="utf-8")


def test_a_name_that_was_taken_meanwhile_is_not_taken_away(root: Path, store: IssueStore) -> None:
    put(root, "team/x.md", "ISS-000001")
    tracker = Tracker(store)
    tracker.complete("1", None)
    put(root, "team/x.md", "ISS-000002")
    tracker.change("1", {"status": "open"})

    assert files(root) == ["team/x-2.md", "team/x.md"]


@pytest.mark.parametrize(
    "odd",
    ["../../out.md", "/etc/x.md", "archived/x.md", ".hidden/x.md", "a\\\\b.md", "x.txt", "[1]", "''", "7"],
)
def test_an_odd_origin_leads_nowhere(root: Path, store: IssueStore, odd: str) -> None:
    put(root, "archived/x.md", "ISS-000001", status="closed", archivedFrom=odd)
    Tracker(store).change("1", {"status": "open"})

    assert files(root) == ["x.md"]


def test_a_person_who_opens_an_issue_by_hand_finds_it_where_it_was(root: Path, store: IssueStore) -> None:
    file = put(root, "archived/x-2.md", "ISS-000001", status="closed", archivedFrom="team/x.md")
    before = Tracker(store).get("1")
    file.write_text(file.read_text(encoding="utf-8").replace("closed", "open"), encoding="utf-8")
    Tracker(store).finish_edit(before)

    assert files(root) == ["team/x.md"]


def test_an_issue_of_another_type_moves_to_the_folder_of_that_type(root: Path, store: IssueStore) -> None:
    put(root, "team/x.md", "ISS-000001")
    tracker = Tracker(store)
    tracker.complete("1", None)
    tracker.change("1", {"status": "open", "type": "idea"})

    assert [path.relative_to(root).as_posix() for path in root.rglob("*.md")] == [".wrangler/ideas/x.md"]


def moving(store: IssueStore) -> Counter[str]:
    """Close the issue 1 and count the calls of our functions."""
    calls = Counter[str]()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "laconic" in frame.f_code.co_filename:
            calls[f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}"] += 1

    with store.one_scan():
        sys.setprofile(count)
        try:
            Tracker(store).complete("1", "Done.")
        finally:
            sys.setprofile(None)
    return calls


def test_a_move_reads_its_file_once_parses_no_yaml_and_walks_to_git_twice(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "work")
    store = Clone(tmp_path / "work").store
    store.create({"title": "First", "labels": ["a", "b: c"], "wranglerContext": {"a": "b"}}, "Text.")
    calls = moving(store)

    assert calls["contents.read"] == 1
    assert calls["locks.git_place"] <= 2
    assert calls["yaml_parser.root_of"] == 0  # what we write is plain
    assert calls["entries.parse"] <= 3


def test_a_header_that_only_yaml_explains_is_parsed_once_and_after_each_change(
    root: Path, store: IssueStore
) -> None:
    put(root, "team/x.md", "ISS-000001", title="First # said a person")
    put(root, "archived/x.md", "ISS-000002", status="closed")
    store.entries()
    calls = moving(store)

    assert calls["header.set"] == 4  # status, closedAt, updatedAt and archivedFrom
    assert calls["yaml_parser.root_of"] == 1 + 4
    text = (root / ISSUES / "archived/x-2.md").read_text(encoding="utf-8")
    assert "title: First # said a person\nstatus: closed\n" in text
