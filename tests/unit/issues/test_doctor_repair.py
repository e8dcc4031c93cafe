"""Repairs: nothing is ever lost, not even by a kill between two steps."""

import sys
from pathlib import Path

import pytest

from laconic.servers.issues.merging.merge import merged
from laconic.servers.issues.store import IssueStore
from laconic.stores.header.header import Header
from tests.unit.issues import messy
from tests.unit.issues.messy import PLAIN
from tests.unit.issues.test_concurrency import run, start
from tests.unit.issues.test_doctor import doctor, issue, write


def twins(root: Path, number: int, count: int) -> None:
    """Writes several issues with one id."""
    for age in range(count):
        text = PLAIN.format(id=f"ISS-{number:06d}", title=f"T{number} {age}", status="open")
        name = f"issues/ISS-{number:06d}-t{number}-{age}.md"
        write(root, name, text.replace("03:04:05", f"03:04:{10 + age}"))


def test_all_but_the_oldest_get_new_numbers_in_the_order_they_were_made(root: Path) -> None:
    twins(root, 7, 3)

    checkup = doctor(root).repair()

    found = {entry.title: entry for entry in IssueStore(root, environ={}).entries()}
    assert {title: entry.id for title, entry in found.items()} == {
        "T7 0": "ISS-000007",
        "T7 1": "ISS-000008",
        "T7 2": "ISS-000009",
    }
    assert found["T7 2"].path == ".wrangler/issues/ISS-000009-t7-2.md"
    assert checkup.findings == []


def test_a_new_number_changes_the_id_and_notes_the_former_one_and_nothing_else(root: Path) -> None:
    twins(root, 7, 2)
    before = (root / ".wrangler/issues/ISS-000007-t7-1.md").read_text("utf-8")

    doctor(root).repair()

    after = (root / ".wrangler/issues/ISS-000008-t7-1.md").read_text("utf-8")
    note = "wranglerContext:\n  formerId: ISS-000007\n---"
    assert after == before.replace("ISS-000007", "ISS-000008").replace("---\nSomething", f"{note}\nSomething")


def test_a_file_whose_name_carries_a_free_number_gets_that_number(root: Path) -> None:
    for age, name in enumerate(("ISS-000007-old", "ISS-000031-new", "000032-legacy", "ISS-000033-taken"), 10):
        text = PLAIN.format(id="ISS-000007", title=name, status="open")
        write(root, f"issues/{name}.md", text.replace("03:04:05", f"03:04:{age}"))
    write(root, "ideas/other.md", PLAIN.format(id="ISS-000033", title="Other", status="open"))

    doctor(root).repair()

    found = {entry.title: entry.id for entry in IssueStore(root, environ={}).entries()}
    assert found == {
        "ISS-000007-old": "ISS-000007",
        "ISS-000031-new": "ISS-000031",
        "000032-legacy": "ISS-000032",
        "ISS-000033-taken": "ISS-000034",
        "Other": "ISS-000033",
    }


def test_a_file_not_named_after_its_id_keeps_its_name(root: Path) -> None:
    for name, age in (("old", 1), ("new", 2)):
        text = PLAIN.format(id="a-slug", title=name, status="open").replace("03:04:05", f"03:04:1{age}")
        write(root, f"specifications/{name}.md", text.replace("type: issue", "type: specification"))

    doctor(root).repair()

    found = {entry.path: entry.id for entry in IssueStore(root, environ={}).entries()}
    assert found == {
        ".wrangler/specifications/old.md": "a-slug",
        ".wrangler/specifications/new.md": "SPEC-000001",
    }


def test_the_same_file_twice_is_kept_once_where_it_belongs(root: Path) -> None:
    text = PLAIN.format(id="ISS-000001", title="One", status="closed")
    for folder in ("issues", "issues/archived"):
        write(root, f"{folder}/ISS-000001-one.md", text)

    checkup = doctor(root).repair()

    assert checkup.repaired == [".wrangler/issues/ISS-000001-one.md: deleted."]
    assert [entry.path for entry in IssueStore(root, environ={}).entries()] == [
        ".wrangler/issues/archived/ISS-000001-one.md"
    ]


def test_versions_of_one_issue_are_left_as_they_are(root: Path) -> None:
    text = PLAIN.format(id="ISS-000001", title="One", status="open")
    write(root, "issues/ISS-000001-one.md", text)
    write(root, "specifications/ISS-000001-one.md", text + "More.\n")
    before = messy.state(root)

    assert doctor(root).repair().repaired == []
    assert messy.state(root) == before


def test_a_moved_file_never_takes_the_place_of_another(root: Path) -> None:
    write(root, "issues/a.md", PLAIN.format(id="x", title="One", status="closed"))
    write(root, "issues/archived/a.md", PLAIN.format(id="y", title="Two", status="closed"))

    doctor(root).repair()

    found = {entry.path: entry.title for entry in IssueStore(root, environ={}).entries()}
    assert found == {".wrangler/issues/archived/a.md": "Two", ".wrangler/issues/archived/a-2.md": "One"}


def test_texts_that_mention_a_renumbered_issue_are_listed(root: Path) -> None:
    twins(root, 7, 2)
    write(root, "issues/b.md", "---\nid: b\ntitle: B\n---\nSee ISS-000007.\n")

    (said,) = doctor(root).repair().repaired

    assert said.endswith("Texts that name it: b.")


def test_a_failed_repair_is_reported_and_stops_no_other(root: Path) -> None:
    twins(root, 7, 2)
    issue(root, 1, status="closed")
    text = (root / ".wrangler/issues/ISS-000007-t7-1.md").read_text("utf-8")
    braces = "---\n{id: ISS-000007, title: T, createdAt: '2026-01-01'}\n---\n"
    write(root, "issues/ISS-000007-t7-1.md", braces)

    checkup = doctor(root).repair()

    (left,) = checkup.findings
    assert "braces" in left.advice and not left.mendable
    assert len(checkup.repaired) == 1
    assert (root / ".wrangler/issues/ISS-000007-t7-1.md").read_text("utf-8") == braces != text


def two_in_one(root: Path) -> tuple[str, str]:
    older, younger = (
        PLAIN.format(id="ISS-000001", title="Same", status="open").replace("03:04:05", f"03:04:1{age}")
        + f"Of {age}.\n"
        for age in (1, 2)
    )
    content = merged(b"", younger.encode(), older.encode()).content
    write(root, "issues/ISS-000001-same.md", content)
    return older, younger


def test_two_issues_in_one_file_get_a_file_each(root: Path) -> None:
    older, younger = two_in_one(root)

    finding = doctor(root).findings()[0]
    checkup = doctor(root).repair()

    assert (finding.kind, finding.is_repairable) == ("two in one", True)
    assert checkup.findings == []
    store = IssueStore(root, environ={})
    assert (root / store.find("1").path).read_text("utf-8") == older
    assert store.read(store.find("2")).description == Header.of(younger).body.strip()


def test_a_split_that_was_killed_half_way_is_finished(root: Path) -> None:
    two_in_one(root)
    whole = (root / ".wrangler/issues/ISS-000001-same.md").read_bytes()
    doctor(root).repair()
    after = messy.state(root)
    write(root, "issues/ISS-000001-same.md", whole)  # as a kill between the two writes leaves it

    doctor(root).repair()

    assert messy.state(root) == after


def test_a_renumbering_that_was_killed_before_the_rename_is_finished(root: Path) -> None:
    twins(root, 7, 2)
    doctor(root).repair()
    after = messy.state(root)
    folder = root / ".wrangler/issues"
    (folder / "ISS-000008-t7-1.md").rename(folder / "ISS-000007-t7-1.md")

    (finding,) = doctor(root).findings()
    doctor(root).repair()

    assert (finding.kind, finding.is_repairable) == ("name", True)
    assert messy.state(root) == after


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_repair_killed_before_any_of_its_steps_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    (said,) = run(start("repairing", tmp_path))

    assert int(said.removesuffix(" steps")) > 20
