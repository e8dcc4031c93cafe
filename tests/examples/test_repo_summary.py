"""Four concurrent parts; one that fails is left out and named."""

from pathlib import Path

import pytest

from examples.branch import Git
from examples.repo_summary import authors, branches, commits, release, toolset
from laconic.kit import Failure, Settings
from laconic.kit.testing import ERAS, connect
from tests.examples.conftest import git


def of(folder: Path) -> Settings:
    return Settings(sections={"repo_summary": {"workspace": str(folder)}})


@pytest.mark.parametrize("era", ERAS)
async def test_all_four_parts_are_in_the_answer(era: str, repository: Path) -> None:
    git(repository, "tag", "v1.0")
    async with connect(toolset, era=era, settings=of(repository)) as client:
        reply = await client.call("repo_summary")

    headings = [line for line in reply.text.splitlines() if line.startswith("## ")]
    assert headings == ["## Branches", "## Commits", "## Authors", "## Release"]
    assert "Left out" not in reply.text


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-9.3")
async def test_a_part_that_fails_is_left_out_and_said(era: str, repository: Path) -> None:
    async with connect(toolset, era=era, settings=of(repository)) as client:
        reply = await client.call("repo_summary")

    assert not reply.failed
    assert "## Release" not in reply.text
    assert reply.text.endswith("Left out: release (There is no tag yet.)")
    assert "- my-change" in reply.text and "Begin the guide" in reply.text


@pytest.mark.parametrize("era", ERAS)
async def test_when_every_part_fails_the_call_fails(era: str, workspace: Path) -> None:
    async with connect(toolset, era=era, settings=of(workspace)) as client:
        reply = await client.call("repo_summary")

    assert reply.failed
    assert "Check that the workspace is a git repository." in reply.text


@pytest.mark.requirement("003-9.1")
async def test_each_part_can_be_had_alone(repository: Path) -> None:
    ask = Git(str(repository))
    git(repository, "tag", "v1.0")

    assert sorted((await branches(ask)).splitlines()) == ["- main", "- my-change"]
    assert (await commits(ask)).endswith(" Begin the guide")
    assert (await authors(ask)).split() == ["1", "Ann"]
    assert await release(ask) == "v1.0"


async def test_a_repository_without_a_tag_has_no_release(repository: Path) -> None:
    with pytest.raises(Failure, match="There is no tag yet"):
        await release(Git(str(repository)))
