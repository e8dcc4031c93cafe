"""Cutting a list in memory into pages: which keys work, and which are refused."""

import os
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from laconic.kit import BadCursor, Bug, Endpoint, Page, Record, Toolset, Window
from laconic.kit.peer import SilentPeer


class Plant(Record):
    """Something green."""

    id: int
    rank: Any = None


KEYS: dict[str, Callable[[int], Any]] = {
    "none": lambda number: None if number % 3 else number,
    "datetime": lambda number: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=number * 7),
    "naive datetime": lambda number: datetime(2026, 1, 1) + timedelta(hours=number // 2),
    "date": lambda number: date(2026, 1, 1) + timedelta(days=number // 2),
    "decimal": lambda number: Decimal(number) / 7,
    "uuid": lambda number: UUID(int=number * 12345678901234567890),
    "time": lambda number: time(number // 2, 30, 1, number),
    "time with a zone": lambda number: time(number // 2, tzinfo=timezone(timedelta(hours=1))),
    "timedelta": lambda number: timedelta(days=number - 5, microseconds=number),
    "bytes": lambda number: bytes([255 - number]) * (number + 1),
    "path": lambda number: Path("a b") / str(number % 3) / f"{number}.md",
    "file name that is not text": lambda number: os.fsdecode(b"\xff%d" % number),
    "long file name that is not text": lambda number: os.fsdecode(b"\xff" * 40 + b"%d" % number),
    "path that is not text": lambda number: Path(os.fsdecode(b"\xff%d" % number)),
    "nested": lambda number: (time(number), (b"a", number)),
    "none or datetime": lambda number: datetime(2026, 1, 1 + number, tzinfo=UTC) if number % 2 else None,
}


def _garden(plants: list[Plant], *, reverse: bool = False, by: str = "rank") -> Toolset:
    garden = Toolset("garden")

    @garden.read
    async def plants_list(window: Window = Window(size=3)) -> Page[Plant]:
        """List plants."""

        def key(plant: Plant) -> tuple[Any, ...]:
            return (plant.rank, plant.id) if by == "rank" else (plant.rank,)

        return window.cut(plants, key=key, reverse=reverse)

    return garden


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kind", KEYS)
async def test_a_list_can_be_sorted_by(kind: str, reverse: bool) -> None:
    plants = [Plant(id=number, rank=KEYS[kind](number)) for number in range(11)]
    endpoint = Endpoint([_garden(plants, reverse=reverse)])
    seen: list[Plant] = []
    arguments: dict[str, Any] = {}
    while True:
        answer = await endpoint.call_tool("plants_list", arguments, SilentPeer())
        assert answer.failure is None, answer.text
        seen += answer.value.items
        if answer.cursor is None:
            break
        arguments = {"cursor": answer.cursor}
    without = [one for one in plants if one.rank is None]
    ordered = without + sorted(
        (one for one in plants if one.rank is not None), key=lambda one: (one.rank, one.id)
    )
    assert seen == (ordered[::-1] if reverse else ordered)


async def test_a_key_that_is_not_unique_is_refused_with_the_tool_and_two_items() -> None:
    plants = [Plant(id=number, rank=number % 7) for number in range(50)]
    answer = await Endpoint([_garden(plants, by="rank alone")]).call_tool("plants_list", {}, SilentPeer())
    assert answer.failure is not None
    assert "plants_list cannot be paged: (id=0 rank=0) and (id=7 rank=0) share the key (0,)." in answer.text
    assert "must end the key of its window.cut in something unique" in answer.text


def test_a_key_that_is_not_unique_is_refused_even_if_there_is_one_page() -> None:
    with pytest.raises(Bug, match="share the key"):
        Window(size=25).cut([1, 2, 2], key=lambda number: (number,))


@pytest.mark.parametrize("numbers", [[1, 1, 2, 3], [1, 2, 2, 3]])
def test_a_sorted_list_is_refused_where_a_page_would_lose_an_item(numbers: list[int]) -> None:
    with pytest.raises(Bug, match="share the key"):
        Window(size=2).cut_sorted(numbers, key=lambda number: (number,))


def test_a_page_is_what_it_shows_however_its_key_is_computed() -> None:
    page = Window(size=2).cut([3, 1, 2], key=lambda number: (number,))

    assert page == Page([1, 2], total=3, next=(2,), start=0)


def test_a_sorted_list_is_checked_where_the_page_is() -> None:
    numbers = [1, 1, 2, 3, 3, 4]

    assert Window(size=1, start=2).cut_sorted(numbers, key=lambda number: (number,)).items == [2]
    with pytest.raises(Bug, match="share the key"):
        Window(size=1, start=3).cut_sorted(numbers, key=lambda number: (number,))


def test_a_page_is_not_cut_between_items_that_share_a_key() -> None:
    page = Page([1, 2, 2, 3], key=lambda number: (number,))

    assert [page.first(count).next for count in (1, 3)] == [(1,), (2,)]
    with pytest.raises(Bug, match="share the key"):
        page.first(2)


def test_items_that_share_a_key_are_quoted_briefly() -> None:
    with pytest.raises(Bug) as refused:
        Window().cut(["x" * 100, "x" * 99 + "y"], key=lambda text: (text[0],))

    assert f"cannot be paged: ({'x' * 80}) and ({'x' * 80}) share" in refused.value.message


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("rank", [frozenset(), Fraction(1, 3), ("a", (frozenset(),)), [1]])
async def test_a_key_that_no_cursor_can_hold_is_refused_at_once_with_the_tool(rank: Any, count: int) -> None:
    plants = [Plant(id=number, rank=rank) for number in range(count)]
    answer = await Endpoint([_garden(plants)]).call_tool("plants_list", {}, SilentPeer())
    kind = type(rank[1][0] if isinstance(rank, tuple) else rank).__name__
    assert f"plants_list cannot be paged: a cursor cannot hold a value of type {kind}." in answer.text
    assert "must use text, numbers, dates" in answer.text


def test_a_sorted_list_by_a_key_that_no_cursor_can_hold_is_refused_at_once() -> None:
    with pytest.raises(Bug, match="a cursor cannot hold a value of type Fraction"):
        Window(size=25).cut_sorted([1, 2], key=lambda number: (Fraction(number, 3),))


def test_a_number_that_cannot_be_sorted_is_refused() -> None:
    plants = [Plant(id=number, rank=float("nan") if number == 3 else float(number)) for number in range(9)]

    with pytest.raises(Bug, match="has a number that cannot be sorted"):
        Window(size=3).cut(plants, key=lambda plant: (plant.rank, plant.id))


def test_a_number_that_cannot_be_sorted_is_refused_in_a_sorted_list_too() -> None:
    with pytest.raises(Bug, match="has a number that cannot be sorted"):
        Window(size=3).cut_sorted([1.0, float("nan"), 2.0], key=lambda number: (number,))


def test_a_key_whose_values_do_not_compare_is_refused_with_a_sentence_for_the_author() -> None:
    with pytest.raises(Bug, match="cannot be paged: in its keys, '<' not supported") as refused:
        Window().cut([1, "a", None], key=lambda value: (value,))

    assert "values of one type" in str(refused.value.advice)


@pytest.mark.parametrize("bare", ["P1", 1, None])
def test_a_key_that_is_no_tuple_is_refused_with_a_sentence_for_the_author(bare: Any) -> None:
    with pytest.raises(Bug, match="its key is a value of type"):
        Window().cut([bare], key=lambda value: value)


def test_a_cursor_from_when_the_list_was_sorted_by_another_type_is_refused() -> None:
    window = Window(position=("2026-01-01", 7))

    with pytest.raises(BadCursor, match="no longer fits"):
        window.cut([1, 2, 3], key=lambda number: (number, number))
