"""Rubbish, torn lines, floods and sudden ends, in both eras: a real process survives them."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.process.speaking import serving, wait_for
from tests.wire.scripts import ODD_LINES, OPENINGS
from tests.wire.talking import Message, Process, encoded, is_answer, notice, request, started, talking
from tests.wire.test_same import OTHERWISE, outcome, said_to

LEGACY, MODERN = "2025-11-25", "2026-07-28"
in_both_eras = pytest.mark.parametrize("revision", [LEGACY, MODERN])
MB = 1024 * 1024


async def lives(talk: Process) -> None:
    said = await talk.ask(talk.call("alive", "odd_say", text="yes"))
    assert said["result"]["content"][0]["text"] == "yes"


# Lines


@in_both_eras
@pytest.mark.parametrize("phase", ["before the first call", "after it"])
async def test_every_odd_line_is_refused_and_the_session_goes_on(revision: str, phase: str) -> None:
    async with started(revision) as talk:
        if phase == "after it":
            await lives(talk)
        for name, (line, code, id) in ODD_LINES.items():
            talk.heard.clear()
            talk.send(line)
            refused = await talk.find(is_answer)
            assert (refused["error"]["code"], refused["id"]) == (code, id), name
        await lives(talk)


@in_both_eras
async def test_half_a_line_waits_for_its_other_half_and_holds_up_nobody(revision: str) -> None:
    async with started(revision) as talk:
        talk.send(talk.call("slow", "odd_hold", seconds=0.2))
        line = encoded(talk.call("torn", "odd_say", text="ärger"))
        middle = line.index(b"text") + 9
        talk.writing.send(line[:middle])
        await talk.answer("slow")  # answered meanwhile
        talk.writing.send(line[middle:] + b"\n")
        whole = await talk.answer("torn")

    assert whole["result"]["content"][0]["text"] == "ärger"


@in_both_eras
async def test_half_a_line_at_the_end_is_refused_and_all_before_it_answered(revision: str) -> None:
    async with started(revision) as talk:
        talk.send(talk.call("whole", "odd_say"))
        talk.writing.send(b'{"jsonrpc":"2.0","id":1,"meth')
        heard = await talk.hang_up()
        assert await talk.ends() == 0

    assert {one["id"]: one.get("error", {}).get("code") for one in heard[1:]} == {1: -32700, "whole": None}


@in_both_eras
async def test_a_last_line_without_an_end_is_a_line(revision: str) -> None:
    async with started(revision) as talk:
        talk.writing.send(encoded(talk.call("last", "odd_say")))
        heard = await talk.hang_up()

    assert heard[-1]["id"] == "last" and "result" in heard[-1]


@in_both_eras
@pytest.mark.parametrize("phase", ["before the first call", "after it"])
async def test_a_line_of_a_hundred_megabytes_is_refused_and_not_kept(revision: str, phase: str) -> None:
    async with started(revision) as talk:
        if phase == "after it":
            await lives(talk)
        await talk.fence()
        before = most = talk.memory
        begin, end = encoded(talk.call(5, "odd_say", text="BODY")).split(b"BODY")
        begin = begin.replace(b'"jsonrpc": "2.0", "id": 5', b'"jsonrpc":"2.0","id":5')
        talk.writing.send(begin)
        for _ in range(100):
            talk.writing.send(b"x" * MB)
            await talk.writing.room()
            most = max(most, talk.memory)
        talk.writing.send(end + b"\n")
        refused = await talk.answer(5)
        await lives(talk)

    assert refused["error"]["code"] == -32600
    assert most - before < 80 * MB


@in_both_eras
async def test_a_line_just_under_the_limit_is_read(revision: str) -> None:
    async with started(revision) as talk:
        answer = await talk.ask(talk.call(1, "odd_say", text="x" * (15 * MB)))

    assert "result" in answer  # what does not fit an answer is kept aside


@in_both_eras
async def test_many_empty_lines_are_nothing(revision: str) -> None:
    async with started(revision) as talk:
        talk.writing.send(b"\n" * 100_000 + b" \r\n" * 1000)
        await lives(talk)
        assert len(talk.heard) == 2


# Order


@in_both_eras
async def test_an_id_that_is_under_way_is_refused_in_a_process_too(revision: str) -> None:
    async with started(revision) as talk:
        talk.send(talk.call(7, "odd_hold", seconds=0.3), talk.call(7, "odd_say"))
        await talk.find(lambda one: one.get("id") == 7, 2)

    found = [outcome(one) for one in talk.heard if one.get("id") == 7]
    assert found[0] == -32600 and found[1]["content"][0]["text"] == "Held for 0.3 s."


@pytest.mark.parametrize(
    "name", ["a list before initialize", "a revision nobody knows", "modern without params"]
)
async def test_a_process_begins_as_it_should_with(name: str) -> None:
    assert name not in OTHERWISE
    async with started(greet=False) as talk:
        found = [outcome(await talk.ask(line)) for line in OPENINGS[name]]

    assert found == await said_to(OPENINGS[name], "lean")


@in_both_eras
async def test_cancels_between_calls_stop_these_and_no_others(revision: str) -> None:
    async with started(revision) as talk:
        for number in range(30):
            talk.send(talk.call(number, "odd_hold", seconds=30 if number % 3 else 0.05))
            if number % 3:
                talk.send(notice("notifications/cancelled", requestId=number))
                talk.send(notice("notifications/cancelled", requestId=number))
        for number in range(0, 30, 3):
            await talk.answer(number)
        await lives(talk)

    assert sorted(one["id"] for one in talk.heard if isinstance(one["id"], int)) == list(range(0, 30, 3))


# Ends


@in_both_eras
async def test_input_that_ends_in_a_call_still_gets_a_short_answer(revision: str, tmp_path: Path) -> None:
    async with started(revision) as talk:
        talk.send(talk.call("short", "odd_hold", seconds=0.3))
        heard = await talk.hang_up()
        assert await talk.ends() == 0

    assert heard[-1]["id"] == "short" and "result" in heard[-1]


@in_both_eras
async def test_input_that_ends_in_a_long_call_stops_it(revision: str, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    async with started(revision) as talk:
        talk.send(talk.call("long", "odd_hold", seconds=50, mark=str(mark)))
        await asyncio.to_thread(wait_for, mark)
        heard = await talk.hang_up()
        assert await talk.ends() == 0

    assert (tmp_path / "started.stopped").exists()
    assert "long" not in [one["id"] for one in heard]


@in_both_eras
async def test_a_client_that_is_gone_altogether_is_not_waited_for(revision: str, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    async with started(revision) as talk:
        talk.send(talk.call("long", "odd_hold", seconds=50, mark=str(mark)))
        await asyncio.to_thread(wait_for, mark)
        talk.reading.wait()
        assert talk.process.stdout
        talk.process.stdout.close()
        talk.close()
        assert await talk.ends() == 0

    assert (tmp_path / "started.stopped").exists()


TOOLS = """
import sys
sys.path[:0] = {paths!r}
from tests.wire.odd import odd
"""


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("wire", ["lean", "sdk"])
def test_a_signal_in_a_call_stops_it_and_ends_the_process(workspace: Path, era: str, wire: str) -> None:
    (workspace / "tools.py").write_text(TOOLS.format(paths=[str(Path(__file__).parents[2])]))
    with serving("tools:odd", folder=workspace, era=era, LACONIC_WIRE=wire) as server:
        server.send("tools/call", name="odd_hold", arguments={"mark": str(workspace / "started")})
        wait_for(workspace / "started")
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert server.stderr == ""

    assert (workspace / "started.stopped").exists()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


async def test_a_reply_of_nothing_in_particular_ends_nothing() -> None:
    async with talking(LEGACY) as talk:
        odd: list[Message] = [
            {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}},
            {"jsonrpc": "2.0", "result": {}},
            {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": None},
        ]
        talk.send(*odd, request(2, "ping"))
        await talk.answer(2)
        assert len(talk.heard) == 2
