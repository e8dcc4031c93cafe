"""What the issue tools say about an effect is true when a file cannot be written."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.issues.test_tools import tracker

NOTHING = "This call changed nothing."
NOT_KNOWN = "It is not known whether anything was changed"


async def test_an_issue_that_cannot_be_written_changed_nothing_and_keeps_its_key_free(tmp_path: Path) -> None:
    async with tracker(tmp_path, 1) as client:
        folder = tmp_path / ".wrangler" / "issues"
        away = folder.rename(folder.with_name("away"))
        folder.write_text("a file where the folder should be")
        draft = {"title": "New", "description": "New.", "idempotencyKey": "k"}
        refused = await client.send("issues_create", draft)
        folder.unlink()
        away.rename(folder)
        made = await client.send("issues_create", draft)
    assert NOTHING in refused.text and refused.error["changed"] is False
    assert not made.failed, made.text


async def test_an_edit_that_is_written_is_a_success_though_its_file_cannot_be_moved(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with tracker(tmp_path, 1) as client:
        folder = tmp_path / ".wrangler" / "issues" / "archived"
        folder.symlink_to(tmp_path_factory.mktemp("outside"), target_is_directory=True)
        closed = await client.call("issues_update", id="ISS-000001", status="closed")
        shown = await client.call("issues_get", id="ISS-000001")
    assert not closed.failed, closed.text
    assert "leads out of the workspace" in closed.text
    assert "closed" in shown.text


@pytest.mark.parametrize("tool", ["session_start", "init_workspace"])
async def test_a_folder_that_does_not_exist_is_found_before_anything_is_changed(
    tmp_path: Path, tool: str
) -> None:
    arguments: dict[str, dict[str, Any]] = {
        "session_start": {"specFile": "a.md", "workingDirectory": "nowhere"},
        "init_workspace": {"projectRoot": "nowhere", "fix": True},
    }
    async with tracker(tmp_path) as client:
        refused = await client.send(tool, arguments[tool])
    assert refused.error["code"] == "FILE_NOT_FOUND"
    assert refused.error["changed"] is False
    assert NOT_KNOWN not in refused.text
