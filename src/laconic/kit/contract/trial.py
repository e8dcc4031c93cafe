"""A tool on trial: a fresh world, a client connected to it, and one tool to call."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from laconic.kit.contract.terms import Broken, Terms, Untried
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Answer, Output
from laconic.kit.testing import ERAS, Over, Reply, TestClient, connect

__all__ = ["Declared", "Trial", "on_trial"]

# what differs between two runs of the same call: cursors, handles, trace ids, UUIDs, times
_VOLATILE = (
    r"Pass cursor '[\w-]+'",
    r"""next\w*\\*": ?\\*"[\w-]{16,}""",  # in data, and in the text of data
    r"handle='[a-z2-9]{16}'",
    r"Trace [0-9a-f]{8}\.",
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)",
)


@dataclass(frozen=True)
class Declared:
    """One tool as it is declared and listed, without a call."""

    terms: Terms
    spec: ToolSpec

    @property
    def listed(self) -> dict[str, Any]:
        """Its definition on the wire."""
        return self.terms.listing[self.spec.name]

    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of its parameters, by name."""
        found: dict[str, Any] = self.listed["inputSchema"]["properties"]
        return found

    def broken(self, what: str, do: str = "") -> Broken:
        """Return the rule that this tool breaks."""
        return Broken(f"{self.spec.name}: {what}" + (f"\n  do:   {do}" if do else ""))


@dataclass(frozen=True)
class Trial(Declared):
    """One tool that can be called, in one output mode and one era of the protocol."""

    client: TestClient
    folder: Path
    output: Output
    era: str
    over: Over = "memory"

    @property
    def sample(self) -> dict[str, Any]:
        """Arguments that succeed.

        Raises:
            Untried: nobody gave any.
        """
        found = self.terms.samples.get(self.spec.name)
        if found is None:
            raise Untried(f"{self.spec.name} has no sample")
        return dict(found)

    async def send(self, arguments: Mapping[str, Any] | None) -> Reply:
        """Call the tool over the wire."""
        try:
            return await self.client.send(self.spec.name, arguments)
        except RuntimeError as error:  # the official client checks answers against the listed schema
            raise self.broken(f"the client refuses the answer: {error}") from None

    async def succeed(self, **more: Any) -> Reply:
        """Call the tool with its sample, which must succeed."""
        reply = await self.send({**self.sample, **more})
        if reply.failed:
            raise self.broken(f"the sample fails: {reply.text}", "give arguments that succeed in samples=")
        return reply

    async def answer(self, arguments: Mapping[str, Any]) -> Answer:
        """Call the tool without the wire; the answer still has the value that the function returned."""
        answer = await self.client.endpoint.call_tool(self.spec.name, arguments, SilentPeer())
        if answer.failure is not None:
            raise self.broken(f"a call fails: {answer.text}", f"it was called with {dict(arguments)}")
        return answer

    async def state(self) -> Any:
        """Return the present state of the store."""
        return await self.terms.state(self.folder, self.client)

    @asynccontextmanager
    async def fresh(self, era: str | None = None) -> AsyncIterator[Trial]:
        """Try the same tool in another world, set up the same way."""
        async with on_trial(self.terms, self.spec, self.output, era or self.era, self.over) as trial:
            yield trial

    @asynccontextmanager
    async def here(self, era: str) -> AsyncIterator[Trial]:
        """Try the same tool in this world with another client."""
        endpoint, answer = self.client.endpoint, self.terms.answer
        async with connect(endpoint=endpoint, era=era, answer=answer, over=self.over) as client:
            yield Trial(self.terms, self.spec, client, self.folder, self.output, era, self.over)

    def steady(self, reply: Reply) -> str:
        """Return everything in a reply that does not differ from run to run."""
        result = reply.result.model_dump(mode="json", include={"content", "structured_content", "is_error"})
        text = json.dumps(result, ensure_ascii=False, sort_keys=True, indent=1)
        for pattern in (*_VOLATILE, *filter(None, [self.terms.volatile])):
            text = re.sub(pattern, "…", text)
        return text


@asynccontextmanager
async def on_trial(
    terms: Terms, spec: ToolSpec, output: Output = "text", era: str = ERAS[-1], over: Over = "memory"
) -> AsyncIterator[Trial]:
    """Set up a world, connect a client to it, and put one tool on trial."""
    with TemporaryDirectory(prefix="laconic-") as name:
        folder = Path(name)
        endpoint = terms.endpoint(await terms.set_up(folder, output))
        try:
            async with connect(endpoint=endpoint, era=era, answer=terms.answer, over=over) as client:
                await _begin(terms, client)
                yield Trial(terms, spec, client, folder, output, era, over)
        finally:
            await endpoint.close()


async def _begin(terms: Terms, client: TestClient) -> None:
    """Make the calls that come first in every world."""
    for name, arguments in terms.before.items():
        reply = await client.send(name, arguments)
        if reply.failed:
            raise Broken(f"{name}: the call in before= fails: {reply.text}")
