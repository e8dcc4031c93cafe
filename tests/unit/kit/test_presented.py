"""Small rules of an answer: what is said of a truth, a page without a window, and a batch."""

from typing import Any

import pytest

from laconic.kit import META, Batch, NotFound, Page, Record, Settings, Text, Toolset, Window
from laconic.kit.testing import connect


class Wish(Record, noun="wish", plural="wishes"):
    """A wish, which nothing names."""

    words: str


@pytest.mark.parametrize(("value", "word"), [(True, "yes"), (False, "no")])
async def test_a_truth_is_a_word(value: bool, word: str) -> None:
    toolset = Toolset("shop")

    @toolset.read
    async def shop_open() -> bool:
        """Say whether the shop is open."""
        return value

    async with connect(toolset) as client:
        assert (await client.call("shop_open")).text == word


async def test_a_page_without_a_window_has_its_own_length_as_its_limit() -> None:
    toolset = Toolset("wishes", envelope=META)

    @toolset.read
    async def wish_list() -> Page[Wish]:
        """List wishes."""
        return Page([Wish(words="snow"), Wish(words="rain")])

    async with connect(toolset, settings=Settings(output="structured")) as client:
        reply = await client.call("wish_list")
    assert reply.structured["data"]["meta"]["limit"] == 2


async def test_a_write_is_not_refused_for_an_offset_after_it_was_done() -> None:
    toolset, done = Toolset("wishes"), list[str]()

    @toolset.update
    async def wish_grant(window: Window = Window(offset=True)) -> Page[Wish]:
        """Grant the oldest wishes."""
        done.append("snow")
        return Page([Wish(words="snow")])

    async with connect(toolset) as client:
        reply = await client.call("wish_grant", offset=3)
    assert done == ["snow"]
    assert not reply.failed and "snow" in reply.text


async def test_what_was_unchanged_and_has_no_name_has_its_number() -> None:
    toolset = Toolset("wishes")

    @toolset.update
    async def wish_change() -> Batch[Wish]:
        """Change wishes."""
        return Batch([], done="Changed", unchanged=[Wish(words="snow"), Wish(words="rain")])

    async with connect(toolset) as client:
        reply = await client.call("wish_change")
    assert reply.text.splitlines()[-1] == "Nothing to change: Item 1, Item 2."


@pytest.mark.parametrize(
    ("verb", "word"), [("read", "Found"), ("create", "Created"), ("update", "Changed"), ("delete", "Deleted")]
)
async def test_a_batch_says_what_its_tool_does_or_the_word_it_was_given(verb: str, word: str) -> None:
    toolset = Toolset("wishes")

    verbs = {
        "read": toolset.read,
        "create": toolset.create,
        "update": toolset.update,
        "delete": toolset.delete,
    }

    @verbs[verb]
    async def wishes_do(done: str = "") -> Batch[Wish]:
        """Do something with wishes."""
        return Batch([Wish(words="snow")], done=done)

    async with connect(toolset) as client:
        usual = await client.call("wishes_do")
        own = await client.call("wishes_do", done="Granted")
    assert usual.text.startswith(f"{word} 1 of 1 wish") and own.text.startswith("Granted 1 of 1 wish")


async def test_the_advice_of_the_only_failure_is_in_its_line() -> None:
    toolset = Toolset("wishes")

    @toolset.read
    async def wish_find() -> Batch[Wish]:
        """Find wishes."""
        return Batch([], {"snow": NotFound("Wish", "snow", advice="Ask Ada.")})

    async with connect(toolset) as client:
        reply = await client.call("wish_find")
    assert reply.text.splitlines()[-1].endswith(" Ask Ada.")
    assert len(reply.text.splitlines()) == 2


async def test_advice_that_all_failures_share_is_said_once() -> None:
    toolset = Toolset("wishes")

    @toolset.read
    async def wish_find() -> Batch[Wish]:
        """Find wishes."""
        return Batch([], {name: NotFound("Wish", name, advice="Ask Ada.") for name in ("snow", "rain")})

    async with connect(toolset) as client:
        reply = await client.call("wish_find")
    assert reply.text.splitlines()[-1] == "Ask Ada."
    assert reply.text.count("Ask Ada.") == 1


@pytest.mark.parametrize(("output", "has_data"), [("text", False), ("both", True)])
async def test_blocks_in_an_envelope_are_data_only_where_data_is_wanted(output: Any, has_data: bool) -> None:
    toolset = Toolset("docs", envelope=META)

    @toolset.read
    async def doc_show() -> list[Text]:
        """Show a document."""
        return [Text("Snow"), Text("Rain")]

    async with connect(toolset, settings=Settings(output=output)) as client:
        reply = await client.call("doc_show")
    assert (reply.result.structured_content is not None) is has_data
