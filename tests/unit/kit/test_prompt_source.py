"""A source of prompts is asked page by page, by name, and for a caller."""

import base64
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import mcp_types as t
import pytest
from mcp import MCPError

from laconic.kit import Caller, PromptEntry, Settings, Toolset
from laconic.kit.testing import ERAS, connect


class Shelf:
    """Prompts by name, which remembers what it was asked."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.asked: list[Any] = []

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        self.asked.append(("page", caller.name, after))
        return [PromptEntry(name) for name in sorted(self.names) if after is None or name > after][:count]

    async def find(self, caller: Caller, name: str) -> PromptEntry | None:
        self.asked.append(("find", caller.name, name))
        base, _, version = name.partition("@")
        entry = PromptEntry(name, f"About {base}.", [("tone", "", False), ("word", "", False)], key=version)
        return entry if base in self.names else None

    async def get(self, caller: Caller, entry: PromptEntry, arguments: Mapping[str, str]) -> str:
        self.asked.append(("get", caller.name, entry.name))
        return f"{entry.name} at version {entry.key or 'newest'}"

    async def complete(
        self, caller: Caller, entry: PromptEntry, argument: str, typed: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        self.asked.append(("complete", caller.name, entry.name))
        return [f"{typed} {argument} {dict(others)}"]


class Drawer(Shelf):
    """A second source."""


def served(shelf: Shelf, *, name: str = "shelf") -> Toolset:
    toolset = Toolset(name, provides=(type(shelf),), prompt_source=type(shelf))

    @toolset.factory
    async def opened(section: Any) -> AsyncIterator[Shelf]:
        yield shelf

    @toolset.prompt(name=f"{name}_declared")
    async def declared() -> str:
        """A declared one."""
        return "x"

    return toolset


async def names_of(client: Any, cursor: str | None = None) -> tuple[list[str], str | None]:
    page = await client.client.list_prompts(cursor=cursor, cache_mode="bypass")
    return [prompt.name for prompt in page.prompts], page.next_cursor


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 200])
async def test_pages_walk_through_declared_prompts_and_all_sources_once(era: str, count: int) -> None:
    one, two = served(Shelf("b", "a", "c")), served(Drawer("a2", "z"), name="drawer")
    async with connect(one, two, era=era, settings=Settings(list_page=count)) as client:
        names, cursor = await names_of(client)
        while cursor:
            more, cursor = await names_of(client, cursor)
            assert more and len(more) <= count
            names += more
    assert names == ["shelf_declared", "drawer_declared", "a", "b", "c", "a2", "z"]


async def test_what_comes_and_goes_between_two_pages_neither_repeats_nor_hides_another() -> None:
    shelf = Shelf("b", "d", "f", "h")
    async with connect(served(shelf), settings=Settings(list_page=3)) as client:
        first, cursor = await names_of(client)
        shelf.names = ["a", "c", "f", "h"]  # by offset, `f` would be left out
        second, last = await names_of(client, cursor)
    assert (first, second, last) == (["shelf_declared", "b", "d"], ["f", "h"], None)


class Stubborn(Shelf):
    """Begins with its first prompt whatever it is asked."""

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        return [PromptEntry(name) for name in self.names]


async def test_a_source_that_begins_again_is_listed_once_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    toolset = served(Stubborn(*"abcde"))
    found: list[str] = []
    async with connect(toolset, settings=Settings(list_page=2)) as client:
        names, cursor = await names_of(client)
        while cursor is not None and len(found) < 20:
            found += names
            names, cursor = await names_of(client, cursor)
    assert [*found, *names] == ["shelf_declared", *"abcde"]
    assert "the prompt source of shelf lists 'a' again" in caplog.text


@pytest.mark.parametrize("cursor", ["x", "ZnJvbSAy", base64.b64encode(b"[1, 2]").decode(), "W1tb" * 9000])
async def test_a_cursor_that_is_not_ours_is_refused(cursor: str) -> None:
    async with connect(served(Shelf("a"))) as client:
        with pytest.raises(MCPError, match=r"Invalid cursor\. List again without one\."):
            await names_of(client, cursor)


@pytest.mark.parametrize("era", ERAS)
async def test_one_prompt_is_looked_up_by_its_name_which_may_have_a_version(era: str) -> None:
    shelf = Shelf("review")
    async with connect(served(shelf), era=era) as client:
        made = await client.client.get_prompt("review@3", {})
    assert made.messages[0].content.text == "review@3 at version 3"
    assert made.description == "About review."
    assert shelf.asked == [("find", "local", "review@3"), ("get", "local", "review@3")]


@pytest.mark.parametrize("era", ERAS)
async def test_a_completion_knows_the_other_arguments(era: str) -> None:
    shelf = Shelf("review")
    async with connect(served(shelf), era=era) as client:
        reference = t.PromptReference(type="ref/prompt", name="review")
        typed = {"name": "word", "value": "a"}
        found = await client.client.complete(reference, typed, context_arguments={"tone": "dry"})
    assert found.completion.values == ["a word {'tone': 'dry'}"]
    assert shelf.asked == [("find", "local", "review"), ("complete", "local", "review")]
