"""Several parts in one answer: a branch of a local git repository as a summary and a diff.

The summary is text; the diff is a separate document, which a host may show as one.

    laconic call --server examples.branch:toolset branch_review branch=my-change base=main
    laconic serve examples.branch:toolset
"""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Mapping
from signal import SIGKILL
from typing import Annotated, Any

from pydantic import StringConstraints

from laconic.kit import Failure, NotFound, Resource, Text, Toolset
from laconic.text import nearest

Branch = Annotated[str, StringConstraints(pattern=r"^\w[\w./+-]*$", max_length=200)]  # never an option
DIFF = ("diff", "--no-ext-diff", "--no-textconv")  # no program that the repository names is run


class Git:
    """A repository, queried through the real git program."""

    def __init__(self, folder: str) -> None:
        self._git = ("git", "-C", folder, "-c", "core.fsmonitor=false")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = {**inherited, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8"}

    async def __call__(self, command: str, *words: str) -> str:
        """Run a command and return its output; it is stopped when nobody waits for it any more."""
        line = (*self._git, command, *words)
        process = await asyncio.create_subprocess_exec(
            *line, env=self._environment, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, process_group=0
        )
        try:
            said, _ = await process.communicate()
        finally:
            if process.returncode is None:  # out of time, or no longer wanted
                os.killpg(process.pid, SIGKILL)
                await process.wait()
        if process.returncode:
            raise Failure(f"git {command} failed.", advice="Check that the workspace is a git repository.")
        return said.decode(errors="replace").strip("\n")

    async def span(self, base: str, branch: str) -> str:
        """Name what a branch has beyond another, in git's words."""
        known = (await self("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")).splitlines()
        for name in (base, branch):
            if name not in known:
                raise NotFound("Branch", name, near=nearest(name, known))
        return f"refs/heads/{base}...refs/heads/{branch}"


toolset = Toolset("branch", "Branches of a git repository.", provides=(Git,))


@toolset.factory
async def open_repository(section: Mapping[str, Any]) -> AsyncIterator[Git]:
    """Open the repository of the workspace."""
    yield Git(str(section.get("workspace", ".")))


@toolset.read(hint="Name a branch of this repository, without refs/heads/.")
async def branch_review(
    git: Git,
    branch: Annotated[Branch, "What to review."],
    base: Annotated[Branch, "What it is to be merged into."] = "main",
) -> list[Text | Resource]:
    """Show what a branch changes: its commits, its files, and the diff."""
    span = await git.span(base, branch)
    commits = await git("log", "--right-only", "--format=- %h %s (%an)", span, "--")
    files, diff = await git(*DIFF, "--stat", span, "--"), await git(*DIFF, span, "--")
    summary = Text(f"## {branch}, beyond {base}\n\n{commits or 'No commits.'}\n\n{files}".rstrip())
    return [summary, Resource(f"branch://{branch}/diff", diff, "text/x-diff")] if diff else [summary]
