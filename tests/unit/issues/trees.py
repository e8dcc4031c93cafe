"""A clone with several work trees, each with a server of its own, for the tests of claims and sessions."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.kit import Settings
from laconic.kit.testing import Reply, TestClient, connect
from laconic.servers.issues.tools import issues
from tests.unit.issues.clones import Clone, git


@dataclass(frozen=True)
class Tree(Clone):
    """One work tree, and a client of a server in it."""

    client: TestClient

    async def call(self, tool: str, **arguments: Any) -> Reply:
        return await self.client.call(tool, **arguments)

    async def claim(self, id: str, name: str, **more: Any) -> Reply:
        return await self.call("issues_update", id=id, claim=True, assignee=name, **more)


def make_trees(folder: Path, *names: str) -> list[Path]:
    """Makes a repository with two committed issues, and a work tree of each name beside it."""
    main = folder / "main"
    git(folder, "init", "--quiet", "main")
    clone = Clone(main)
    clone.create("First")
    clone.create("Second")
    clone.commit()
    for name in names:
        git(main, "worktree", "add", "--quiet", "-b", name, str(folder / name))
    return [main, *(folder / name for name in names)]


@asynccontextmanager
async def serving(*folders: Path, **section: Any) -> AsyncIterator[list[Tree]]:
    """Serves each folder by a server of its own."""
    async with AsyncExitStack() as open_now:
        trees = []
        for folder in folders:
            settings = Settings(sections={"issues": {"workspace": str(folder), **section}})
            client = await open_now.enter_async_context(connect(issues, settings=settings))
            trees.append(Tree(folder, client))
        yield trees
