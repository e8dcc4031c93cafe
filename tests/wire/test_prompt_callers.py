"""Over HTTP, a source of prompts is asked for each caller by name: nobody gets the prompts of another."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as t
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from laconic.kit import Caller, PromptEntry, Tokens, Toolset
from laconic.kit.testing import ERAS
from tests.wire.posting import posting

OWN = {"token|ann": "ann_letter", "token|bob": "bob_letter"}
TOKENS = Tokens(resource="http://127.0.0.1/mcp", static={"ann": "ann-s-token", "bob": "bob-s-token"})


class Drawers:
    """One prompt for each caller."""

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        return [PromptEntry(OWN[caller.name])] if after is None else []

    async def find(self, caller: Caller, name: str) -> PromptEntry | None:
        return PromptEntry(name, "", [("word", "", False)]) if OWN[caller.name] == name else None

    async def get(self, caller: Caller, entry: PromptEntry, arguments: Mapping[str, str]) -> str:
        return f"{entry.name} for {caller.name}"

    async def complete(
        self, caller: Caller, entry: PromptEntry, argument: str, typed: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        return [f"{argument} for {caller.name}"]


def drawers() -> Toolset:
    toolset = Toolset("drawers", provides=(Drawers,), prompt_source=Drawers)

    @toolset.factory
    async def opened(section: Any) -> AsyncIterator[Drawers]:
        yield Drawers()

    return toolset


@asynccontextmanager
async def client_with(token: str, url: str, era: str) -> AsyncIterator[Client]:
    """A client that sends a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(verify=False, timeout=30, headers=headers) as web,
        Client(streamable_http_client(url, http_client=web), mode=era) as client,
    ):
        yield client


@pytest.mark.parametrize("wire", ["lean", "sdk"])
@pytest.mark.parametrize("era", ERAS)
async def test_each_caller_lists_gets_and_completes_its_own_prompts(era: str, wire: str) -> None:
    async with (
        posting(wire, [drawers()], tokens=TOKENS) as site,
        client_with("ann-s-token", site.url, era) as ann,
        client_with("bob-s-token", site.url, era) as bob,
    ):
        for client, caller in ((ann, "token|ann"), (bob, "token|bob"), (ann, "token|ann")):
            name = OWN[caller]
            listed = await client.list_prompts(cache_mode="bypass")
            made = await client.get_prompt(name, {})
            reference = t.PromptReference(type="ref/prompt", name=name)
            completed = await client.complete(reference, {"name": "word", "value": ""})
            assert [prompt.name for prompt in listed.prompts] == [name]
            assert made.messages[0].content == t.TextContent(type="text", text=f"{name} for {caller}")
            assert completed.completion.values == [f"word for {caller}"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_caller_cannot_get_the_prompt_of_another(era: str) -> None:
    async with (
        posting("lean", [drawers()], tokens=TOKENS) as site,
        client_with("bob-s-token", site.url, era) as bob,
    ):
        with pytest.raises(MCPError, match="ann_letter"):
            await bob.get_prompt("ann_letter", {})
