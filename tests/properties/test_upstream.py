"""Quotas hold for any sequence of requests, and a body is the same however it is cut and packed."""

import asyncio
import gzip
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from laconic.upstream import Pace, Quota
from laconic.upstream.decoding import gathered
from tests.unit.upstream.servers import MovedClock

STEPS = st.lists(st.tuples(st.integers(1, 12), st.floats(0, 40)), min_size=1, max_size=60)


@given(steps=STEPS, amount=st.integers(1, 12), per=st.floats(0.5, 100))
def test_no_span_has_more_than_the_quota(steps: list[tuple[int, float]], amount: int, per: float) -> None:
    moved = MovedClock()
    pace = Pace(quotas={"g": Quota(amount, per)}, clock=moved.clock)
    sent: list[tuple[float, int]] = []

    async def send_all() -> None:
        for cost, gap in steps:
            await pace.turn("g", cost, 1e9)
            sent.append((moved.time, min(cost, amount)))
            moved.time += gap

    asyncio.run(send_all())
    span = per - 1e-3
    worst = max(sum(cost for at, cost in sent if start <= at < start + span) for start, _ in sent)
    assert worst <= amount


@given(
    content=st.binary(max_size=3000),
    size=st.integers(1, 500),
    most=st.integers(0, 3000),
    packed=st.booleans(),
    repeat=st.integers(1, 50),
)
def test_a_body_is_the_same_however_it_arrives(
    content: bytes, size: int, most: int, packed: bool, repeat: int
) -> None:
    content *= repeat
    sent = gzip.compress(content) if packed else content

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(sent), size):
            yield sent[start : start + size]

    found, is_cut = asyncio.run(gathered(chunks(), "gzip" if packed else "", most))
    assert found == content[:most]
    assert is_cut is (len(content) > most)
