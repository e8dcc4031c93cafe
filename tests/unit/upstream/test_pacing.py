"""Requests wait for their turn: within quotas, for all processes of a user together."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from laconic.stores import SharedFile
from laconic.upstream import ApiSession, Clock, Pace, Policy, Quota, Retrying, SharedRecord, Throttled
from laconic.upstream.sharing import OwnRecord
from tests.unit.upstream.servers import MovedClock, answering, raw, reply

MINUTE = {"reads": Quota(60), "writes": Quota(6)}


def most_within(times: list[float], span: float) -> int:
    return max(sum(start <= one < start + span for one in times) for start in times)


async def test_no_minute_has_more_requests_than_the_quota() -> None:
    moved, sent = MovedClock(), []
    pace = Pace(quotas=MINUTE, clock=moved.clock)
    for number in range(400):
        await pace.turn("reads", 1, 1000)
        sent.append(moved.time)
        moved.time += 0.01 * (number % 7)

    assert most_within(sent, 60.0) == 60
    assert sent[-1] - sent[0] < 400 * 1.1  # and hardly fewer


async def test_a_request_costs_what_it_says_and_groups_do_not_share() -> None:
    moved = MovedClock()
    pace = Pace(quotas=MINUTE, clock=moved.clock)

    assert await pace.turn("writes", 5, 1000) == 0
    assert await pace.turn("reads", 1, 1000) == 0
    assert await pace.turn("writes", 1, 1000) == 0
    assert await pace.turn("", 1, 1000) == 0
    assert await pace.turn("writes", 1, 1000) >= 60
    assert await pace.turn("writes", 999, 1000) >= 60  # more than the whole quota: alone in its minute


async def test_a_turn_beyond_the_patience_is_refused_and_uses_nothing_up() -> None:
    moved = MovedClock()
    pace = Pace(quotas=MINUTE, clock=moved.clock)
    await pace.turn("writes", 6, 0)
    for _ in range(9):
        with pytest.raises(Throttled) as caught:
            await pace.turn("writes", 1, 30)

    assert 60 <= caught.value.wait <= 63
    assert (caught.value.attempts, caught.value.changed) == (0, False)
    moved.time += caught.value.wait
    assert await pace.turn("writes", 6, 0) == 0


async def test_processes_with_one_record_share_the_quota(tmp_path: Path) -> None:
    moved, sent = MovedClock(), []
    record = tmp_path / "pace" / "alice.json"
    paces = [Pace(SharedFile(record, durable=False), MINUTE, clock=moved.clock) for _ in range(3)]
    for number in range(30):
        await paces[number % 3].turn("writes", 1, 1000)
        sent.append(moved.time)

    assert most_within(sent, 60.0) == 6


TAKER = """
import asyncio, sys, time
from pathlib import Path
from laconic.stores import SharedFile
from laconic.upstream import Clock, Pace, Quota, Throttled

async def main():
    record = SharedFile(Path(sys.argv[1]), durable=False)
    pace = Pace(record, {"g": Quota(100, 3600)}, clock=Clock(now=lambda: 1.8e9))
    taken = 0
    for _ in range(60):
        try:
            await pace.turn("g", 1, 0)
            taken += 1
        except Throttled:
            pass
    print(taken)

asyncio.run(main())
"""


def test_real_processes_never_take_more_than_the_quota_together(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TAKER, str(tmp_path / "pace.json")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]

    assert sum(int(process.communicate(timeout=50)[0]) for process in running) == 100


async def test_whom_one_task_was_told_to_wait_for_all_wait_for() -> None:
    moved = MovedClock()
    record = OwnRecord()
    one, other = (Pace(record, clock=moved.clock) for _ in range(2))
    async with (
        raw(answering(reply(429, retry_after="20"), reply(body=[]))) as server,
        ApiSession(server.url, pace=one, clock=moved.clock) as api,
        ApiSession(server.url, pace=other, clock=moved.clock) as second,
    ):
        with pytest.raises(Throttled):
            await api.post("/x")
        found = await second.get("/x")

    assert (found.attempts, found.waited, len(server.seen)) == (1, 20.0, 2)


async def test_a_caller_without_time_gets_its_turn_if_there_is_nothing_to_wait_for() -> None:
    pace, policy = Pace(quotas=MINUTE), Policy(time_left=lambda: -1.0)
    async with raw(answering(reply())) as server, ApiSession(server.url, policy=policy, pace=pace) as api:
        assert (await api.get("/x", group="writes")).status == 200


async def test_who_waits_for_one_quota_holds_up_nobody_who_needs_another() -> None:
    moved, waiting = MovedClock(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    pace = Pace(quotas=MINUTE, clock=Clock(lambda: moved.time, sleep))
    policy = Policy(concurrency=2, retrying=Retrying(patience=100))
    async with raw(answering(reply())) as server, ApiSession(server.url, policy=policy, pace=pace) as api:
        await pace.turn("writes", 6, 0)
        writes = [asyncio.create_task(api.put("/x", group="writes")) for _ in range(5)]
        await waiting.wait()
        read = await asyncio.wait_for(api.get("/x", group="reads"), 20)
        for task in writes:
            task.cancel()

    assert (read.status, len(server.seen)) == (200, 1)


async def test_a_group_is_not_closed_for_longer_than_an_hour_without_another_look() -> None:
    moved = MovedClock()
    pace = Pace(clock=moved.clock)
    await pace.close("", 1e12)
    with pytest.raises(Throttled) as caught:
        await pace.turn("", 1, 30)

    assert caught.value.wait == 3600


async def test_a_server_with_a_quota_never_has_to_refuse() -> None:
    moved, times = MovedClock(), []

    async def limited(request: object, writer: asyncio.StreamWriter) -> None:
        times.append(moved.time)
        is_over = sum(moved.time - 60 < one <= moved.time for one in times) > 6
        writer.write(reply(429 if is_over else 200, []))

    pace = Pace(quotas=MINUTE, clock=moved.clock)
    policy = Policy(retrying=Retrying(patience=1000))
    async with (
        raw(limited) as server,
        ApiSession(server.url, policy=policy, pace=pace, clock=moved.clock) as api,
    ):
        found = [await api.get("/x", group="writes") for _ in range(20)]

    assert {one.attempts for one in found} == {1}
    assert sum(one.waited for one in found) > 180


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"\xff{}",
        b"[" * 100_000,
        b'{"writes": 3}',
        b'{"writes": {"used": {"x": 1, "5": "y"}, "opens": "z", "since": null}}',
    ],
)
async def test_a_damaged_record_is_begun_again(content: bytes, tmp_path: Path) -> None:
    record = SharedFile(tmp_path / "pace.json", durable=False)
    record.write(content)

    assert await Pace(record, MINUTE).turn("writes", 1, 0) == pytest.approx(0, abs=1)
    assert json.loads(record.read())["writes"]["used"]


async def test_a_record_is_read_while_a_shorter_one_is_written_over_it(tmp_path: Path) -> None:
    moved, record = MovedClock(), SharedFile(tmp_path / "pace.json", durable=False)
    pace = Pace(record, clock=moved.clock)
    await pace.close("writes", 100)
    record.write(record.read() + b'ite": 1}')

    assert pace.outlook("writes").wait == 100


@pytest.mark.parametrize("seconds", [5, 60, 3600, 1_000_000])
async def test_a_clock_that_was_set_back_blocks_nobody(seconds: int) -> None:
    moved = MovedClock()
    pace = Pace(quotas=MINUTE, clock=moved.clock)
    await pace.turn("writes", 6, 0)
    await pace.close("writes", 100)
    moved.time -= seconds

    assert pace.outlook("writes").wait == 0
    assert await pace.turn("writes", 6, 0) == 0
    with pytest.raises(Throttled):
        await pace.turn("writes", 1, 0)


async def test_a_record_that_cannot_be_written_does_not_stop_the_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    pace = Pace(SharedFile(tmp_path / "file" / "pace.json"), MINUTE, clock=MovedClock().clock)
    for _ in range(6):
        await pace.turn("writes", 1, 0)
    await pace.close("reads", 5)
    with pytest.raises(Throttled):
        await pace.turn("writes", 1, 0)

    assert [one.message for one in caplog.records if "for this process alone" in one.message] != []
    assert len(caplog.records) == 1


async def test_a_record_that_can_be_written_again_is_shared_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    moved, folder = MovedClock(), tmp_path / "pace"
    paces = [Pace(SharedFile(folder / "x", durable=False), MINUTE, clock=moved.clock) for _ in range(2)]
    folder.write_text("in the way", encoding="utf-8")
    for _ in range(3):  # minutes
        await paces[0].turn("writes", 1, 0)
        moved.time += 61
    folder.unlink()
    await paces[1].turn("writes", 5, 0)
    await paces[0].turn("writes", 1, 0)
    for pace in paces:
        with pytest.raises(Throttled):
            await pace.turn("writes", 1, 0)

    assert [one.message.partition(":")[0] for one in caplog.records] == [
        "Requests are paced for this process alone"
    ]


def test_a_file_of_the_stores_is_a_record(tmp_path: Path) -> None:
    record: SharedRecord = SharedFile(tmp_path / "x")
    with record.lock() as is_ours, record.lock() as is_second:
        assert (is_ours, is_second) == (True, False)
    with record.lock() as is_ours:
        assert is_ours


def test_time_is_the_time_of_day_unless_a_test_says_otherwise() -> None:
    assert Clock().now() > 1_700_000_000
