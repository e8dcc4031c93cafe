"""Text and diff in one answer, of a real git repository."""

import asyncio
from pathlib import Path

import pytest

from examples.branch import Git, toolset
from laconic.kit import Settings
from laconic.kit.testing import ERAS, connect
from tests.examples.conftest import MakeStandIn, git, names


def of(folder: Path) -> Settings:
    return Settings(sections={"branch": {"workspace": str(folder)}})


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-5.1")
async def test_a_branch_is_a_summary_and_a_diff(era: str, repository: Path) -> None:
    async with connect(toolset, era=era, settings=of(repository)) as client:
        reply = await client.call("branch_review", branch="my-change")

    text, diff = reply.result.content
    assert (text.type, diff.type) == ("text", "resource")
    assert text.text.startswith("## my-change, beyond main\n")
    assert "Say when to reef (Ann)" in text.text and "1 file changed, 1 insertion(+)" in text.text
    assert "Begin the guide" not in text.text
    assert (str(diff.resource.uri), diff.resource.mime_type) == ("branch://my-change/diff", "text/x-diff")
    assert "\n+Reef early." in diff.resource.text


async def test_a_branch_without_changes_is_text_alone(repository: Path) -> None:
    async with connect(toolset, settings=of(repository)) as client:
        reply = await client.call("branch_review", branch="main", base="my-change")

    assert [block.type for block in reply.result.content] == ["text"]
    assert "No commits." in reply.text


@pytest.mark.parametrize("name", ["--output=stolen", "-p", "my-change;ls", "main..my-change", "a b", ""])
async def test_what_looks_like_an_option_or_a_range_never_reaches_git(repository: Path, name: str) -> None:
    async with connect(toolset, settings=of(repository)) as client:
        replies = [
            await client.call("branch_review", branch=name),
            await client.call("branch_review", branch="my-change", base=name),
        ]

    assert all(reply.failed for reply in replies)
    assert names(repository) == [".git", "guide.md"]


async def test_an_unknown_branch_is_said_with_the_nearest(repository: Path) -> None:
    async with connect(toolset, settings=of(repository)) as client:
        reply = await client.call("branch_review", branch="my-chang")

    assert "Branch my-chang not found. Did you mean my-change?" in reply.text


async def test_a_tag_of_the_same_name_is_not_taken_for_the_branch(repository: Path) -> None:
    git(repository, "tag", "my-change", "main")
    async with connect(toolset, settings=of(repository)) as client:
        reply = await client.call("branch_review", branch="my-change")

    assert "1 file changed" in reply.text


async def test_a_folder_without_a_repository_fails_in_words(workspace: Path) -> None:
    async with connect(toolset, settings=of(workspace)) as client:
        reply = await client.call("branch_review", branch="main")

    assert "Check that the workspace is a git repository." in reply.text


async def test_no_program_that_the_repository_names_is_run(repository: Path) -> None:
    mark = repository.parent / "ran"
    script = repository.parent / "script"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
    script.chmod(0o755)
    for key in ("diff.external", "diff.md.textconv", "core.fsmonitor", "core.pager"):
        git(repository, "config", key, str(script))
    (repository / ".git" / "info" / "attributes").write_text("*.md diff=md\n", encoding="utf-8")
    async with connect(toolset, settings=of(repository)) as client:
        reply = await client.call("branch_review", branch="my-change")

    assert "Reef early." in reply.result.content[1].resource.text
    assert not mark.exists()


async def test_git_ends_when_nobody_waits_for_it(workspace: Path, stand_in: MakeStandIn) -> None:
    sleeper = stand_in("git", "exec sleep 60")
    waiting = asyncio.create_task(Git(str(workspace))("log"))
    await sleeper.started()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    await sleeper.ended()
