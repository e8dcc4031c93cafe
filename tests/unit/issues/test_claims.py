"""Claims over all work trees of a clone, with real git: one holder, seen by all, released when done."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.issues.trees import make_trees, serving


async def test_an_issue_is_held_in_one_work_tree_only_and_all_are_told(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (main, login):
        mine = await login.claim("1", "agent-1")
        theirs = await main.claim("1", "agent-2")
        again = await login.claim("1", "agent-1")

        assert "assignee was none" in mine.text
        said = "Error [RESOURCE_LOCKED]: Issue ISS-000001 is held by agent-1 in worktree login. "
        assert theirs.text.startswith(said) and "takeOver: true" in theirs.text
        assert again.text == "Nothing changed."
        for tool, more in (
            ("issues_list", {}),
            ("issues_list", {"format": "minimal"}),
            ("issues_get", {"id": "1"}),
        ):
            assert "held by agent-1 in worktree login" in (await main.call(tool, **more)).text
        listed = (await login.call("issues_list")).text
        assert "@agent-1" in listed and "held by" not in listed
        assert "Claim:** held by agent-1" in (await login.call("issues_get", id="1")).text
        assert "assignee" not in main.file("1") and "claimedAt" in login.file("1")


async def test_what_another_work_tree_holds_or_has_finished_is_not_ready(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (main, login):
        await login.claim("1", "agent-1")
        while_held = await main.call("issues_list", ready=True)
        await login.call("issues_mark_complete", id="1")
        when_done = await main.call("issues_list", ready=True)
        claimed = await main.claim("1", "agent-2")
        await main.call("issues_update", id="1", title="Changed here since")
        since = await main.call("issues_list", ready=True)

        assert "Found 1 issue(s)" in while_held.text and "ISS-000002" in while_held.text
        assert "ISS-000001" not in when_done.text
        assert "Issue ISS-000001 is closed in worktree login. Merge its branch" in claimed.text
        assert "ISS-000001" in since.text, "ours is newer than theirs"


@pytest.mark.parametrize(
    "release",
    [
        {"tool": "issues_mark_complete"},
        {"tool": "issues_update", "status": "cancelled"},
        {"tool": "issues_update", "assignee": ""},
        {"tool": "issues_delete", "confirm": True},
    ],
)
async def test_whoever_is_done_releases_the_claim(tmp_path: Path, release: dict[str, Any]) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (main, login):
        await login.claim("1", "agent-1")
        await login.call(**release, id="1")

        assert "held by" not in (await main.call("issues_get", id="1")).text
        assert "held by agent" not in (await main.claim("1", "agent-2")).text


async def test_a_claim_is_taken_over_only_when_asked_for(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (main, login):
        await login.claim("1", "agent-1")
        edited = await main.call("issues_update", id="1", priority="high", assignee="")
        still = await main.claim("1", "agent-2")
        taken = await main.call("issues_update", id="1", takeOver=True, assignee="agent-2")
        theirs = await login.call("issues_get", id="1")
        closed = await login.call("issues_mark_complete", id="1")
        listed = await login.call("issues_list", status=["closed"])

        assert "Warning: It is held by agent-1 in worktree login." in edited.text
        assert "RESOURCE_LOCKED" in still.text
        assert "status was open (now in_progress), assignee was none" in taken.text
        assert "held by agent-2 in the main worktree" in theirs.text
        assert "Warning: It is held by agent-2 in the main worktree." in closed.text
        for seen in (listed, await login.call("issues_get", id="1")):
            assert "held by agent-2 in the main worktree" in seen.text, "closed here, worked on there"
        assert "held by agent-2" in (await main.call("issues_get", id="1")).text, "not theirs to release"


async def test_what_the_others_do_is_told_and_not_mixed_in(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (main, login):
        await login.claim("1", "agent-1", title="Renamed there")
        login.commit()
        await login.call("issues_update", id="1", priority="high")
        login.commit()
        made = login.create("Only there")
        seen = await main.call("issues_get", id="1")
        absent = await main.call("issues_get", id=made.id)

        assert "**Elsewhere:** in worktree login: in_progress, 2 commits ahead\n" in seen.text
        assert "# First\n" in seen.text and "**Priority:** medium" in seen.text
        assert absent.text.startswith(
            f"Error [ISSUE_NOT_FOUND]: Issue {made.id} not found. It is in worktree login: merge its branch"
        )
        assert "Elsewhere" not in (await login.call("issues_get", id="1")).text
        login.git("gc", "--quiet")
        assert "in worktree login: in_progress\n" in (await main.call("issues_get", id="1")).text, (
            "packed: no count"
        )
