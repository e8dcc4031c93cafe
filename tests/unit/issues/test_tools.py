"""The issue tools, requirement by requirement."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.testing import ERAS, TestClient, connect, tool_tokens
from laconic.servers.issues.tools import issues
from tests.contract.test_issues import LIST_TOKENS


@asynccontextmanager
async def tracker(folder: Path, count: int = 0, **more: Any) -> AsyncIterator[TestClient]:
    settings = Settings(sections={"issues": {"workspace": str(folder)}}, **more)
    async with connect(issues, settings=settings) as client:
        for number in range(1, count + 1):
            await client.call(
                "issues_create",
                title=f"Fix the login timeout {number}",
                description=f"It fails after {number} seconds.\n\n## Steps\n\nWait.",
                labels=["bug", "auth"] if number % 2 else ["bug"],
                priority="high" if number % 3 else "low",
            )
        yield client


def _files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.md")}


@pytest.mark.requirement("000-FR-001")
async def test_the_list_has_three_formats_and_summary_is_the_default(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        usual = await client.call("issues_list")
        minimal = await client.call("issues_list", format="minimal")
        full = await client.call("issues_list", format="full")
    assert re.match(
        r"Found 3 issue\(s\):\nISS-000003 \[open\] 20[\d-]+ low Fix the login timeout 3 \[bug, auth\]\n",
        usual.text,
    )
    assert minimal.text.splitlines()[1] == "ISS-000003 [open] Fix the login timeout 3"
    assert "It fails after 3 seconds." in full.text
    assert "It fails" not in usual.text


@pytest.mark.requirement("000-FR-002")
async def test_only_the_fields_asked_for_are_given(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        whole = await client.call("issues_get", id="ISS-000001")
        some = await client.call("issues_get", id="ISS-000001", fields=["title", "labels"])
        dates = await client.call("issues_get", id="ISS-000001", fields=["dates"])
    assert whole.text.startswith("# Fix the login timeout 1\n\n**ID:** ISS-000001\n**Type:** issue")
    assert "## Description\n\n<description>\nIt fails" in whole.text
    assert some.text == "id: ISS-000001\ntitle: Fix the login timeout 1\nlabels: bug,auth"
    assert re.search(r"createdAt: \d{4}-\d\d-\d\dT", dates.text)


@pytest.mark.requirement("000-FR-003")
async def test_a_search_shows_excerpts_only_when_asked(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        without = await client.call("issues_search", query="after 2 seconds")
        with_them = await client.call("issues_search", query="after 2 seconds", includeDescription=True)
    assert without.text.splitlines()[0] == 'Found 1 issue(s) matching "after 2 seconds":'
    assert "It fails" not in without.text
    assert "It fails after 2 seconds." in with_them.text


@pytest.mark.requirement("000-FR-004")
@pytest.mark.requirement("000-FR-005")
async def test_pages_tell_how_to_continue_and_a_search_has_them_too(tmp_path: Path) -> None:
    async with tracker(tmp_path, 7) as client:
        first = await client.call("issues_list", limit=3)
        second = await client.call("issues_list", cursor=first.cursor, limit=3)
        found = await client.call("issues_search", query="timeout", limit=5)
        rest = await client.call("issues_search", cursor=found.cursor)
    assert f"4 more items match. Pass cursor '{first.cursor}' to see next page." in first.text
    assert not set(re.findall(r"ISS-\d+", first.text)) & set(re.findall(r"ISS-\d+", second.text))
    assert len(re.findall(r"ISS-\d+", rest.text)) == 2


@pytest.mark.requirement("000-FR-006")
async def test_a_batch_read_returns_existing_issues_and_lists_missing_ones(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        reply = await client.call("issues_get_batch", ids=["ISS-000001", "ISS-000044"], fields=["status"])
        too_many = await client.call("issues_get_batch", ids=["ISS-000001"] * 51)
    assert "ISS-000001\topen" in reply.text
    assert "Failed: ISS-000044: Issue ISS-000044 not found." in reply.text
    assert "Expected: list of 1 to 50 items, each string of at least 1 character." in too_many.text


@pytest.mark.requirement("000-FR-007")
async def test_a_batch_update_applies_what_it_can(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        updates = [{"id": "ISS-000001", "status": "closed"}, {"id": "ISS-000044", "status": "open"}]
        reply = await client.call("issues_update_batch", updates=updates)
        odd = [{"id": "2", "title": "x"}, {"id": "1", "status": "done"}, {"id": "2", "priority": "low"}]
        wrong = await client.call("issues_update_batch", updates=odd)
        nameless = await client.call("issues_update_batch", updates=[{"status": "open"}])
        none = await client.call("issues_update_batch", updates=[])
    assert reply.text.startswith("Updated 1 of 2 issues:\nISS-000001: status was open")
    assert wrong.text.startswith("Updated 1 of 3 issues:\nISS-000002: priority was high")
    assert "Failed: 2: Unknown argument 'title'. Arguments: id, status, priority" in wrong.text
    assert "Failed: 1: Invalid status 'done'. Valid values: open, in_progress" in wrong.text
    assert "Failed: item 0: Missing id" in nameless.text
    assert "Expected: list of 1 to 50 items, each object with id, status" in none.text


@pytest.mark.requirement("000-FR-008")
@pytest.mark.parametrize("group", ["status", "priority", "project", "assignee", "type"])
async def test_counts_by_each_field(tmp_path: Path, group: str) -> None:
    async with tracker(tmp_path, 4) as client:
        reply = await client.call("issues_stats", groupBy=group, labels=["auth"])
    assert reply.text.startswith(f"2 issues by {group}:\n")


@pytest.mark.requirement("000-FR-009")
@pytest.mark.requirement("000-FR-010")
async def test_annotations_are_complete_and_honest(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}
    for name in (
        "issues_list",
        "issues_search",
        "issues_get",
        "issues_get_batch",
        "issues_stats",
        "session_get",
    ):
        assert hints[name]["readOnlyHint"], name
    assert hints["issues_delete"]["destructiveHint"]
    for name in ("issues_mark_complete", "issues_update", "session_phase", "session_checkpoint"):
        assert hints[name]["idempotentHint"], name
    assert not hints["issues_labels"]["readOnlyHint"]  # it can write, whatever one operation does


@pytest.mark.requirement("000-FR-011")
@pytest.mark.requirement("000-FR-012")
@pytest.mark.parametrize("era", ERAS)
async def test_a_missing_issue_comes_with_advice_on_finding_one(tmp_path: Path, era: str) -> None:
    async with connect(
        issues, era=era, settings=Settings(sections={"issues": {"workspace": str(tmp_path)}})
    ) as client:
        reply = await client.call("issues_get", id="ISS-000099")
    assert reply.error["code"] == "ISSUE_NOT_FOUND"
    assert "Issue ISS-000099 not found." in reply.text
    assert "issues_list" in reply.text


@pytest.mark.requirement("000-FR-013")
async def test_a_wrong_value_names_field_and_choices(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        reply = await client.call("issues_update", id="ISS-000001", priority="urgent")
    assert "Invalid priority 'urgent'. Valid values: low, medium, high, critical." in reply.text


@pytest.mark.requirement("000-FR-014")
@pytest.mark.requirement("000-FR-015")
async def test_an_outside_edit_is_seen_by_the_next_call(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        await client.call("issues_list")
        (file,) = (tmp_path / ".wrangler" / "issues").glob("ISS-000001*.md")
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("status: open", "status: in_progress"), encoding="utf-8")
        seen = await client.call("issues_list")
        file.unlink()
        gone = await client.call("issues_list")
    assert "[in_progress]" in seen.text
    assert gone.text == "There are no issues."


async def test_two_agents_never_hold_the_same_issue(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        mine = await client.call("issues_update", id="1", claim=True, assignee="ann")
        theirs = await client.call("issues_update", id="1", claim=True, assignee="bob")
        again = await client.call("issues_update", id="1", claim=True, assignee="ann")
    assert mine.text == "Updated ISS-000001: status was open (now in_progress), assignee was none."
    assert "is held by ann" in theirs.text
    assert again.text == "Nothing changed."


async def test_a_claim_needs_an_assignee(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        reply = await client.call("issues_update", id="1", claim=True)
        seen = await client.call("issues_list", format="minimal")
    assert "Missing assignee: claim needs it." in reply.text
    assert "ISS-000001 [open]" in seen.text


async def test_blockers_are_stored_by_id_and_never_in_a_cycle(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        await client.call("issues_update", id="1", blockedBy=["2", "iss-2"])
        reply = await client.call("issues_get", id="1", fields=["blockedBy"])
        circle = await client.call("issues_update", id="2", blockedBy=["3", "1"])
        itself = await client.call("issues_update", id="3", blockedBy=["3"])
        unknown = await client.call("issues_create", title="x", description="x", blockedBy=["77"])
        ready = await client.call("issues_list", ready=True, format="minimal")
    assert reply.text == "id: ISS-000001\nblockedBy: ISS-000002"
    assert (
        "ISS-000002 would wait for itself: ISS-000001 waits for it already. Leave ISS-000001" in circle.text
    )
    assert "ISS-000003 would wait for itself. Leave ISS-000003 out." in itself.text
    assert "Issue 77 not found." in unknown.text
    assert re.findall(r"ISS-\d+", ready.text) == ["ISS-000002", "ISS-000003"]


async def test_a_file_may_refer_to_its_blockers_in_any_form(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        (file,) = (tmp_path / ".wrangler" / "issues").glob("ISS-000001*.md")
        text = file.read_text(encoding="utf-8")
        for name, blocked in (("'2'", True), ("ISS-000002", True), ("gone", False)):
            file.write_text(text.replace("\nid:", f"\nblockedBy: [{name}]\nid:", 1), encoding="utf-8")
            ready = await client.call("issues_list", ready=True, format="minimal")
            assert ("ISS-000001" not in ready.text) == blocked, name


async def test_an_equal_title_is_mentioned_and_the_id_still_comes_last(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        await client.call("issues_create", title="Twice", description="x")
        reply = await client.call("issues_create", title="Twice", description="x")
    assert reply.text == "ISS-000001 has the same title. Created with ID: ISS-000002"


async def test_a_search_that_found_only_the_words_says_so(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2, output="both") as client:
        words = await client.call("issues_search", query="timeout login")
        whole = await client.call("issues_search", query="login timeout")
    remark = "No issue contains the exact query; these contain all of its words."
    assert words.text.startswith(f'Found 2 issue(s) matching "timeout login":\n{remark}\nISS-')
    assert words.structured["_notes"] == [remark]
    assert remark not in whole.text and "_notes" not in whole.structured


async def test_ready_means_open_free_and_unblocked_most_urgent_first(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        await client.call("issues_create", title="Held", description="x", assignee="ann")
        await client.call("issues_update", id="1", blockedBy=["ISS-000002"])
        blocked = await client.call("issues_list", ready=True, format="minimal")
        await client.call("issues_mark_complete", id="2")
        free = await client.call("issues_list", ready=True, format="minimal")
    assert re.findall(r"ISS-\d+", blocked.text) == ["ISS-000002", "ISS-000003"]
    assert re.findall(r"ISS-\d+", free.text) == ["ISS-000001", "ISS-000003"]


async def test_a_note_is_added_once_and_closing_archives(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        await client.call("issues_mark_complete", id="1", note="Shipped.")
        before = _files(tmp_path)
        await client.call("issues_mark_complete", id="1", note="Shipped.")
    assert before == _files(tmp_path)
    assert [path.parent.name for path in before] == ["archived"]


@pytest.mark.parametrize("body", [b"caf\xe9 one\r\ntwo\r\n", "\n  in\u0301dented\n\n\ntwo\n".encode()])
async def test_a_note_leaves_every_byte_before_it_alone(tmp_path: Path, body: bytes) -> None:
    folder = tmp_path / ".wrangler" / "issues"
    folder.mkdir(parents=True)
    head = b"---\nid: ISS-000001\ntitle: One\n---\n"
    (folder / "ISS-000001-one.md").write_bytes(head + body)
    async with tracker(tmp_path) as client:
        await client.call("issues_mark_complete", id="1", note="Shipped.")
    after = (folder / "archived" / "ISS-000001-one.md").read_bytes()
    assert body.rstrip() in after
    assert (b"\r\n\r\n---\r\n" in after) == (b"\r\n" in body)
    assert after.rstrip().endswith(b"Shipped.")


async def test_a_null_can_be_kept_as_metadata(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        await client.call("issues_metadata", operation="set", issueId="1", key="parent", value=None)
        reply = await client.call("issues_metadata", operation="get", issueId="1")
    assert reply.text == 'Metadata of ISS-000001: {"parent":null}'


async def test_callers_that_pass_a_type_next_to_the_filters_are_understood(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        reply = await client.call("issues_search", query="timeout", type="specification")
    assert reply.text.startswith("No issues match")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"type": "specification"}, ""),
        ({"project": "core", "status": "open"}, "ISS-000003"),
        ({"filters": {"limit": 1, "offset": 1}}, "ISS-000002"),
        (
            {"filters": {"createdAfter": "2026-01-01", "createdBefore": "2999-01-01T00:00:00"}, "limit": 1},
            "3",
        ),
        ({"filters": {"createdBefore": "2026-01-01"}}, ""),
        ({"labels": "core, ui"}, "ISS-000002"),
    ],
)
async def test_a_search_understands_filters_where_callers_put_them(
    tmp_path: Path, arguments: dict[str, Any], found: str
) -> None:
    async with tracker(tmp_path, 3) as client:
        await client.call("issues_update", id="3", project="core")
        await client.call("issues_update", id="2", labels=["ui"])
        await client.call("issues_update", id="3", description="timeout timeout timeout")
        reply = await client.call("issues_search", query="timeout", **arguments)
    assert not reply.failed, reply.text
    ids = re.findall(r"ISS-\d+", reply.text)
    assert len(ids) == bool(found) and "".join(ids).endswith(found)


async def test_filters_next_to_the_query_apply_to_the_next_page_too(tmp_path: Path) -> None:
    async with tracker(tmp_path, 7) as client:
        first = await client.call("issues_search", query="timeout", priority=["high"], limit=2)
        rest = await client.call("issues_search", cursor=first.cursor, limit=100)
    assert len(re.findall(r"ISS-\d+", first.text + rest.text)) == 5
    assert " low " not in first.text + rest.text


async def test_an_unknown_filter_is_named_with_its_path(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        reply = await client.call("issues_search", query="x", filters={"statuz": ["open"]})
        beside = await client.call("issues_search", querry="x")
    assert "Unknown argument 'filters.statuz'. Did you mean 'status'?" in reply.text
    assert "Unknown argument 'querry'. Did you mean 'query'?" in beside.text


@pytest.mark.requirement("000-NFR-tokens")
async def test_answers_and_the_tool_list_keep_their_budgets(tmp_path: Path) -> None:
    async with tracker(tmp_path, 20) as client:
        minimal = await client.call("issues_list", limit=20, format="minimal")
        summary = await client.call("issues_list", limit=20)
        listed = sum(tool_tokens(tool) for tool in await client.tools())
    assert minimal.tokens <= 300
    assert summary.tokens <= 850
    assert listed <= LIST_TOKENS
