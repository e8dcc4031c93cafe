"""Which requests are sent again, and after how long."""

import asyncio
from email.utils import formatdate
from typing import Any

import pytest

from laconic.upstream import (
    Absent,
    ApiSession,
    Faulty,
    Invalid,
    Policy,
    Retrying,
    Throttled,
    Unreachable,
    UpstreamError,
)
from tests.unit.upstream.servers import Handler, MovedClock, Seen, answering, raw, reply

STEADY = Retrying(chance=lambda: 0.0)


async def lost(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.close()


def first(handler: Handler, *answers: bytes) -> Handler:
    """Let one function handle the first request, and answer the others."""
    others, turns = answering(*answers), iter([handler])

    async def in_turn(request: Seen, writer: asyncio.StreamWriter) -> None:
        await next(turns, others)(request, writer)

    return in_turn


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("fault", [500, 502, 503, 504, "lost"])
async def test_what_has_the_same_effect_twice_is_sent_again(method: str, fault: int | str) -> None:
    broken = lost if fault == "lost" else answering(reply(int(fault)))
    clock = MovedClock()
    async with (
        raw(first(broken, reply(body="fine"))) as server,
        ApiSession(server.url, policy=Policy(retrying=STEADY), clock=clock.clock) as api,
    ):
        done = await {"GET": api.get, "PUT": api.put, "DELETE": api.delete}[method]("/x")

    assert (done.data, done.attempts, done.waited, clock.slept) == ("fine", 2, 1.0, [1.0])


@pytest.mark.parametrize("method", ["POST", "PATCH"])
@pytest.mark.parametrize("fault", [500, 503, 429, "lost"])
async def test_what_creates_something_is_sent_once(method: str, fault: int | str) -> None:
    broken = lost if fault == "lost" else answering(reply(int(fault)))
    clock = MovedClock()
    async with raw(broken) as server, ApiSession(server.url, clock=clock.clock) as api:
        with pytest.raises(UpstreamError) as caught:
            await (api.post("/x") if method == "POST" else api.patch("/x"))

    assert (len(server.seen), caught.value.attempts) == (1, 1)
    assert caught.value.changed is (False if fault == 429 else None)


async def test_a_post_that_only_reads_is_sent_again_and_changes_nothing() -> None:
    clock = MovedClock()
    async with raw(answering(reply(503))) as server, ApiSession(server.url, clock=clock.clock) as api:
        with pytest.raises(Faulty) as caught:
            await api.post("/search", resending="read")

    assert (len(server.seen), caught.value.attempts, caught.value.changed) == (3, 3, False)


async def test_a_throttled_create_is_sent_again_if_the_vendor_is_known_to_refuse_before_acting() -> None:
    policy = Policy(retrying=Retrying(throttled_creates=True))
    clock = MovedClock()
    async with (
        raw(answering(reply(429, retry_after="7"), reply(201, {"id": 1}))) as server,
        ApiSession(server.url, policy=policy, clock=clock.clock) as api,
    ):
        made = await api.post("/x")

    assert (made.data, made.attempts, made.waited) == ({"id": 1}, 2, 7.0)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "3", "x_wait": "8"}, 8.0),
        ({"retry_after": "8", "x_wait": "3"}, 8.0),
        ({"x_wait": "5"}, 5.0),
        ({"retry_after": formatdate(1_800_000_009, usegmt=True)}, 9.0),
        ({"retry_after": "soon", "x_wait": "inf"}, 0.0),
        ({"retry_after": "-5"}, 0.0),
        ({"retry_after": "Mon, 01 Jan 2020 00:00:00 +99999999999999999999"}, 0.0),
        ({"retry_after": "Mon, 01 Jan 2020 00:00:00 +9999999999"}, 0.0),
    ],
)
async def test_the_larger_of_the_waits_that_were_asked_for_counts(
    headers: dict[str, Any], wait: float
) -> None:
    clock = MovedClock()
    policy = Policy(waits=("X-Wait",), retrying=STEADY)
    async with (
        raw(answering(reply(429, **headers), reply(body=[]))) as server,
        ApiSession(server.url, policy=policy, clock=clock.clock) as api,
    ):
        found = await api.get("/x")

    assert (found.attempts, found.waited) == (2, wait or 1.0)


async def test_a_fault_can_ask_for_a_wait_as_well() -> None:
    clock = MovedClock()
    async with (
        raw(answering(reply(503, retry_after="12"), reply(body=[]))) as server,
        ApiSession(server.url, clock=clock.clock) as api,
    ):
        assert (await api.get("/x")).waited == 12.0


async def test_a_wait_beyond_the_patience_is_told_at_once() -> None:
    clock = MovedClock()
    async with (
        raw(answering(reply(429, retry_after="3600"))) as server,
        ApiSession(server.url, clock=clock.clock) as api,
    ):
        with pytest.raises(Throttled) as caught:
            await api.get("/x")

    assert (caught.value.wait, caught.value.changed, caught.value.attempts) == (3600.0, False, 1)
    assert (clock.slept, len(server.seen)) == ([], 1)


async def test_nothing_is_waited_for_longer_than_the_caller_has_time() -> None:
    clock = MovedClock()
    policy = Policy(time_left=lambda: 2.0)
    async with (
        raw(answering(reply(503, retry_after="3"))) as server,
        ApiSession(server.url, policy=policy, clock=clock.clock) as api,
    ):
        with pytest.raises(Faulty):
            await api.get("/x")

    assert (clock.slept, len(server.seen)) == ([], 1)


async def test_the_waits_of_one_request_together_stay_within_the_patience() -> None:
    clock = MovedClock()
    policy = Policy(retrying=Retrying(attempts=20, patience=10.0, chance=lambda: 0.0))
    async with (
        raw(answering(reply(502))) as server,
        ApiSession(server.url, policy=policy, clock=clock.clock) as api,
    ):
        with pytest.raises(Faulty) as caught:
            await api.get("/x")

    assert (clock.slept, caught.value.attempts) == ([1.0, 2.0, 4.0], 4)


@pytest.mark.parametrize("status", [400, 404, 409, 501])
async def test_a_refusal_is_final(status: int) -> None:
    async with raw(answering(reply(status))) as server, ApiSession(server.url) as api:
        with pytest.raises(UpstreamError):
            await api.get("/x")

    assert len(server.seen) == 1


async def test_a_delete_whose_answer_was_lost_is_done_if_the_thing_is_gone() -> None:
    clock = MovedClock()
    async with raw(first(lost, reply(404))) as server, ApiSession(server.url, clock=clock.clock) as api:
        done = await api.delete("/x")
        with pytest.raises(Absent) as caught:
            await api.delete("/x")

    assert (done.attempts, done.data) == (2, None)
    assert caught.value.changed is False


async def test_a_refusal_after_a_lost_answer_does_not_say_that_nothing_changed() -> None:
    clock = MovedClock()
    async with raw(first(lost, reply(400))) as server, ApiSession(server.url, clock=clock.clock) as api:
        with pytest.raises(Invalid) as caught:
            await api.put("/x")

    assert caught.value.changed is None


async def test_while_a_host_is_down_every_attempt_is_counted() -> None:
    clock = MovedClock()
    async with raw(lost) as server, ApiSession(server.url, clock=clock.clock) as api:
        with pytest.raises(Unreachable) as caught:
            await api.get("/x")

    assert (caught.value.attempts, len(server.seen), caught.value.changed) == (3, 3, False)
