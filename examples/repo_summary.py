"""One tool made of four parts that run concurrently; a part that fails is left out and named.

Each part is a small function. The call fails only if all parts fail.

    laconic call --server examples.repo_summary:toolset repo_summary
    laconic serve examples.repo_summary:toolset
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from examples.branch import Git
from laconic.kit import Failure, Toolset, settle

toolset = Toolset("repo_summary", "A git repository at a glance.", provides=(Git,))


@toolset.factory
async def open_repository(section: Mapping[str, Any]) -> AsyncIterator[Git]:
    """Open the repository of the workspace."""
    yield Git(str(section.get("workspace", ".")))


async def branches(git: Git) -> str:
    """The branches, last changed first."""
    return await git("for-each-ref", "--sort=-committerdate", "--format=- %(refname:short)", "refs/heads")


async def commits(git: Git) -> str:
    """The last commits."""
    return await git("log", "--max-count=5", "--format=- %h %cs %s")


async def authors(git: Git) -> str:
    """Who wrote how much."""
    return await git("shortlog", "--summary", "--numbered", "HEAD")


async def release(git: Git) -> str:
    """The newest tag: not every repository has one."""
    tags = await git("tag", "--sort=-creatordate")
    if not tags:
        raise Failure("There is no tag yet.")
    return tags.splitlines()[0]


@toolset.read(deadline=20)
async def repo_summary(git: Git) -> str:
    """Sum up the repository: branches, last commits, authors, release."""
    parts = await settle(
        branches=branches(git), commits=commits(git), authors=authors(git), release=release(git)
    )
    sections = [f"## {name.title()}\n{text}" for name, text in parts.values.items()]
    return "\n\n".join([*sections, parts.missing()]).rstrip()
