"""What a change answers: one line, nothing the caller just said, and whether anything changed."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.issues.test_tools import tracker


async def test_a_change_is_answered_on_one_line_with_what_was_there_before(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        made = await client.call("issues_create", title="Slow list", description="Two seconds.", labels=["a"])
        one = await client.call("issues_update", id="ISS-000001", status="in_progress", assignee="ada")
        two = await client.call("issues_update", id="1", labels=["b"], description="Three.")
        done = await client.call("issues_mark_complete", id="ISS-000001")
        again = await client.call("issues_mark_complete", id="1", note="Really.")
    assert made.text == "Created with ID: ISS-000001"
    assert one.text == "Updated: status was open, assignee was none."
    assert two.text == "Updated ISS-000001: description, labels were a."
    assert done.text == "Closed."
    assert again.text == "ISS-000001 was already closed; the note was added."
    assert max(reply.tokens for reply in (made, one, two, done, again)) <= 14


async def test_the_data_of_a_change_has_the_old_values_too(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1, output="structured") as client:
        changed = await client.call("issues_update", id="1", status="in_progress", description="New.")
    assert changed.structured["was"] == {"description": None, "status": "open"}
    assert "title" not in changed.structured


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("issues_update", {"id": "ISS-000001", "priority": "high"}, "Nothing changed."),
        (
            "issues_labels",
            {"operation": "remove", "issueId": "1", "labels": ["x"]},
            "Nothing changed in ISS-",
        ),
        ("issues_labels", {"operation": "add", "issueId": "1", "labels": ["bug"]}, "Nothing changed in ISS-"),
        ("issues_projects", {"operation": "remove", "issueId": "1"}, "ISS-000001 is already in no project."),
        ("issues_metadata", {"operation": "remove", "issueId": "1", "key": "x"}, "Nothing changed. Metadata"),
        (
            "issues_update_batch",
            {"updates": [{"id": "1", "priority": "high"}, {"id": "2", "priority": "low"}]},
            "Updated 1 of 2 issues:\nISS-000002: priority was high\n\nNothing to change: ISS-000001.",
        ),
    ],
)
async def test_a_call_that_changed_nothing_says_so(
    tmp_path: Path, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with tracker(tmp_path, 2) as client:
        reply = await client.send(tool, arguments)
    assert reply.text.startswith(said), reply.text


async def test_an_item_of_a_batch_without_an_id_fails_alone(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        reply = await client.call(
            "issues_update_batch", updates=[{"status": "closed"}, {"id": "2", "status": "in_progress"}, "x"]
        )
    assert reply.text.startswith("Updated 1 of 3 issues:\nISS-000002: status was open")
    assert "Failed: item 0: Missing id" in reply.text
    assert "Failed: item 2: " in reply.text
