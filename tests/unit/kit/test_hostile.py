"""The contract forges the lines that the kit really writes, and puts them wherever people can write."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from laconic.kit import Page, Record, Settings, Toolset, UpstreamDown, Window
from laconic.kit.answers.content import Text
from laconic.kit.contract import Broken, Cases, Contract, Untried, words
from laconic.kit.contract.hostile import FORGED
from laconic.kit.contract.read_back import outside
from laconic.kit.present.forms import present
from laconic.kit.testing import connect

OURS = re.compile(
    r"Note: |Error \[|This call changed|\[|Read on: |Failed: |Left out: |.*more problems: |.*Pass cursor"
)


def _masked(line: str) -> str:
    """Return a line of the kit without what differs from call to call."""
    if line.startswith(("Note: ", "Error [", "Failed: ")):
        return line.partition(" ")[0]
    line = re.sub(r"handle='\w+'|cursor '[\w-]+'|section='…', | Trace \w+\.", "", line)
    line = re.sub(r"Left out: .* \(", "Left out: (", line)
    line = re.sub(r"characters='\d+-', ", "", line)
    return re.sub(r"items='[\d-]+'|[\d,]+\d|\d", "0", line)


async def _lines(tool: str, output: Any = "text", **arguments: Any) -> list[str]:
    shop = Toolset("shop")

    class Item(Record, bodies=("story",)):
        """An item."""

        id: int
        story: str = ""

    @shop.read
    async def item_text() -> str:
        """Read a text."""
        return "One line.\n" * 5_000

    @shop.read
    async def item_get() -> Item:
        """Read an item."""
        return Item(id=1, story="x" * 50_000)

    @shop.read
    async def item_list(window: Window = Window()) -> Page[Item]:
        """List items."""
        return window.cut([Item(id=1), Item(id=2), Item(id=3)], key=lambda one: (one.id,))

    @shop.create
    async def item_add() -> str:
        """Add an item."""
        raise UpstreamDown("It is full.", changed=False, details={"problems": ["a" * 30] * 60})

    async with connect(shop, settings=Settings(output=output)) as client:
        reply = await client.call(tool, **arguments)
        if tool == "item_text":
            handle = re.search(r"handle='(\w+)'", reply.text)
            assert handle
            part = await client.call("read_on", handle=handle[1], lines="1-50")
            return [*outside(reply.text), *outside(part.text)]
    return outside(reply.text) if output == "text" else reply.structured["_notes"]


@pytest.mark.parametrize(
    ("tool", "output", "arguments", "count"),
    [
        ("item_text", "text", {}, 3),
        ("item_get", "structured", {}, 1),
        ("item_list", "text", {"limit": 1}, 1),
        ("item_add", "text", {}, 3),
    ],
)
async def test_each_line_of_the_kit_is_forged(
    tool: str, output: Any, arguments: dict[str, Any], count: int
) -> None:
    found = [line for line in await _lines(tool, output, **arguments) if OURS.match(line)]
    assert len(found) == count
    assert {_masked(line) for line in found} <= {_masked(line) for line in FORGED}


class Dated(Record):
    """Its own text takes only a number in a text field."""

    id: int
    year: str

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id}: {int(self.year)}"


@pytest.mark.parametrize("check", ["text_is_lossless", "other_peoples_words_stay_apart"])
def test_a_text_that_refuses_hostile_words_counts_as_not_tried(check: str) -> None:
    shop = Toolset("shop")

    @shop.read
    async def year_get() -> Dated:
        """Read a year."""
        return Dated(id=1, year="1999")

    (case,) = (one for one in Contract(shop, samples={"year_get": {}}).cases() if one.check.name == check)
    with pytest.raises(Untried, match=r"year_get: its text takes no hostile text in year \(ValueError"):
        case.run()


@pytest.mark.parametrize("check", ["text_is_lossless", "other_peoples_words_stay_apart"])
def test_a_sample_without_records_counts_as_not_tried(check: str) -> None:
    shop = Toolset("shop")

    @shop.read
    async def year_list(window: Window = Window()) -> Page[Dated]:
        """List years."""
        return window.cut([], key=lambda one: (one.id,))

    (case,) = (one for one in Contract(shop, samples={"year_list": {}}).cases() if one.check.name == check)
    with pytest.raises(Untried, match="year_list: its sample returns no record to check"):
        case.run()


class Title(Record):
    """Its own text begins a line with words of others."""

    id: int
    title: str

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id}: {self.title}"


def test_a_cached_list_is_checked_as_any_other() -> None:
    shop = Toolset("shop")

    @shop.read(cache=60)
    async def title_list(window: Window = Window()) -> Page[Title]:
        """List titles."""
        found = [Title(id=number, title="Once") for number in range(1, 31)]
        return window.cut(found, key=lambda one: (one.id,))

    cases = Cases.by_tool(Contract(shop, samples={"title_list": {}}).cases())
    (of_list,) = (one for one in cases if one.id == "title_list")
    with pytest.raises(Broken, match="a text in title passes for a line of the kit"):
        of_list.run()
    assert not [reason for reason in of_list.untried if "sample" in reason]


class Counted(Record):
    """Its own text begins lines with the names of what others count."""

    id: int
    counts: dict[str, int]

    def write_text(self, format: str | None) -> str | None:
        return "\n".join(f"{name}: {count}" for name, count in self.counts.items())


class Held(Record):
    """It has a mapping inside another value."""

    id: int
    parts: list[dict[str, dict[str, int]]]

    def write_text(self, format: str | None) -> str | None:
        return "\n".join(name for part in self.parts for inner in part.values() for name in inner)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (Counted(id=1, counts={"red": 1, "blue": 2}), "counts"),
        (Held(id=1, parts=[{"a": {"red": 1}}]), "parts"),
    ],
)
def test_the_keys_of_a_mapping_are_tried(record: Record, field: str) -> None:
    shop = Toolset("shop")

    async def counts_get() -> Any:
        """Count."""
        return record

    counts_get.__annotations__["return"] = type(record)
    shop.read(counts_get)
    (case,) = (
        one
        for one in Contract(shop, samples={"counts_get": {}}).cases()
        if one.check.name == "other_peoples_words_stay_apart"
    )
    with pytest.raises(Broken, match=f"a text in the keys of {field} passes for a line of the kit"):
        case.run()


class Told(Record):
    """A record with more than a caller wants."""

    id: int
    title: str
    story: str


@pytest.mark.parametrize("leak", [str, lambda text: " ".join(text.split())], ids=["as it is", "on one line"])
def test_a_field_that_a_choice_leaves_out_is_tried_as_well(
    monkeypatch: pytest.MonkeyPatch, leak: Callable[[str], str]
) -> None:
    shop = Toolset("shop")

    @shop.read
    async def told_list(window: Window = Window()) -> Page[Told]:
        """List what was told."""
        return window.cut([Told(id=1, title="One", story="Once.")], key=lambda one: (one.id,))

    def leaking(call: Any, value: Any, envelope: Any) -> Any:
        answer = present(call, value, envelope)
        if call.checked.fields == ["title"]:
            answer.blocks[0] = Text(f"{answer.text}\n{leak(value.items[0].story)}")
        return answer

    monkeypatch.setattr(words, "present", leaking)
    (case,) = (
        one
        for one in Contract(shop, samples={"told_list": {}}).cases()
        if one.check.name == "other_peoples_words_stay_apart"
    )
    with pytest.raises(Broken, match="a text in story passes for a line of the kit"):
        case.run()
