"""Creating, editing, moving and deleting: only the necessary lines change, and nothing is overwritten."""

import os
import re
from collections.abc import Callable
from difflib import ndiff
from pathlib import Path

import pytest

from laconic.kit import Conflict, NotFound
from laconic.servers.issues.models import Issue
from laconic.servers.issues.store import IssueStore
from laconic.stores import Unreadable
from laconic.stores.header.header import Header
from tests.unit.issues import messy
from tests.unit.issues.conftest import Open

MOMENT = r"'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z'"


def put(key: str, value: object) -> Callable[[Header, Issue], None]:
    return lambda header, _: header.set(key, value)


def differing(before: bytes, after: bytes) -> list[str]:
    one, other = (text.decode(errors="replace").splitlines(keepends=True) for text in (before, after))
    return [line for line in ndiff(one, other) if line[0] in "+-"]


@pytest.fixture
def plain(root: Path) -> Path:
    path = root / ".wrangler/issues/ISS-000001-plain.md"
    path.parent.mkdir(parents=True)
    path.write_text(messy.PLAIN.format(id="ISS-000001", title="Plain", status="open"), encoding="utf-8")
    return path


def test_a_new_issue_is_a_file_with_keys_in_order_and_quoted_times(root: Path, store: IssueStore) -> None:
    values = {"title": "Say: hello", "labels": ["a"], "project": "p", "assignee": None, "priority": "high"}

    made = store.create(values, "First line.\n\n---\nrule")

    assert made.path == ".wrangler/issues/ISS-000001-say-hello.md"
    assert re.fullmatch(
        "---\nid: ISS-000001\ntitle: 'Say: hello'\ntype: issue\nstatus: open\npriority: high\n"
        rf"labels:\n  - a\ncreatedAt: {MOMENT}\nupdatedAt: {MOMENT}\nproject: p\n---\n"
        "First line.\n\n---\nrule\n",
        (root / made.path).read_text(encoding="utf-8"),
    )
    assert store.read(store.find("1")) == made


@pytest.mark.parametrize(
    "title", ["yes", "000123", "2025-01-01", "null", "- dash", "a: b # c", "'", "日本語", "|"]
)
def test_any_title_comes_back_as_it_was_given(store: IssueStore, title: str) -> None:
    made = store.create({"title": title, "labels": [title], "assignee": title}, "Body.")

    again = store.read(store.find(made.id))

    assert (again.title, again.labels, again.assignee) == (title, [title], title)


@pytest.mark.parametrize(
    "body", ["---\nid: stolen\n---\ntext", "---js\nx\n---\n", "\n\nleading", "a\r\nb", "---"]
)
def test_a_text_is_never_mistaken_for_a_header(store: IssueStore, body: str) -> None:
    made = store.create({"title": "T"}, body)

    assert (made.id, made.description) == ("ISS-000001", body.strip())


def test_types_have_their_own_folders_and_numbers(store: IssueStore) -> None:
    made = [
        store.create({"title": "T", "type": kind}, "B") for kind in ("issue", "specification", "idea", "idea")
    ]

    assert [issue.id for issue in made] == ["ISS-000001", "SPEC-000001", "IDEA-000001", "IDEA-000002"]
    assert made[1].path == ".wrangler/specifications/SPEC-000001-t.md"


def test_a_new_issue_that_is_complete_is_in_the_archive(store: IssueStore) -> None:
    made = store.create({"title": "T", "status": "closed"}, "B")

    assert made.path == ".wrangler/issues/archived/ISS-000001-t.md"


def test_the_next_number_is_above_all_names_and_ids(root: Path, store: IssueStore) -> None:
    messy.build(root)

    assert store.create({"title": "T"}, "B").id == "ISS-000125"  # 000124 is an issue in the older form
    assert store.create({"title": "T", "type": "specification"}, "B").id == "SPEC-000003"
    assert store.create({"title": "T", "type": "idea"}, "B").id == "IDEA-000008"


def test_a_number_is_not_used_again_after_a_deletion(open_store: Open) -> None:
    store = open_store()
    store.create({"title": "A"}, "B")
    last = store.create({"title": "B"}, "B")

    store.delete(last.id)

    assert open_store().create({"title": "C"}, "B").id == "ISS-000003"


def test_a_number_is_not_used_again_after_a_change_of_type(store: IssueStore) -> None:
    made = store.create({"title": "A"}, "B")
    store.edit(made.id, put("type", "specification"))

    assert store.create({"title": "C"}, "B").id == "ISS-000002"


def test_a_file_in_the_way_of_a_new_one_stays(root: Path, store: IssueStore) -> None:
    folder = root / ".wrangler/issues"
    folder.mkdir(parents=True)
    (folder / "ISS-000001-t.md").mkdir()  # a folder blocks the name and is not counted

    made = store.create({"title": "T"}, "B")

    assert made.id == "ISS-000002"


def test_a_change_of_priority_touches_two_lines(plain: Path, store: IssueStore) -> None:
    before = plain.read_bytes()

    old, new = store.edit("ISS-000001", put("priority", "high"))

    assert (old.priority, new.priority) == ("medium", "high")
    changed = differing(before, plain.read_bytes())
    assert [line.split(":")[0] for line in changed] == [
        "- priority",
        "+ priority",
        "- updatedAt",
        "+ updatedAt",
    ]


EDITABLE = [
    name
    for name in messy._ISSUES
    if not re.search("binary|json|open-ended|broken|conflict|folder.md|000020", name)
]


@pytest.mark.parametrize("name", EDITABLE)
def test_undoing_a_change_restores_every_other_byte(root: Path, store: IssueStore, name: str) -> None:
    messy.build(root)
    path = root / ".wrangler/issues" / name
    before = path.read_bytes()
    reference = f".wrangler/issues/{name}"
    priority = store.read(store.find(reference)).priority
    had_one = b"priority" in before

    store.edit(reference, put("priority", "critical"))
    changed = path.read_bytes()
    store.edit(reference, put("priority", priority if had_one else None))

    assert len(differing(before, changed)) <= 6
    left = [line for line in differing(before, path.read_bytes()) if "updatedAt" not in line]
    assert left in ([], ["+ ---\n", "+ ---\n"])  # a file without a header has one now


def test_a_change_that_changes_nothing_writes_nothing(plain: Path, store: IssueStore) -> None:
    before = plain.stat()

    old, new = store.edit("ISS-000001", put("priority", "medium"))

    assert old == new
    assert plain.stat() == before


def test_a_change_that_fails_leaves_the_file_as_it_was(plain: Path, store: IssueStore) -> None:
    before = plain.read_bytes()

    def change(header: Header, issue: Issue) -> None:
        header.set("priority", "low")
        raise Conflict("Not now.")

    with pytest.raises(Conflict, match=r"Not now\."):
        store.edit("ISS-000001", change)

    assert plain.read_bytes() == before


def test_a_header_that_cannot_be_edited_is_left_alone(root: Path, store: IssueStore) -> None:
    messy.build(root)
    before = messy.state(root)

    for name in ("ISS-000005", "ISS-000016-open-ended", "ISS-000006"):
        with pytest.raises(Unreadable):
            store.edit(name, put("priority", "low"))

    assert messy.state(root) == before


def test_bytes_that_are_not_text_survive_an_edit(root: Path, store: IssueStore) -> None:
    messy.build(root)

    store.edit("ISS-000013", put("priority", "low"))

    assert b"Caf\xe9 au lait." in (root / ".wrangler/issues/ISS-000013-latin.md").read_bytes()


def test_closing_archives_and_opening_brings_back(root: Path, plain: Path, store: IssueStore) -> None:
    _, closed = store.edit("1", put("status", "closed"))
    assert closed.path == ".wrangler/issues/archived/ISS-000001-plain.md"
    assert not plain.exists()

    _, opened = store.edit("1", put("status", "open"))
    assert opened.path == ".wrangler/issues/ISS-000001-plain.md"
    assert len(store.entries()) == 1


def test_a_change_of_type_moves_to_its_collection(store: IssueStore) -> None:
    made = store.create({"title": "A"}, "B")

    _, after = store.edit(made.id, put("type", "idea"))

    assert (after.id, after.path) == ("ISS-000001", ".wrangler/ideas/ISS-000001-a.md")


def test_archiving_onto_an_existing_name_keeps_both(root: Path, plain: Path, store: IssueStore) -> None:
    taken = root / ".wrangler/issues/archived" / plain.name
    taken.parent.mkdir()
    taken.write_text("Another one.", encoding="utf-8")

    _, after = store.edit(".wrangler/issues/ISS-000001-plain.md", put("status", "closed"))

    assert after.path == ".wrangler/issues/archived/ISS-000001-plain-2.md"
    assert taken.read_text(encoding="utf-8") == "Another one."


def test_an_edit_of_another_field_does_not_move_a_misplaced_file(root: Path, store: IssueStore) -> None:
    messy.build(root)

    _, after = store.edit("ISS-000051", put("priority", "low"))

    assert after.path == ".wrangler/issues/archived/ISS-000051-open.md"
    assert store.relocate("ISS-000051").path == ".wrangler/issues/ISS-000051-open.md"


def test_a_link_stays_a_link_and_its_file_is_edited(root: Path, store: IssueStore) -> None:
    messy.build(root)

    _, after = store.edit("ISS-000060", put("status", "closed"))

    link = root / ".wrangler/issues/link-inside.md"
    assert link.is_symlink()
    assert (after.path, after.status) == (".wrangler/issues/link-inside.md", "closed")
    assert "status: closed" in (root / "docs/linked.md").read_text(encoding="utf-8")


def test_a_second_name_that_a_killed_move_left_is_removed_by_the_next_change(
    root: Path, plain: Path, store: IssueStore
) -> None:
    plain.write_text(plain.read_text("utf-8").replace("status: open", "status: closed"), encoding="utf-8")
    archived = root / ".wrangler/issues/archived" / plain.name
    archived.parent.mkdir()
    archived.hardlink_to(plain)

    _, after = store.edit("ISS-000001", put("priority", "low"))

    assert after.path == ".wrangler/issues/archived/ISS-000001-plain.md"
    assert not plain.exists()
    assert len(store.entries()) == 1


def test_an_entry_that_became_another_issue_is_not_changed(plain: Path, store: IssueStore) -> None:
    entry = store.find("1")
    plain.write_text(plain.read_text("utf-8").replace("ISS-000001", "ISS-000002"), encoding="utf-8")

    with pytest.raises(Conflict, match="is ISS-000002 now"):
        store.edit(entry, put("priority", "low"))


def test_an_entry_that_moved_is_not_changed_and_a_reference_finds_it(plain: Path, store: IssueStore) -> None:
    entry = store.find("1")
    plain.rename(plain.with_name("elsewhere.md"))

    with pytest.raises(Conflict, match="no longer exists"):
        store.edit(entry, put("priority", "low"))
    with store.one_scan():
        plain.with_name("elsewhere.md").rename(plain.with_name("again.md"))
        assert store.edit("ISS-000001", put("priority", "low"))[1].path.endswith("again.md")
    assert store.read(entry).path.endswith("again.md")


def test_a_deleted_issue_is_gone(plain: Path, store: IssueStore) -> None:
    entry = store.find("1")

    assert store.delete(entry).title == "Plain"

    assert not plain.exists()
    assert store.entries() == []
    for act in (lambda: store.find("1"), lambda: store.read(entry), lambda: store.delete("1")):
        with pytest.raises(NotFound):
            act()


def test_drafts_of_killed_writers_are_removed_by_the_next_one(plain: Path, store: IssueStore) -> None:
    draft = plain.with_name(".laconic-0123456789abcdef.tmp")
    draft.write_text("half", encoding="utf-8")
    os.utime(draft, (1, 1))
    young = plain.with_name(".laconic-fedcba9876543210.tmp")
    young.write_text("being written", encoding="utf-8")

    store.edit("1", put("priority", "low"))

    assert (draft.exists(), young.exists()) == (False, True)


def test_nothing_is_left_in_the_work_tree_but_issues(root: Path, store: IssueStore) -> None:
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")

    made = store.create({"title": "A"}, "B")
    store.edit(made.id, put("status", "closed"))

    assert {name for name in messy.state(root) if not name.startswith(".git/")} == {
        ".wrangler/issues/archived/ISS-000001-a.md"
    }
