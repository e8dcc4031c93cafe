"""Walking pages while the list changes under the walker."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.kit import Endpoint, Page, Record, Settings, Toolset, Window
from laconic.kit.compact import compact
from laconic.kit.peer import SilentPeer
from tests.chance import examples
from tests.toolsets.workshop import Job, Jobs, workshop

START = datetime(2026, 1, 1, tzinfo=UTC)

changes = st.lists(
    st.tuples(st.sampled_from(["insert", "delete", "touch"]), st.integers(0, 10_000)), min_size=0, max_size=4
)


def _job(identifier: str, minute: int) -> Job:
    at = START + timedelta(minutes=minute)
    return Job(id=identifier, title=f"Job {identifier}", created_at=at, updated_at=at)


@examples(60)
@given(
    minutes=st.lists(st.integers(0, 30), min_size=1, max_size=40),
    size=st.integers(1, 9),
    rounds=st.lists(changes, max_size=50),
)
@pytest.mark.requirement("003-3.2")
def test_every_untouched_item_is_visited_exactly_once(
    minutes: list[int], size: int, rounds: list[list[tuple[str, int]]]
) -> None:
    asyncio.run(_walk(minutes, size, rounds))


async def _walk(minutes: list[int], size: int, rounds: list[list[tuple[str, int]]]) -> None:
    jobs = Jobs(0)
    jobs.items = {f"JOB-{n:04d}": _job(f"JOB-{n:04d}", minute) for n, minute in enumerate(minutes)}
    untouched = set(jobs.items)
    endpoint = Endpoint([workshop], settings=Settings(sections={"workshop": {"jobs": jobs}}))
    seen: list[str] = []
    arguments: dict[str, Any] = {"limit": size, "format": "minimal"}
    steps = iter(rounds)
    while True:
        answer = await endpoint.call_tool("jobs_list", arguments, SilentPeer())
        assert answer.failure is None, answer.text
        assert isinstance(answer.value, Page)
        seen += [job.id for job in answer.value.items]
        if answer.value.next is None:
            break
        cursor = answer.text.partition("Pass cursor '")[2].partition("'")[0]
        assert 0 < len(cursor) <= 30
        arguments = {"cursor": cursor, "limit": size, "format": "minimal"}
        for change, number in next(steps, []):
            _change(jobs, change, number, untouched)
    await endpoint.close()
    counts = {identifier: seen.count(identifier) for identifier in untouched}
    assert counts == dict.fromkeys(untouched, 1)


def _change(jobs: Jobs, change: str, number: int, untouched: set[str]) -> None:
    """Insert, delete or touch one job; a touched job may be seen twice or never."""
    names = sorted(jobs.items)
    if change == "insert" or not names:
        identifier = f"JOB-{10_000 + len(names) + number:06d}"
        jobs.items[identifier] = _job(identifier, number % 40)
        untouched.discard(identifier)
        return
    identifier = names[number % len(names)]
    untouched.discard(identifier)
    if change == "delete":
        del jobs.items[identifier]
    else:
        jobs.items[identifier] = _job(identifier, number % 40)


class Leaf(Record):
    """Something that is longer or shorter."""

    id: int
    text: str = ""


class Tree:
    """Leaves that come and go, paged in memory or as a database or another service would."""

    def __init__(self, sizes: list[int], way: str) -> None:
        self.leaves = {2 * number: self._leaf(2 * number, size) for number, size in enumerate(sizes)}
        self.untouched = set(self.leaves)
        self.way = way

    def _leaf(self, number: int, size: int) -> Leaf:
        return Leaf(id=number, text="é\n" * (size // 2))

    def change(self, what: str, number: int) -> None:
        place = number % (2 * len(self.leaves) + 3)
        if what == "insert":
            self.leaves.setdefault(place, self._leaf(place, number % 300))
        elif self.leaves.pop(place, None) is not None:
            self.untouched.discard(place)

    def page(self, window: Window) -> Page[Leaf]:
        leaves = sorted(self.leaves.values(), key=lambda leaf: leaf.id)
        if self.way == "key":
            return window.cut(leaves, key=lambda leaf: (leaf.id,))
        last: Any = window.position[-1] if window.position else -1
        after = [leaf for leaf in leaves if leaf.id > last]
        shown = after[: window.count]
        at = ("a token of another service, which is long", shown[-1].id) if len(after) > len(shown) else None
        if self.way == "token":
            return Page(shown, next=at)
        return Page(shown, total=len(leaves), next=at, start=len(leaves) - len(after))


@examples(100)
@given(
    sizes=st.lists(st.sampled_from([0, 3, 40, 200, 900, 5_000]), min_size=1, max_size=40),
    limit=st.one_of(st.none(), st.integers(1, 50)),
    budget=st.integers(500, 3_000),
    output=st.sampled_from(["text", "structured", "both"]),
    way=st.sampled_from(["key", "query", "token"]),
    rounds=st.lists(changes, max_size=50),
)
def test_every_untouched_item_is_shown_exactly_once_in_every_form(**case: Any) -> None:
    asyncio.run(_follow(**case))


async def _follow(
    sizes: list[int],
    limit: int | None,
    budget: int,
    output: Any,
    way: str,
    rounds: list[list[tuple[str, int]]],
) -> None:
    tree, steps = Tree(sizes, way), iter(rounds)
    toolset = Toolset("tree")

    @toolset.read
    async def leaves_list(window: Window = Window(size=25)) -> Page[Leaf]:
        """List leaves."""
        return tree.page(window)

    endpoint = Endpoint([toolset], settings=Settings(output=output))
    seen: list[int] = []
    arguments: dict[str, Any] = {"limit": limit, "budget": budget}
    while True:
        answer = await endpoint.call_tool("leaves_list", arguments, SilentPeer())
        assert answer.failure is None, answer.text
        shown = [leaf.id for leaf in answer.value.items]
        assert len(shown) <= (limit or 25)
        assert len(answer.text) <= budget
        cursor = answer.cursor
        if answer.structured is not None:
            assert len(compact(answer.structured)) <= budget
            assert [row[0] for row in answer.structured["rows"]] == shown
            assert answer.structured.get("next") == cursor
        if output != "structured":
            assert answer.text.endswith(f"Pass cursor '{cursor}' to see next page.") == (cursor is not None)
        seen += shown
        if cursor is None:
            break
        arguments = {"cursor": cursor}
        for what, number in next(steps, []):
            tree.change(what, number)
    assert [seen.count(number) for number in sorted(tree.untouched)] == [1] * len(tree.untouched)


@given(st.lists(st.integers(), unique=True, max_size=60), st.integers(1, 20), st.booleans())
def test_a_window_cuts_any_list_into_pages_that_join_to_the_whole(
    numbers: list[int], size: int, reverse: bool
) -> None:
    position: Any = None
    found: list[int] = []
    while True:
        window = Window(position=position, limit=size)
        page = window.cut(numbers, key=lambda number: (number,), reverse=reverse)
        assert page.total == len(numbers)
        assert page.rest == len(numbers) - len(found) - len(page.items)
        found += page.items
        position = page.next
        if position is None:
            break
    assert found == sorted(numbers, reverse=reverse)


def test_the_line_with_the_cursor_counts_as_a_part_of_the_answer() -> None:
    asyncio.run(_follow(sizes=[900, 0], limit=None, budget=1402, output="text", way="token", rounds=[]))
