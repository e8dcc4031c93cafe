"""An endpoint: where its state is, what it serves, and how long it waits."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from laconic.kit import Caller, Endpoint, PromptEntry, Settings, TimedOut, Toolset
from laconic.kit.peer import SilentPeer
from laconic.stores import MemoryStore

PEER = SilentPeer()


def _letters(sent: list[str]) -> Toolset:
    letters = Toolset("letters")

    @letters.create
    async def letters_send() -> str:
        """Send a letter."""
        sent.append("a")
        return f"Sent letter {len(sent)}."

    @letters.read
    async def letters_read() -> str:
        """Read all letters."""
        return "\n".join(f"Line {number} of a long letter." for number in range(200))

    return letters


async def test_endpoints_with_one_state_know_each_others_keys_and_kept_texts() -> None:
    state, sent = MemoryStore(), list[str]()
    one, other = (Endpoint([_letters(sent)], state=state, settings=Settings(budget=1_000)) for _ in range(2))

    await one.call_tool("letters_send", {"idempotency_key": "k"}, PEER)
    await other.call_tool("letters_send", {"idempotency_key": "k"}, PEER)
    long = await one.call_tool("letters_read", {}, PEER)
    handle = long.text.split("handle='")[1].partition("'")[0]
    rest = await other.call_tool("read_on", {"handle": handle, "lines": "200"}, PEER)

    assert sent == ["a"]
    assert "Line 199 of a long letter." in rest.text


class Noted(MemoryStore):
    """A store that notes when it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1
        await super().close()


async def test_each_store_is_closed_once() -> None:
    both, state, kept = Noted(), Noted(), Noted()

    await Endpoint([_letters([])], state=both).close()
    await Endpoint([_letters([])], state=state, kept=kept).close()

    assert (both.closed, state.closed, kept.closed) == (1, 1, 1)


def test_a_listing_that_is_given_is_used() -> None:
    listing = Endpoint([_letters([])]).listing

    assert Endpoint([_letters([])], listing=listing).listing is listing


def test_read_on_is_served_only_with_a_budget() -> None:
    with_budget, without = (
        Endpoint([_letters([])], settings=Settings(budget=budget)) for budget in (1_000, 0)
    )

    assert "read_on" in with_budget.catalogue.tools
    assert "read_on" not in without.catalogue.tools


async def test_without_prompts_the_list_is_empty() -> None:
    assert await Endpoint([_letters([])]).list_prompts(Caller()) == ([], None)


class Shelf:
    """A source of prompts that hangs, or gives up by itself."""

    gives_up = False

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        if self.gives_up:
            raise TimeoutError("upstream")
        await asyncio.sleep(20)
        return []

    async def get(self, caller: Caller, entry: PromptEntry, arguments: Any) -> str:
        return ""


@pytest.mark.parametrize(("gives_up", "error"), [(False, TimedOut), (True, TimeoutError)])
async def test_a_source_of_prompts_that_hangs_is_not_waited_for(
    gives_up: bool, error: type[Exception]
) -> None:
    shelf = Toolset("shelf", provides=(Shelf,), prompt_source=Shelf)

    @shelf.factory
    async def opened(section: Any) -> AsyncIterator[Shelf]:
        shelf = Shelf()
        shelf.gives_up = gives_up
        yield shelf

    endpoint = Endpoint([shelf], settings=Settings(deadline=0.05))
    with pytest.raises(error):
        await endpoint.list_prompts(Caller())
    await endpoint.close()
