"""A cursor over a list that changes while it is read."""

from typing import Any

import pytest

from examples.live_list import Desk, toolset
from laconic.kit.testing import ERAS, Reply, TestClient, connect

in_both_eras = pytest.mark.parametrize("era", ERAS)


def numbers(reply: Reply) -> list[int]:
    rows = [line.split("\t")[0] for line in reply.text.splitlines() if "\t" in line]
    return [int(row) for row in rows[1:]]


async def walk(client: TestClient, between: Any = None, **filters: Any) -> list[list[int]]:
    """Every page, following the cursor alone."""
    reply = await client.call("ticket_list", **filters)
    pages = [numbers(reply)]
    while reply.cursor:
        if between:
            await between(len(pages))
        reply = await client.call("ticket_list", cursor=reply.cursor, limit=filters.get("limit"))
        pages.append(numbers(reply))
    assert "Pass cursor" not in reply.text
    return pages


def joined(pages: list[list[int]]) -> list[int]:
    return [number for page in pages for number in page]


@in_both_eras
@pytest.mark.requirement("003-3.1")
async def test_pages_do_not_overlap_and_the_last_has_no_cursor(era: str) -> None:
    async with connect(toolset, era=era) as client:
        pages = await walk(client, limit=15)

    assert [len(page) for page in pages] == [15, 15, 10]
    assert joined(pages) == list(range(40, 0, -1))


@in_both_eras
@pytest.mark.requirement("003-3.2")
async def test_what_comes_and_goes_between_pages_moves_no_other_item(era: str) -> None:
    async with connect(toolset, era=era) as client:

        async def change(page: int) -> None:
            await client.call("ticket_open", topic=f"New {page}")
            await client.call("ticket_close", id=41 - page)  # shown already
            await client.call("ticket_close", id=page)  # not shown yet

        pages = await walk(client, change, limit=10)

    shown = joined(pages)
    assert shown == [number for number in range(40, 0, -1) if number > 3]


@in_both_eras
@pytest.mark.requirement("003-3.3")
async def test_the_cursor_alone_remembers_its_filter(era: str) -> None:
    async with connect(toolset, era=era) as client:
        pages = await walk(client, status="waiting", limit=4)

    assert joined(pages) == list(range(40, 0, -4))


@in_both_eras
@pytest.mark.requirement("003-3.4")
async def test_a_cursor_for_another_filter_is_refused(era: str) -> None:
    async with connect(toolset, era=era) as client:
        first = await client.call("ticket_list", status="waiting", limit=3)
        reply = await client.call("ticket_list", status="open", cursor=first.cursor)

    assert reply.failed
    assert "made for other filters: status differs" in reply.text


@in_both_eras
@pytest.mark.parametrize("cursor", ["abc", "AAAAAAAAAAAAAAAAAA", "ünsinn", "=" * 400])
@pytest.mark.requirement("003-3.7")
async def test_a_forged_cursor_is_an_error_that_says_to_start_over(era: str, cursor: str) -> None:
    async with connect(toolset, era=era) as client:
        reply = await client.call("ticket_list", cursor=cursor)

    assert reply.failed
    assert "without cursor to start over" in reply.text


def test_a_number_is_never_given_twice() -> None:
    desk = Desk()
    last = desk.add("one").id
    del desk.tickets[last]

    assert desk.add("two").id == last + 1
