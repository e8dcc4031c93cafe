"""The two extremes of the four hints: a pure function, and a destructive tool.

The verb sets the hints, and all four are always sent. A tool that differs from its verb declares why.

    laconic call --server examples.fibonacci:toolset calculate_fibonacci n=50
    laconic call --server examples.fibonacci:toolset branch_delete branch=try-sqlite --yes
    laconic serve examples.fibonacci:toolset
"""

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from laconic.kit import NotFound, Refused, Toolset
from laconic.text import nearest


class Repository:
    """A repository in memory, gone when the server ends."""

    def __init__(self) -> None:
        self.branches = ["fix-cursor", "main", "try-sqlite"]

    def delete(self, branch: str) -> None:
        """Delete a branch."""
        if branch not in self.branches:
            raise NotFound("Branch", branch, near=nearest(branch, self.branches))
        if branch == "main":
            raise Refused("The branch main is protected.", advice="Delete another one.")
        self.branches.remove(branch)


toolset = Toolset("fibonacci", "A pure function and a destructive tool.", provides=(Repository,))


@toolset.factory
async def open_repository(section: Mapping[str, Any]) -> AsyncIterator[Repository]:
    """Make the repository."""
    yield Repository()


@toolset.read
async def calculate_fibonacci(n: Annotated[int, Field(ge=0, le=90), "Which one."]) -> int:
    """Calculate the nth Fibonacci number."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@toolset.read
async def branch_list(repository: Repository) -> str:
    """List the branches."""
    return "\n".join(repository.branches)


@toolset.delete(
    hint="branch_list",
    confirm="Delete the branch {branch} for good?",
    open_world=True,
    because="a real one would reach another machine",
)
async def branch_delete(repository: Repository, branch: Annotated[str, "The branch's name."]) -> str:
    """Delete a branch for good."""
    repository.delete(branch)
    return f"Deleted {branch}."
