"""A messy workspace: everything is reachable, reading changes nothing, and no file hides another."""

import os
import subprocess
from pathlib import Path

import pytest

from laconic.kit import Conflict, NotFound
from laconic.servers.issues.models import Issue
from laconic.servers.issues.store import IssueStore
from tests.unit.issues import messy
from tests.unit.issues.conftest import Open


@pytest.fixture
def paths(root: Path) -> list[str]:
    return messy.build(root)


def read(store: IssueStore, name: str) -> Issue:
    return store.read(store.find(f".wrangler/{name}"))


def test_every_file_is_listed_once(store: IssueStore, paths: list[str]) -> None:
    assert sorted(entry.path for entry in store.entries()) == paths


def test_every_file_can_be_fetched_by_its_path(store: IssueStore, paths: list[str]) -> None:
    issues = [store.read(store.find(path)) for path in paths]

    assert [issue.path for issue in issues] == paths
    assert all(issue.model_dump_json() for issue in issues)


def test_every_file_is_found_by_its_name_or_the_others_with_that_name_are_listed(
    store: IssueStore, paths: list[str]
) -> None:
    for path in paths:
        try:
            found = store.find(Path(path).stem).path
        except Conflict as conflict:
            assert path in conflict.details["candidates"]
        else:
            assert found == path


def test_reading_everything_leaves_the_tree_as_it_was(root: Path, open_store: Open, paths: list[str]) -> None:
    before = messy.state(root.parent)
    store = open_store(cache=root.parent / "cache")

    for path in paths:
        store.read(store.find(path))
    store.search("something")
    store.fingerprint()
    store.close()

    after = {name: content for name, content in messy.state(root.parent).items() if "cache/" not in name}
    assert after == before


def test_reading_leaves_git_status_clean(root: Path, store: IssueStore, paths: list[str]) -> None:
    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
        return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "All")

    for path in paths:
        store.read(store.find(path))
    store.search("something")
    store.close()

    assert git("status", "--porcelain", "--ignored") == ""


def test_nothing_outside_the_workspace_is_read(store: IssueStore, paths: list[str]) -> None:
    assert sorted(store.left_out()) == messy.LEFT_OUT
    assert store.search("secret") == []
    for reference in ("ISS-000666", "../work-outside/secret.md", ".wrangler/issues/link-out.md"):
        with pytest.raises(NotFound):
            store.find(reference)


def test_no_file_is_run_as_code(
    root: Path, store: IssueStore, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)

    issue = read(store, "issues/ISS-000008-code.md")

    assert not (root / "owned").exists()
    assert issue.warnings == ["The header is js, which is not read and never run."]
    assert "Runs as code." in issue.description


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("ISS-000005-broken.md", "not valid YAML"),
        ("ISS-000006-conflict.md", "conflict marker, line 3"),
        ("ISS-000007-torn.md", "The text contains conflict markers, line 2."),
        ("ISS-000012-binary.md", "not UTF-8 text (byte 128)"),
        ("ISS-000013-latin.md", "not UTF-8 text (byte 39)"),
        ("ISS-000014-twice.md", "names title twice"),
        ("ISS-000016-open-ended.md", "never closed"),
    ],
)
def test_a_bad_file_carries_a_warning(store: IssueStore, paths: list[str], name: str, warning: str) -> None:
    assert any(warning in said for said in read(store, f"issues/{name}").warnings)


@pytest.mark.parametrize(
    "name", ["ISS-000001-plain.md", "ISS-000002-crlf.md", "ISS-000003-bom.md", "README.md", "empty.md"]
)
def test_a_good_file_carries_none(store: IssueStore, paths: list[str], name: str) -> None:
    assert read(store, f"issues/{name}").warnings == []


def test_readable_values_of_broken_headers_are_used(store: IssueStore, paths: list[str]) -> None:
    broken, conflict = (read(store, f"issues/ISS-00000{name}.md") for name in ("5-broken", "6-conflict"))

    assert (broken.id, broken.status, broken.description) == ("ISS-000005", "open", "Broken YAML.")
    assert (conflict.id, conflict.title, conflict.priority) == ("ISS-000006", "Conflict", "high")


def test_wrong_types_become_text_with_a_warning(store: IssueStore, paths: list[str]) -> None:
    issue = read(store, "issues/ISS-000010-types.md")

    assert (issue.title, issue.status, issue.assignee) == ("42", "['open']", "true")
    assert issue.labels == ["bug", "ui"]
    assert (issue.created_at, issue.updated_at, issue.wrangler_context) == (None, None, None)
    assert issue.warnings == [
        "title is a number, read as text.",
        "status is a list, read as text.",
        "labels is not a list.",
        "assignee is yes or no, read as text.",
        "createdAt is not a date.",
        "updatedAt is not a date.",
        "wranglerContext is not a mapping.",
    ]


def test_words_that_look_like_something_else_stay_words(store: IssueStore, paths: list[str]) -> None:
    issue = read(store, "issues/ISS-000011-words.md")

    assert (issue.title, issue.assignee, issue.project) == ("yes", "000123", "2025-01-01")
    assert issue.labels == ["no", "007", "1.10"]
    assert store.find("000124").title == "Bare"


def test_unknown_values_pass_as_they_are(store: IssueStore, paths: list[str]) -> None:
    issue = read(store, "issues/ISS-000015-unknown.md")

    assert (issue.type, issue.status, issue.priority) == ("epic", "review", "urgent")


def test_missing_values_have_defaults_except_dates(store: IssueStore, paths: list[str]) -> None:
    issue = read(store, "ideas/just-text.md")

    assert (issue.id, issue.title, issue.type) == ("just-text", "Untitled Issue", "idea")
    assert (issue.status, issue.priority, issue.labels) == ("open", "medium", [])
    assert (issue.created_at, issue.updated_at) == (None, None)
    assert issue.description == "An idea without a header."


def test_a_header_in_json_is_read_and_never_edited(root: Path, store: IssueStore, paths: list[str]) -> None:
    issue = read(store, "issues/ISS-000009-json.md")

    assert (issue.id, issue.title, issue.labels, issue.description) == (
        "ISS-000009",
        "Json",
        ["a"],
        "In JSON.",
    )
    with pytest.raises(Exception, match="header in JSON"):
        store.edit("ISS-000009", lambda header, _: header.set("title", "New"))


def test_a_shared_id_names_all_candidates_and_a_write_to_it_changes_nothing(
    root: Path, store: IssueStore, paths: list[str]
) -> None:
    before = messy.state(root)

    for act in (
        lambda: store.find("ISS-000020"),
        lambda: store.edit("ISS-000020", lambda header, _: header.set("title", "New")),
        lambda: store.delete("ISS-000020"),
    ):
        with pytest.raises(Conflict, match=r"ISS-000020-(one|two) .*ISS-000020-(one|two) ") as conflict:
            act()
        assert "Pass the name" in conflict.value.advice

    assert messy.state(root) == before


def test_one_of_several_can_be_changed_by_its_path(root: Path, store: IssueStore, paths: list[str]) -> None:
    before, after = store.edit(
        ".wrangler/ideas/000007-shared.md", lambda header, _: header.set("priority", "low")
    )

    assert (before.path, after.priority) == (".wrangler/ideas/000007-shared.md", "low")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the mode of a file does not stop root")
def test_a_file_that_may_not_be_read_is_listed_with_the_reason(
    root: Path, store: IssueStore, paths: list[str]
) -> None:
    (root / paths[0]).chmod(0)

    assert "cannot be read" in store.find(paths[0]).warnings[0]


def test_a_name_that_is_not_unicode_is_listed_too(root: Path, store: IssueStore) -> None:
    folder = root / ".wrangler/issues"
    folder.mkdir(parents=True)
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("Coffee.", encoding="utf-8")

    (entry,) = store.entries()

    assert entry.id == "caf\ufffd"
    assert store.read(store.find("caf\ufffd")).model_dump_json()
