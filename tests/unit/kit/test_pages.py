"""Pages in every form: what is shown, what is counted and where the next page begins are the same."""

from collections.abc import Callable
from typing import Any

import pytest

from laconic.kit import META, PAGINATION, TABLE, Endpoint, Envelope, Page, Record, Settings, Toolset, Window
from laconic.kit.answers.pages import Position
from laconic.kit.compact import compact
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Answer, Output
from laconic.kit.testing import connect
from laconic.kit.wire.render import metadata

ENVELOPES = {"table": TABLE, "meta": META, "pagination": PAGINATION}
OUTPUTS: tuple[Output, ...] = ("text", "structured", "both")


class Plant(Record, noun="plant"):
    """Something green."""

    id: int
    name: str
    care: str = ""


def _plants(count: int) -> list[Plant]:
    return [Plant(id=n, name=f"plant {n} é", care="water it, " * (n % 9)) for n in range(count)]


class Garden:
    """A list that a tool pages itself, in one of the ways that other systems do."""

    def __init__(self, plants: list[Plant]) -> None:
        self.plants = plants

    def by_key(self, window: Window) -> Page[Plant]:
        return window.cut(self.plants, key=lambda plant: (plant.id,))

    def by_query(self, window: Window) -> Page[Plant]:
        """As a database does: rows after the last one, with the count of all rows."""
        last: Any = window.position[0] if window.position else -1
        after = [plant for plant in self.plants if plant.id > last]
        start = len(self.plants) - len(after)
        shown = after[: window.count]
        at: Position | None = (shown[-1].id,) if len(after) > len(shown) else None
        return Page(shown, total=len(self.plants), next=at, start=start)

    def by_token(self, window: Window) -> Page[Plant]:
        """As another service does: a long token, and nothing about the total."""
        page = self.by_query(
            Window(limit=window.count, position=(int(str(window.position[0]).split("-")[-1]),))
            if window.position
            else Window(limit=window.count)
        )
        token = (
            f"a-long-page-token-of-another-service-{page.next[0]}" if isinstance(page.next, tuple) else None
        )
        return Page(page.items, next=(token,) if token else None)


WAYS: dict[str, Callable[[Garden, Window], Page[Plant]]] = {
    "key": Garden.by_key,
    "query": Garden.by_query,
    "token": Garden.by_token,
}


def toolset_of(garden: Garden, way: str, envelope: Envelope = TABLE, **options: Any) -> Toolset:
    toolset = Toolset("garden", envelope=envelope)

    @toolset.read(**options)
    async def plants_list(window: Window = Window(size=200)) -> Page[Plant]:
        """List plants."""
        return WAYS[way](garden, window)

    return toolset


def _found(data: Any) -> tuple[list[int], str | None]:
    """Return the ids and the cursor in structured content of any envelope."""
    data = data.get("data", data)
    if "rows" in data:
        rows = [dict(zip(data["columns"], row, strict=True)) for row in data["rows"]]
        return [row["id"] for row in rows], data.get("next")
    facts = data.get("meta") or data.get("pagination")
    return [item["id"] for item in data["items"]], facts.get("nextCursor") or facts.get("next_cursor")


def _lines(text: str) -> list[int]:
    return [int(line.split("\t")[0]) for line in text.splitlines() if line[:1].isdigit() and "\t" in line]


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("envelope", ENVELOPES)
@pytest.mark.parametrize("way", WAYS)
async def test_a_client_that_follows_next_collects_every_item(
    way: str, envelope: str, output: Output
) -> None:
    toolset = toolset_of(Garden(_plants(201)), way, ENVELOPES[envelope])
    settings = Settings(output=output, budget=6_000)
    seen: list[int] = []
    arguments: dict[str, Any] = {}
    async with connect(toolset, settings=settings) as client:
        while True:
            reply = await client.send("plants_list", arguments)
            assert not reply.failed, reply.text
            assert len(reply.text) <= 6_000
            if output == "text":
                ids, cursor = _lines(reply.text), reply.cursor or None
            else:
                assert len(compact(reply.structured)) <= 6_000
                ids, cursor = _found(reply.structured)
            if output == "both":
                assert (_lines(reply.text), reply.cursor or None) == (ids, cursor)
            seen += ids
            if cursor is None:
                break
            arguments = {"cursor": cursor}
    assert seen == list(range(201))


@pytest.mark.parametrize("way", WAYS)
async def test_a_program_that_reads_the_metadata_collects_every_item(way: str) -> None:
    settings = Settings(output="both", budget=6_000)
    endpoint = Endpoint([toolset_of(Garden(_plants(201)), way)], settings=settings)
    seen: list[int] = []
    arguments: dict[str, Any] = {}
    while True:
        answer = await endpoint.call_tool("plants_list", arguments, SilentPeer())
        former = metadata(answer, "plants")
        seen += [plant["id"] for plant in former["plants"]]
        if "nextCursor" not in former:
            break
        arguments = {"cursor": former["nextCursor"]}
    assert seen == list(range(201))


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("way", WAYS)
async def test_a_page_has_as_many_items_as_the_budget_holds(way: str, output: Output) -> None:
    endpoint = Endpoint([toolset_of(Garden(_plants(201)), way)], settings=Settings(output=output))

    def size(answer: Answer) -> int:
        return max(len(answer.text), len(compact(answer.structured or "")))

    for budget in (700, 1_500, 4_000, 9_999):
        cut = await endpoint.call_tool("plants_list", {"budget": budget}, SilentPeer())
        count = len(cut.value.items)
        assert count < 200
        more = await endpoint.call_tool("plants_list", {"limit": count + 1}, SilentPeer())
        assert size(cut) <= budget < size(more) + 20  # a cursor may be that much shorter than the longest


@pytest.mark.parametrize("way", ["key", "query"])
async def test_the_heading_and_the_rest_count_what_is_shown(way: str) -> None:
    endpoint = Endpoint([toolset_of(Garden(_plants(500)), way)], settings=Settings(budget=6_000))
    first = await endpoint.call_tool("plants_list", {}, SilentPeer())
    shown = len(_lines(first.text))
    assert 0 < shown < 200
    assert first.text.startswith(f"Showing {shown} of 500 plants:")
    assert f"\n\n{500 - shown} more items match. Pass cursor" in first.text
    second = await endpoint.call_tool("plants_list", {"cursor": first.cursor}, SilentPeer())
    more = len(_lines(second.text))
    assert second.text.startswith(f"Showing {shown + 1} to {shown + more} of 500 plants:")
    assert f"\n\n{500 - shown - more} more items match. Pass cursor" in second.text


async def test_a_page_of_another_service_goes_on_in_the_same_page_after_changes() -> None:
    garden = Garden(_plants(60))
    endpoint = Endpoint([toolset_of(garden, "token")], settings=Settings(budget=2_000))
    first = await endpoint.call_tool("plants_list", {}, SilentPeer())
    seen = _lines(first.text)
    del garden.plants[seen[-1]], garden.plants[0]
    arguments = {"cursor": first.cursor}
    while arguments["cursor"]:
        answer = await endpoint.call_tool("plants_list", arguments, SilentPeer())
        seen += _lines(answer.text)
        arguments = {"cursor": answer.cursor}
    assert seen == list(range(60))


async def test_a_page_that_was_cut_is_continued_with_a_smaller_limit_too() -> None:
    endpoint = Endpoint([toolset_of(Garden(_plants(60)), "query")], settings=Settings(budget=2_000))
    first = await endpoint.call_tool("plants_list", {}, SilentPeer())
    second = await endpoint.call_tool("plants_list", {"cursor": first.cursor, "limit": 3}, SilentPeer())
    third = await endpoint.call_tool("plants_list", {"cursor": second.cursor}, SilentPeer())
    shown = len(_lines(first.text))
    assert _lines(second.text) == [shown, shown + 1, shown + 2]
    assert _lines(third.text) == [shown + 3, shown + 4, shown + 5]


async def test_items_without_a_key_are_counted() -> None:
    class Line(Record):
        text: str

    toolset = Toolset("log")

    @toolset.read
    async def lines_list(window: Window = Window(size=100)) -> Page[Line]:
        """List lines."""
        return Page([Line(text=f"same words {n // 2}") for n in range(100)], total=100, start=0)

    endpoint = Endpoint([toolset], settings=Settings(budget=600))
    seen: list[str] = []
    arguments: dict[str, Any] = {}
    while True:
        answer = await endpoint.call_tool("lines_list", arguments, SilentPeer())
        seen += [line for line in answer.text.splitlines() if line.startswith("same words")]
        if answer.cursor is None:
            break
        arguments = {"cursor": answer.cursor}
    assert seen == [f"same words {n // 2}" for n in range(100)]


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("envelope", ENVELOPES)
@pytest.mark.parametrize("way", WAYS)
async def test_an_item_that_is_too_long_alone_does_not_stop_a_list(
    way: str, envelope: str, output: Output
) -> None:
    plants = [Plant(id=n, name=f"p{n}", care=f"# Care {n}\n\n" + "word " * 900 * (n == 2)) for n in range(5)]
    settings = Settings(output=output, budget=1_000)
    seen: list[int] = []
    arguments: dict[str, Any] = {}
    async with connect(toolset_of(Garden(plants), way, ENVELOPES[envelope]), settings=settings) as client:
        schema = {tool["name"]: tool for tool in await client.tools()}["plants_list"].get("outputSchema")
        while True:
            reply = await client.send("plants_list", arguments)
            assert len(reply.text) <= 1_000
            if output == "text":
                ids, cursor = sorted({*_lines(reply.text)}), reply.cursor or None
            else:
                assert schema is not None
                ids, cursor = _found(reply.structured)
            seen += ids
            if 2 in ids:
                assert "Read on: read_on with handle='" in reply.text
                handle = reply.text.split("handle='")[1].partition("'")[0]
                whole = await client.call("read_on", handle=handle, find="word word")
                assert "Found " in whole.text
            if output != "text" and 2 in ids:
                assert "care" not in str(reply.structured.get("columns"))
                assert "Left out: care (4,510 characters). Read on:" in str(reply.structured["_notes"])
            if cursor is None:
                break
            arguments = {"cursor": cursor}
    assert seen == list(range(5))


async def test_an_empty_page_of_another_service_still_leads_on() -> None:
    toolset = Toolset("drive")

    @toolset.read
    async def plants_list(window: Window = Window()) -> Page[Plant]:
        """List plants."""
        return Page(_plants(2)) if window.position else Page([], next=("token",))

    async with connect(toolset) as client:
        first = await client.call("plants_list")
        second = await client.call("plants_list", cursor=first.cursor)
    assert first.text.startswith("No plants on this page.\n\nMore items match. Pass cursor '")
    assert _lines(second.text) == [0, 1]


async def test_a_list_that_ended_meanwhile_is_not_said_to_be_empty() -> None:
    garden = Garden(_plants(4))
    async with connect(toolset_of(garden, "token")) as client:
        first = await client.call("plants_list", limit=2)
        del garden.plants[2:]
        second = await client.call("plants_list", cursor=first.cursor)
    assert second.text == "No more plants."


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("output", OUTPUTS)
async def test_a_budget_of_nothing_means_that_a_page_is_whole(way: str, output: Output) -> None:
    garden = Garden(_plants(400))
    for budget, settings in (
        (0, Settings(output=output, budget=6_000)),
        (900, Settings(output=output, budget=0)),
    ):
        endpoint = Endpoint([toolset_of(garden, way, budget=budget)], settings=settings)
        answer = await endpoint.call_tool("plants_list", {"limit": 400}, SilentPeer())
        assert len(answer.value.items) == 400
        assert answer.cursor is None
        assert all(f"plant {n} é" in answer.text + compact(answer.structured) for n in range(400))


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("way", WAYS)
async def test_a_cached_page_keeps_its_cursor(way: str, output: Output) -> None:
    plants = [Plant(id=n, name=f"p{n}", care="long " * 900) for n in range(3)]
    endpoint = Endpoint(
        [toolset_of(Garden(plants), way, cache=60)], settings=Settings(output=output, budget=900)
    )
    fresh = await endpoint.call_tool("plants_list", {}, SilentPeer())
    cached = await endpoint.call_tool("plants_list", {}, SilentPeer())
    assert fresh.cursor is not None
    assert cached.value is None  # it came from the cache
    assert cached.cursor == fresh.cursor
    if output != "structured":
        assert cached.text.endswith(f"Pass cursor '{fresh.cursor}' to see next page.")
    if output != "text":
        assert cached.structured is not None
        assert _found(cached.structured) == ([0], fresh.cursor)
        assert "Left out: care" in cached.structured["_notes"][0]


async def test_the_limit_in_an_envelope_is_the_windows() -> None:
    toolset = toolset_of(Garden(_plants(20)), "key", META)
    async with connect(toolset, settings=Settings(output="structured")) as client:
        default = await client.call("plants_list")
        given = await client.call("plants_list", limit=7)
        last = await client.call("plants_list", cursor=given.structured["data"]["meta"]["nextCursor"])
        last = await client.call("plants_list", cursor=last.structured["data"]["meta"]["nextCursor"])
    assert default.structured["data"]["meta"]["limit"] == 200
    assert given.structured["data"]["meta"]["limit"] == 7
    assert (len(last.structured["data"]["items"]), last.structured["data"]["meta"]["limit"]) == (6, 7)


async def test_a_page_has_an_offset_only_where_it_is_known() -> None:
    toolset = Toolset("garden", "Plants.", envelope=META)

    @toolset.read
    async def garden_list(window: Window = Window(size=2)) -> Page[Plant]:
        """List plants of a service that does not count."""
        begin = int(window.position[0]) if window.position else 0
        return Page(_plants(6)[begin : begin + 2], next=(begin + 2,) if begin < 4 else None)

    async with connect(toolset, settings=Settings(output="structured")) as client:
        first = (await client.call("garden_list")).structured["data"]["meta"]
        second = (await client.call("garden_list", cursor=first["nextCursor"])).structured["data"]["meta"]
        assert first["offset"] == 0 and "offset" not in second and second["hasNext"]
