"""Writing issue files: what is cleared up, what stays where it is, and what is refused."""

import json
import os
from pathlib import Path

import pytest

from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.writing.numbers import Numbers
from laconic.stores import StoreDown
from laconic.stores.header.header import Header
from tests.unit.issues.clones import Clone

ISSUES = ".wrangler/issues"


def write(root: Path, name: str, id: str = "ISS-000001", more: str = "", body: str = "Text.") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nid: {id}\ntitle: One\n{more}---\n{body}\n", encoding="utf-8")
    return path


def retitle(header: Header, _: object) -> None:
    header.set("title", "New")


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root / ISSUES).as_posix() for path in (root / ISSUES).rglob("*.*"))


def test_a_new_issue_clears_the_drafts_of_killed_writers(root: Path, store: IssueStore) -> None:
    draft = root / ISSUES / ".laconic-1.tmp"
    draft.parent.mkdir(parents=True)
    draft.touch()
    os.utime(draft, (1, 1))

    store.create({"title": "One"}, "Text.")

    assert names(root) == ["ISS-000001-one.md"]


def test_a_file_that_cannot_be_deleted_is_reported(
    root: Path, store: IssueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    write(root, f"{ISSUES}/ISS-000001-a.md")
    monkeypatch.setattr(Path, "unlink", refuse)

    with pytest.raises(StoreDown, match=r"ISS-000001-a\.md cannot be deleted: Permission denied"):
        store.delete("1")


def test_a_file_that_another_program_deletes_meanwhile_is_deleted(
    root: Path, store: IssueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(root, f"{ISSUES}/ISS-000001-a.md")
    monkeypatch.setattr(Numbers, "remember", lambda *_: path.unlink())

    assert store.delete("1").id == "ISS-000001"
    assert store.entries() == []


def test_an_edit_removes_the_second_name_that_a_killed_move_left(root: Path, store: IssueStore) -> None:
    path = write(root, f"{ISSUES}/ISS-000001-a.md")
    write(root, f"{ISSUES}/ISS-000002-b.md", "ISS-000002")
    archived = root / ISSUES / "archived" / path.name
    archived.parent.mkdir()
    archived.hardlink_to(path)

    store.edit("2", retitle)
    assert names(root) == ["ISS-000001-a.md", "ISS-000002-b.md", "archived/ISS-000001-a.md"]
    store.edit("1", retitle)

    assert names(root) == ["ISS-000001-a.md", "ISS-000002-b.md"]


def test_renaming_removes_the_second_name_too(root: Path, store: IssueStore) -> None:
    path = write(root, f"{ISSUES}/ISS-000009-a.md")
    archived = root / ISSUES / "archived" / path.name
    archived.parent.mkdir()
    archived.hardlink_to(path)

    store.repairs.rename(store.find("ISS-000001"))

    assert names(root) == ["ISS-000001-a.md"]


def test_a_misplaced_file_stays_where_it_is_unless_an_edit_moves_it(root: Path, store: IssueStore) -> None:
    write(root, f"{ISSUES}/ISS-000001-a.md", more="status: closed\n")

    _, retitled = store.edit("1", retitle)
    _, opened = store.edit("1", lambda header, _: header.set("status", "open"))
    _, closed = store.edit("1", lambda header, _: header.set("status", "closed"))

    assert [issue.path for issue in (retitled, opened, closed)] == [
        f"{ISSUES}/ISS-000001-a.md",
        f"{ISSUES}/ISS-000001-a.md",
        f"{ISSUES}/archived/ISS-000001-a.md",
    ]


@pytest.mark.parametrize(("kind", "id"), [("idea", "IDEA-000001"), ("wish", "ISS-000002")])
def test_a_new_id_is_one_of_the_type_or_of_the_folder_if_nobody_knows_the_type(
    root: Path, store: IssueStore, kind: str, id: str
) -> None:
    write(root, f"{ISSUES}/ISS-000001-a.md")
    write(root, f"{ISSUES}/ISS-000001-b.md", more=f"type: {kind}\n")
    second = next(entry for entry in store.entries() if entry.path.endswith("b.md"))

    renumbered = store.repairs.renumber(second)

    assert renumbered is not None
    assert renumbered.id == id


def test_only_a_copy_of_another_file_is_dropped(root: Path, store: IssueStore) -> None:
    for letter, body in (("a", "Text."), ("b", "Text."), ("c", "Other.")):
        write(root, f"{ISSUES}/ISS-000001-{letter}.md", body=body)
    a, b, c = sorted(store.entries(), key=lambda entry: entry.path)

    assert not store.repairs.drop(c, a)
    assert not store.repairs.drop(a, c)
    assert not store.repairs.drop(a, a)
    assert names(root) == ["ISS-000001-a.md", "ISS-000001-b.md", "ISS-000001-c.md"]
    assert store.repairs.drop(b, a)
    assert names(root) == ["ISS-000001-a.md", "ISS-000001-c.md"]


def test_a_file_behind_a_link_keeps_its_name(root: Path, store: IssueStore) -> None:
    write(root, "docs/plan.md")
    link = root / ISSUES / "ISS-000009-plan.md"
    link.parent.mkdir(parents=True)
    link.symlink_to(root / "docs/plan.md")

    renamed = store.repairs.rename(store.find("ISS-000001"))

    assert renamed.path == f"{ISSUES}/ISS-000009-plan.md"
    assert link.is_symlink()


def test_outside_a_repository_nothing_is_noted_about_branches(root: Path, store: IssueStore) -> None:
    store.create({"title": "One"}, "Text.")

    notes = [json.loads(path.read_text(encoding="utf-8")) for path in root.rglob("*.json")]
    assert notes == [{".": {"ISS": 1}}]


def test_links_among_the_branches_are_not_followed(clone: Clone) -> None:
    heads = clone.root / ".git/refs/heads"
    for name in ("one", "other"):
        (heads / name).symlink_to(".", target_is_directory=True)  # following both would never end

    assert clone.create("Second").id == "ISS-000002"
