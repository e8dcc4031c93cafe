"""What the tools answer if something is wrong with a file, a name or a batch: as text and as data."""

import re
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.issues.sessions.service import Sessions
from tests.unit.issues.test_tools import tracker

BROKEN = "---\nid: ISS-000009\ntitle: [1, 2\nstatus: open\n---\nText.\n"


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / ".wrangler" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _issue(id: str, more: str = "", body: str = "Text.") -> str:
    return f"---\nid: {id}\ntitle: Of {id}\n{more}---\n{body}\n"


async def test_a_file_that_cannot_be_edited_fails_alone_in_a_batch(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        _write(tmp_path, "issues/ISS-000009-broken.md", BROKEN)
        updates = [{"id": id, "priority": "critical"} for id in ("1", "9", "3")]
        reply = await client.call("issues_update_batch", updates=updates)
        after = await client.call("issues_get_batch", ids=["1", "3"], fields=["priority"])
    assert not reply.failed
    assert reply.text.startswith("Updated 2 of 3 issues:\nISS-000001: priority was high")
    assert "Failed: 9: .wrangler/issues/ISS-000009-broken.md: The header is not valid YAML." in reply.text
    assert after.text.count("critical") == 2


async def test_each_of_a_batch_is_counted_also_where_an_id_comes_twice(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        updates = [
            {"id": "7", "status": "open"},
            {"id": "1", "status": "closed"},
            {"id": "7", "status": "open"},
        ]
        reply = await client.call("issues_update_batch", updates=updates)
    assert reply.text.startswith("Updated 1 of 3 issues:")
    assert "Failed: 7: Issue 7 not found." in reply.text
    assert "Failed: 7 (item 2): Issue 7 not found." in reply.text


async def test_an_update_without_a_field_is_not_reported_as_done(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        reply = await client.call("issues_update_batch", updates=[{"id": "1"}, {"id": "2", "labels": []}])
    assert reply.text.startswith("Updated 1 of 2 issues:\nISS-000002")
    assert "Failed: 1: It names nothing to change." in reply.text


async def test_a_shared_id_in_a_batch_comes_with_the_way_to_pick_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _write(tmp_path, f"issues/ISS-000001-{name}.md", _issue("ISS-000001"))
    async with tracker(tmp_path) as client:
        reply = await client.call("issues_get_batch", ids=["ISS-000001"])
    assert re.search(r"ISS-000001-(one|two) .*, ISS-000001-(one|two) .*Pass the name", reply.text)
    assert "init_workspace" not in reply.text


async def test_an_edit_that_is_refused_names_the_file_and_does_not_say_to_try_again(tmp_path: Path) -> None:
    _write(tmp_path, "issues/ISS-000009-broken.md", BROKEN)
    async with tracker(tmp_path) as client:
        reply = await client.call("issues_update", id="9", priority="low")
    assert reply.text == (
        "Error [PROVIDER_ERROR]: .wrangler/issues/ISS-000009-broken.md: The header is not valid YAML. "
        "It is unclear where the value of title ends. "
        "Fix the file by hand; trying again does not help."
    )


async def test_a_readme_is_listed_but_is_not_work_to_do(tmp_path: Path) -> None:
    _write(tmp_path, "issues/README.md", "# How we write issues\n")
    async with tracker(tmp_path, 1) as client:
        listed = await client.call("issues_list", format="minimal")
        ready = await client.call("issues_list", ready=True, format="minimal")
        await client.call("issues_mark_complete", id="1")
        complete = await client.call("issues_all_complete")
        named = await client.call("issues_all_complete", issueIds=["README"])
        await client.call("issues_update", id="README", status="open", title="Write it again")
        work = await client.call("issues_list", ready=True, format="minimal")
    assert "README [open]" in listed.text
    assert "README" not in ready.text
    assert complete.text == "All 1 issues complete."
    assert "Pending: README (open)" in named.text
    assert "README [open] Write it again" in work.text


@pytest.mark.parametrize("number", [2, "2", "#2", "iss-2"])
async def test_a_number_is_as_good_as_the_id(tmp_path: Path, number: object) -> None:
    async with tracker(tmp_path, 2) as client:
        one = await client.call("issues_get", id=number, fields=["status"])
        several = await client.call("issues_get_batch", ids=[number], fields=["status"])
        changed = await client.call("issues_update_batch", updates=[{"id": number, "priority": "low"}])
        await client.call("issues_update", id=1, blockedBy=[number])
        blocked = await client.call("issues_get", id=1)
    assert one.text.startswith("id: ISS-000002")
    assert "ISS-000002\topen" in several.text
    assert changed.text.startswith("Updated 1 of 1 issue:\nISS-000002")
    assert "**Blocked by:** ISS-000002" in blocked.text


async def test_a_blocker_must_exist_and_the_error_tells_how_to_find_one(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        reply = await client.call("issues_create", title="A", description="B", blockedBy=["ISS-000044"])
    assert "Issue ISS-000044 not found. issues_list or issues_search finds ids" in reply.text


async def test_an_issue_waits_for_every_file_that_its_blocker_could_be(tmp_path: Path) -> None:
    _write(
        tmp_path, "issues/ISS-000001-a.md", _issue("ISS-000001", "status: open\nupdatedAt: '2026-01-02'\n")
    )
    _write(tmp_path, "issues/ISS-000001-b.md", _issue("ISS-000001", "status: closed\n"))
    _write(tmp_path, "issues/ISS-000002.md", _issue("ISS-000002", "blockedBy: [ISS-000001]\n"))
    _write(tmp_path, "issues/ISS-000003.md", _issue("ISS-000003", "blockedBy: ['1']\n"))
    _write(tmp_path, "issues/ISS-000004.md", _issue("ISS-000004", "blockedBy: [ISS-000044]\n"))
    async with tracker(tmp_path) as client:
        ready = await client.call("issues_list", ready=True, format="minimal")
    assert re.findall(r"^(ISS-\d+) ", ready.text, re.MULTILINE) == ["ISS-000001", "ISS-000004"]


async def test_a_claim_of_a_blocked_issue_gets_a_warning(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        await client.call("issues_update", id="2", blockedBy=["1"])
        reply = await client.call("issues_update", id="2", claim=True, assignee="ann")
    assert "assignee was none" in reply.text
    assert reply.text.endswith("Warning: It waits for ISS-000001.")


async def test_a_closed_issue_is_reported_as_closed_whoever_had_it(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        await client.call("issues_update", id="1", assignee="ann", status="closed")
        reply = await client.call("issues_update", id="1", claim=True, assignee="bob")
    assert "Issue ISS-000001 is closed already." in reply.text


async def test_an_issue_created_as_closed_has_the_date(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        await client.call("issues_create", title="Old", description="Done long ago.", status="cancelled")
        dates = await client.call("issues_get", id="1", fields=["dates"])
    assert "closedAt: 20" in dates.text


async def test_a_text_with_zero_bytes_is_refused_rather_than_written(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        made = await client.call("issues_create", title="A\0", description="B")
        changed = await client.call("issues_update", id="1", description="a\0b")
        listed = await client.call("issues_list")
    assert "Invalid title: it contains a zero byte." in made.text
    assert "Invalid description: it contains a zero byte" in changed.text
    assert listed.text.startswith("Found 1 issue(s):") and "(!" not in listed.text


async def test_a_search_for_an_id_finds_the_issue_where_no_text_names_it(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        found = await client.call("issues_search", query="iss-000002")
        closed = await client.call("issues_search", query="ISS-000002", filters={"status": ["closed"]})
        word = await client.call("issues_search", query="2026")
        await client.call("issues_update", id="1", description="As ISS-000002 is.")
        said = await client.call("issues_search", query="ISS-000002")
    assert found.text.startswith(
        'Found 1 issue(s) matching "iss-000002":\n'
        "No text contains the query; this is the issue with that id.\nISS-000002 [open]"
    )
    assert closed.text.startswith("No issues match")
    assert word.text.startswith("No issues match")
    assert said.text.splitlines()[1].startswith("ISS-000001 ")


async def test_several_warnings_are_one_line(tmp_path: Path) -> None:
    _write(tmp_path, "issues/ISS-000001.md", _issue("ISS-000001", "status: 1\nlabels: a\n"))
    async with tracker(tmp_path) as client:
        reply = await client.call("issues_list", format="minimal")
    assert reply.text.endswith("(!status is a number, read as text; labels is not a list.)")


@pytest.mark.parametrize("output", ["text", "both"])
async def test_a_choice_of_fields_keeps_the_warnings(tmp_path: Path, output: Any) -> None:
    _write(tmp_path, "issues/ISS-000001.md", _issue("ISS-000001", "labels: a\n"))
    warning = "labels is not a list."
    async with tracker(tmp_path, output=output) as client:
        read = await client.call("issues_get", id="1", fields=["labels"])
        listed = await client.call("issues_list", fields=["labels"])
        several = await client.call("issues_get_batch", ids=["1"], fields=["description"])
    assert read.text.endswith(f"\n\nNote: {warning}")
    assert listed.text.endswith(f"\n\nNote: ISS-000001: {warning}")
    assert several.text.endswith(f"\n\nNote: ISS-000001: {warning}")


async def test_programs_get_the_warnings_of_the_text(tmp_path: Path) -> None:
    _write(tmp_path, "issues/ISS-000001.md", _issue("ISS-000001", "labels: a\n"))
    warning = "labels is not a list."
    async with tracker(tmp_path, output="structured") as client:
        listed = await client.call("issues_list")
        read = await client.call("issues_get", id="1")
        several = await client.call("issues_get_batch", ids=["1"])
        changed = await client.call("issues_update", id="1", priority="low")
        again = await client.call("issues_create", title="Of ISS-000001", description="B")
        clean = await client.call("issues_get", id="2")
    assert listed.structured["_notes"] == several.structured["_notes"] == [f"ISS-000001: {warning}"]
    assert read.structured["_notes"] == changed.structured["_notes"] == [warning]
    assert again.structured["_notes"] == ["ISS-000001 has the same title."]
    assert "_notes" not in clean.structured


@pytest.mark.parametrize("reference", ["SPEC-1", 1, "spec-000001", "SPEC-000001-faster"])
async def test_a_session_starts_with_whatever_names_a_specification(
    tmp_path: Path, reference: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRANGLER_SPECIFICATIONS_DIRECTORY", "docs/plans")
    path = tmp_path / "docs/plans/SPEC-000001-faster.md"
    path.parent.mkdir(parents=True)
    path.write_text(_issue("SPEC-000001"), encoding="utf-8")
    async with tracker(tmp_path) as client:
        started = await client.call("session_start", specFile=reference)
        session = await client.call("session_get")
    assert not started.failed, started.text
    assert "Spec: docs/plans/SPEC-000001-faster.md" in session.text


async def test_a_specification_that_could_be_two_is_not_guessed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _write(tmp_path, f"specifications/{name}.md", _issue("SPEC-000001"))
    async with tracker(tmp_path) as client:
        reply = await client.call("session_start", specFile="SPEC-000001")
    assert "SPEC-000001 could be 2 files" in reply.text


async def test_without_a_tracker_a_specification_is_found_by_its_files_name(tmp_path: Path) -> None:
    _write(tmp_path, "specifications/SPEC-000001-faster.md", _issue("SPEC-000001"))
    started = await Sessions(tmp_path).start("SPEC-000001")
    assert started.worktree_error
