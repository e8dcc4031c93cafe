"""The stage of a case: the servers of a suite on a new repository, library and practice data."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.cli.assemble import Prepared
from laconic.cli.configuration.options import ServerOptions
from laconic.evals.model import ToolCard
from laconic.evals.stage import Said, Stage, Stages
from laconic.kit.answers.content import Text
from laconic.kit.errors import Unknown
from laconic.kit.peer import NotSupported, SilentPeer

if TYPE_CHECKING:
    from laconic.evals.suite import Suite
    from laconic.kit.endpoint import Endpoint

__all__ = ["stages_of"]

_PROJECT: Final = "project"
_GIT: Final = ("git", "-c", "init.defaultBranch=main", "init", "--quiet", "--template=")


class _Servers:
    """The same servers twice: in words for the model, as data for the checks."""

    def __init__(
        self, shown: Endpoint, seen: Endpoint, instructions: str, tools: tuple[ToolCard, ...]
    ) -> None:
        self._shown, self._seen = shown, seen
        self.instructions, self.tools = instructions, tools

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Said:
        """Call a tool as a host would."""
        return await _said(self._shown, tool, arguments)

    async def look(self, tool: str, arguments: Mapping[str, Any]) -> Said:
        """Call a tool for the harness."""
        return await _said(self._seen, tool, arguments)


@contextmanager
def stages_of(suite: Suite) -> Iterator[Stages]:
    """Make stages for the cases of a suite; all of them and what they share are gone in the end."""
    with tempfile.TemporaryDirectory(prefix="laconic-eval-", ignore_cleanup_errors=True) as whole:

        @asynccontextmanager
        async def stage() -> AsyncIterator[Stage]:
            folder = Path(await asyncio.to_thread(tempfile.mkdtemp, dir=whole))
            try:
                async with _servers(suite, folder, Path(whole) / "cache") as servers:
                    yield servers
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

        yield stage


@asynccontextmanager
async def _servers(suite: Suite, folder: Path, cache: Path) -> AsyncIterator[Stage]:
    project = folder / _PROJECT
    project.mkdir()
    await asyncio.to_thread(subprocess.run, _GIT, cwd=project, check=True, capture_output=True)
    shown, seen = (_prepared(suite, folder, cache, output) for output in ("text", "both"))
    one, other = shown.endpoint, seen.endpoint
    try:
        listed = shown.listing.tools
        tools = tuple(ToolCard(tool["name"], tool["description"], tool["inputSchema"]) for tool in listed)
        yield _Servers(one, other, shown.listing.instructions, tools)
    finally:
        await one.close()
        await other.close()


def _prepared(suite: Suite, folder: Path, cache: Path, output: str) -> Prepared:
    """Prepare the servers: nothing of the user's own is read or written, and no configuration file."""
    return Prepared(
        ServerOptions(
            servers=tuple(suite.servers),
            tools=suite.profiles,
            workspace=folder / _PROJECT,
            sandbox=folder / "practice" if suite.sandbox else False,
            state=str(folder / "state"),
            cache=cache,  # of tool lists, which are the same for all cases
            database=str(folder / "library.db"),
            output=output,
            journal="off",
        )
    )


async def _said(endpoint: Endpoint, tool: str, arguments: Mapping[str, Any]) -> Said:
    try:
        answer = await endpoint.call_tool(tool, dict(arguments), SilentPeer())
    except NotSupported:
        return Said(f"{tool} asks the user a question, which nobody answers here.", None, True)
    except Unknown as error:  # a host would not even send it
        return Said(error.words, None, failed=True, is_unknown=True)
    text = "\n".join(block.text for block in answer.blocks if isinstance(block, Text))
    return Said(text, answer.structured, answer.failure is not None)
