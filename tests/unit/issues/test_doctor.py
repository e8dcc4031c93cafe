"""The doctor: problems are reported with their file and advice, and an examination changes nothing."""

import json
import os
from pathlib import Path

import pytest

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.issues.doctor.doctor import Doctor
from laconic.servers.issues.doctor.findings import Finding
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.tools import issues
from tests.unit.issues import messy
from tests.unit.issues.clones import git
from tests.unit.issues.messy import PLAIN

FOLDER = ".wrangler/issues"


def write(root: Path, name: str, text: str | bytes) -> str:
    path = root / ".wrangler" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return f".wrangler/{name}"


def issue(root: Path, number: int, **header: object) -> str:
    """Writes an issue by hand, as people and other programs do."""
    values = {"id": f"ISS-{number:06d}", "title": f"Number {number}", "status": "open", **header}
    values.setdefault("createdAt", f"'2025-01-01T00:00:{number % 60:02d}.000Z'")
    lines = "".join(f"{key}: {value}\n" for key, value in values.items())
    return write(root, f"issues/{values['id']}-number-{number}.md", f"---\n{lines}---\nText {number}.\n")


def doctor(root: Path) -> Doctor:
    return Doctor(IssueStore(root, environ={}), SessionFiles(root))


def only(root: Path) -> Finding:
    (finding,) = doctor(root).findings()
    return finding


def about(finding: Finding) -> tuple[str, str, bool]:
    return finding.kind, finding.path, finding.is_repairable


def test_a_healthy_workspace_has_no_findings(root: Path) -> None:
    store = IssueStore(root, environ={})
    first = store.create({"title": "First"}, "B")
    store.create({"title": "Second", "blockedBy": [first.id], "status": "closed"}, "B")

    assert doctor(root).examine().write_text(None) == "Nothing is wrong with the issues' files."


def test_an_empty_folder_has_no_findings(root: Path) -> None:
    assert doctor(root).findings() == []


def test_a_shared_id_names_the_one_that_keeps_it(root: Path) -> None:
    older = write(root, "issues/ISS-000001-b.md", PLAIN.format(id="ISS-000001", title="B", status="open"))
    text = PLAIN.format(id="ISS-000001", title="A", status="open").replace("2025-01-02", "2025-01-03")
    younger = write(root, "issues/ISS-000001-a.md", text)

    finding = only(root)

    assert about(finding) == ("duplicate id", younger, True)
    assert finding.problem == f"ISS-000001 is also {older}, which keeps it."


def test_an_issue_without_a_date_is_younger_than_one_with_a_date(root: Path) -> None:
    write(root, "issues/b.md", PLAIN.format(id="ISS-000001", title="B", status="open"))
    younger = write(root, "issues/a.md", "---\nid: ISS-000001\ntitle: A\n---\n")

    assert about(only(root)) == ("duplicate id", younger, True)


def test_of_two_created_at_the_same_time_the_first_committed_keeps_the_id(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "init", "--quiet")
    for day, name in enumerate("za", start=1):
        write(root, f"issues/{name}.md", PLAIN.format(id="ISS-000001", title=name, status="open"))
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2025-01-0{day}T00:00:00Z")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", name)

    assert about(only(root)) == ("duplicate id", f"{FOLDER}/a.md", True)


def test_two_versions_of_one_issue_are_for_a_person(root: Path) -> None:
    text = PLAIN.format(id="ISS-000001", title="One", status="open")
    write(root, "issues/ISS-000001-one.md", text)
    other = write(root, "issues/archived/ISS-000001-one.md", text.replace("status: open", "status: closed"))

    finding = only(root)

    assert (finding.kind, finding.is_repairable) == ("duplicate id", False)
    assert "another version of" in finding.problem
    assert other in (finding.path, finding.problem.split()[-1].rstrip("."))


def test_a_file_that_has_its_id_from_its_name_only_is_for_a_person(root: Path) -> None:
    write(root, "issues/README.md", "# One\n")
    write(root, "ideas/README.md", "# Other\n")

    assert not only(root).is_repairable


@pytest.mark.parametrize(
    ("text", "kind", "words", "advice"),
    [
        ("---\nid: [x\n---\n", "unreadable", "not valid YAML", "Fix the header"),
        ("---\nid: x\n", "unreadable", "never closed", "Put --- on a line"),
        ("---\nid: x\ntitle: 12\n---\n", "unreadable", "title is a number", "in quotes"),
        ("---\nid: x\ncreatedAt: soon\n---\n", "unreadable", "createdAt is not a date", "2025-"),
        ("---\nid: x\nid: y\n---\n", "unreadable", "names id twice", "Remove one of them"),
        ("---js\nx\n---\n", "unreadable", "never run", "in YAML"),
        ("---json\n{\n---\n", "unreadable", "not valid JSON", "in YAML"),
        (b"---\nid: x\n---\n\xff", "unreadable", "not UTF-8", "as UTF-8"),
        (b"---\nid: x\n---\n\0", "unreadable", "zero bytes", "a text file"),
        (
            "---\nid: x\n<<<<<<< a\nb: 1\n=======\n>>>>>>> b\n---\n",
            "conflict",
            "conflict marker",
            "Keep what",
        ),
        ("---\nid: x\n---\n<<<<<<< a\n=======\n>>>>>>> b\n", "conflict", "markers, line 1", "Keep what"),
        ("---\nid: x\n# conflict: id: y (theirs)\n---\n", "conflict", "left open: id: y", "Set the field"),
    ],
)
def test_a_flawed_file_is_reported_with_advice(
    root: Path, text: str | bytes, kind: str, words: str, advice: str
) -> None:
    path = write(root, "issues/x.md", text)

    finding = only(root)

    assert about(finding) == (kind, path, False)
    assert words in finding.problem
    assert advice in finding.advice


def test_a_reference_to_a_missing_issue_is_reported(root: Path) -> None:
    path = issue(root, 1, blockedBy="[ISS-000009]", wranglerContext="{parentTaskId: SPEC-000007}")

    found = doctor(root).findings()

    assert [about(finding) for finding in found] == [("reference", path, False)] * 2
    assert "ISS-000009, and there is no such issue" in found[0].problem
    assert "SPEC-000007" in found[1].problem


def test_a_parent_that_is_not_an_issue_is_ignored(root: Path) -> None:
    issue(root, 1, wranglerContext="{parentTaskId: task-42}")

    assert doctor(root).findings() == []


def test_a_reference_by_number_or_name_becomes_the_id(root: Path) -> None:
    issue(root, 1)
    issue(root, 2)
    path = issue(root, 3, blockedBy="['1', ISS-2, ISS-000002-number-2]")

    found = doctor(root).findings()
    checkup = doctor(root).repair()

    assert [about(finding) for finding in found] == [("reference", path, True)] * 3
    assert (len(checkup.repaired), checkup.findings) == (3, [])
    assert IssueStore(root, environ={}).find("3").blocked_by == ("ISS-000001", "ISS-000002")


@pytest.mark.parametrize(("waits", "words"), [({1: 1}, "itself"), ({1: 2, 2: 3, 3: 1}, "each other")])
def test_issues_that_wait_for_each_other_are_reported(root: Path, waits: dict[int, int], words: str) -> None:
    for number, other in waits.items():
        issue(root, number, blockedBy=f"[ISS-{other:06d}]")

    finding = only(root)

    assert (finding.kind, finding.is_repairable) == ("cycle", False)
    names = [f"ISS-{number:06d}" for number in waits]
    assert words in finding.problem
    assert " → ".join([*names, names[0]]) in finding.problem


def test_a_cycle_through_a_closed_issue_blocks_nothing(root: Path) -> None:
    issue(root, 1, blockedBy="[ISS-000002]")
    path = issue(root, 2, blockedBy="[ISS-000001]", status="closed")
    (root / path).rename((root / path).with_name("moved.md"))
    (root / FOLDER / "archived").mkdir()
    (root / FOLDER / "moved.md").rename(root / FOLDER / "archived/moved.md")

    assert doctor(root).findings() == []


@pytest.mark.parametrize(
    ("name", "header", "home"),
    [
        ("issues/a.md", "status: closed", "issues/archived"),
        ("issues/archived/a.md", "status: open", "issues"),
        ("issues/a.md", "type: specification", "specifications"),
        ("ideas/archived/a.md", "type: issue\nstatus: cancelled", "issues/archived"),
    ],
)
def test_a_misplaced_file_is_moved_to_where_it_belongs(root: Path, name: str, header: str, home: str) -> None:
    path = write(root, name, f"---\nid: x\n{header}\n---\nText.\n")
    before = (root / path).read_bytes()

    finding = only(root)
    doctor(root).repair()

    assert about(finding) == ("misplaced", path, True)
    assert finding.problem.endswith(f"it belongs in .wrangler/{home}.")
    assert (root / f".wrangler/{home}/a.md").read_bytes() == before
    assert doctor(root).findings() == []


@pytest.mark.parametrize("text", ["# No header\n", "---\nid: x\n---\n", "---\nid: x\nstatus: review\n---\n"])
def test_a_file_without_type_and_status_may_stay_in_an_archive(root: Path, text: str) -> None:
    write(root, "issues/archived/x.md", text)

    assert [one for one in doctor(root).findings() if one.kind == "misplaced"] == []


def test_a_file_under_two_names_is_one_file(root: Path) -> None:
    path = issue(root, 1, status="closed")
    (root / FOLDER / "archived").mkdir()
    (root / FOLDER / "archived/ISS-000001-number-1.md").hardlink_to(root / path)

    finding = only(root)
    doctor(root).repair()

    assert about(finding) == ("misplaced", path, True)
    assert [entry.path for entry in IssueStore(root, environ={}).entries()] == [
        f"{FOLDER}/archived/ISS-000001-number-1.md"
    ]
    assert not (root / path).exists()


def test_a_file_named_after_another_issue_is_for_a_person(root: Path) -> None:
    issue(root, 1)
    path = write(root, "issues/ISS-000001-x.md", PLAIN.format(id="ISS-000002", title="X", status="open"))

    assert about(only(root)) == ("name", path, False)


def test_files_that_are_not_read_are_reported(root: Path) -> None:
    upper = write(root, "issues/UPPER.MD", "x")
    (root / FOLDER / "link.md").symlink_to(root.parent / "nowhere.md")

    assert [about(finding) for finding in doctor(root).findings()] == [
        ("left out", f"{FOLDER}/link.md", False),
        ("left out", upper, False),
    ]


def test_a_collection_that_is_a_file_is_reported(root: Path) -> None:
    write(root, "ideas", "Not a folder.")
    found = only(root)
    assert about(found) == ("left out", ".wrangler/ideas", False)
    assert found.problem == "It cannot be listed: Not a directory. No issue in it is seen."


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the mode of a folder does not stop root")
def test_an_unreadable_folder_is_reported(root: Path) -> None:
    path = write(root, "issues/team/ISS-000001.md", PLAIN)
    folder = (root / path).parent
    folder.chmod(0)
    try:
        found = only(root)
    finally:
        folder.chmod(0o755)
    assert about(found) == ("left out", f"{FOLDER}/team", False)
    assert "Permission denied" in found.problem


def test_torn_lines_and_missing_specifications_of_sessions_are_reported(root: Path) -> None:
    whole = {"id": "s1", "status": "running", "specFile": "gone.md", "startedAt": "2025-01-01T00:00:00Z"}
    write(root, "sessions/s1/context.json", json.dumps(whole))
    write(root, "sessions/s1/audit.jsonl", '{"phase": "init", "status": "complete"}\n{"phase": "pl')
    write(root, "sessions/s2/context.json", json.dumps({**whole, "id": "s2", "status": "completed"}))
    write(root, "sessions/s2/checkpoint.json", "{")

    found = [(finding.path.rpartition("/")[2], finding.problem) for finding in doctor(root).findings()]

    assert found == [
        ("s1", "audit.jsonl: line 2 is damaged and was left out."),
        ("s1", "Its specification gone.md no longer exists."),
        ("s2", "checkpoint.json is damaged and was left out."),
    ]


def test_an_examination_changes_no_byte_of_a_messy_workspace_and_leaves_git_clean(root: Path) -> None:
    messy.build(root)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "All")
    git(root, "status")  # which may rewrite the index
    before = messy.state(root)

    doctor(root).examine()

    assert messy.state(root) == before
    assert git(root, "status", "--porcelain", "--ignored").stdout == ""


async def test_the_tool_reports_and_leaves_repairs_to_people(root: Path) -> None:
    messy.build(root)
    before = messy.state(root)
    settings = Settings(sections={"issues": {"workspace": str(root)}})
    async with connect(issues, settings=settings) as client:
        seen = await client.call("init_workspace", doctor=True)
        assert messy.state(root) == before
        listed = await client.call("issues_list", status=["open"], limit=100)
        repair = await client.call("init_workspace", doctor=True, fix=True)
        await client.call("init_workspace", fix=True)
        shared = await client.call("issues_get", id="ISS-000020")
        refused = await client.call("init_workspace", doctor=True, projectRoot=".")

    assert messy.state(root).items() >= before.items()
    assert "a person with laconic issues doctor --fix repairs the 3 marked +" in seen.text
    assert "+ .wrangler/issues/ISS-000020-two.md: ISS-000020 is also" in seen.text
    assert "shared id: call it ISS-000020-two" in listed.text
    assert "doctor only reports. A person repairs the files: laconic issues doctor --fix" in repair.text
    assert 'ISS-000020-two ("Two of two")' in shared.text and "doctor" not in shared.text
    assert "leave out the roots" in refused.text
