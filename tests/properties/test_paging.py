"""Walking pages while the list changes under the walker."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.kit import Endpoint, Page, Settings, Window
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
