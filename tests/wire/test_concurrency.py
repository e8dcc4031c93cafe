"""Concurrency: slow and fast calls, floods, cancels, questions and notices of one client."""

import asyncio
import json
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.wire.lean import serving
from laconic.kit.wire.lean.pipes import FULL
from laconic.kit.wire.protocol import SUBSCRIPTION_KEY
from tests.wire import odd
from tests.wire.talking import KEY, Message, Talk, is_answer, modern, notice, request, started, talking

LEGACY, MODERN = "2025-11-25", "2026-07-28"
in_both_eras = pytest.mark.parametrize("revision", [LEGACY, MODERN])


@pytest.fixture(autouse=True)
def nothing_held() -> None:
    odd.held.clear()


async def until(is_so: Any) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110  # what is waited for tells nobody
            await asyncio.sleep(0.001)


def text(answer: Message) -> str:
    return str(answer["result"]["content"][0]["text"])


def answers(talk: Talk) -> list[Any]:
    return [one["id"] for one in talk.heard if is_answer(one)]


# Slow and fast


@in_both_eras
async def test_a_slow_call_holds_up_neither_a_fast_one_nor_a_list(revision: str) -> None:
    async with talking(revision) as talk:
        talk.send(talk.call("slow", "odd_hold", seconds=30))
        fast = await talk.ask(talk.call("fast", "odd_say", text="quick"))
        await talk.ask(talk.request("list", "tools/list"))
        if revision == LEGACY:
            await talk.ask(request("ping", "ping"))
        talk.send(notice("notifications/cancelled", requestId="slow"))

    assert text(fast) == "quick"
    assert "slow" not in answers(talk)


@in_both_eras
async def test_a_thousand_calls_at_once_are_all_answered_once(revision: str) -> None:
    async with talking(revision) as talk:
        talk.send(*(talk.call(number, "odd_say", text=str(number)) for number in range(1000)))
        await talk.find(is_answer, 1001)
        await talk.fence()

    found = {one["id"]: text(one) for one in talk.heard if isinstance(one.get("id"), int)}
    assert found == {number: str(number) for number in range(1000)}
    assert len(talk.heard) == 1002  # with the greeting and the fence


@in_both_eras
async def test_while_all_places_are_taken_pings_lists_and_cancels_are_heard(
    revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST", 3)
    async with talking(revision) as talk:
        talk.send(*(talk.call(number, "odd_hold", seconds=30) for number in range(6)))
        await until(lambda: odd.held.count("started") == 3)
        await talk.fence()
        talk.send(*(notice("notifications/cancelled", requestId=number) for number in (0, 4)))
        await until(lambda: odd.held.count("started") == 4)  # the one that waited longest runs next
        talk.send(*(notice("notifications/cancelled", requestId=number) for number in (5, 1, 2, 3)))
        said = await talk.ask(talk.call("last", "odd_say", text="free"))

    assert text(said) == "free"
    assert odd.held.count("started") == 4  # a request cancelled before its turn never starts
    assert not [id for id in answers(talk) if isinstance(id, int)]


async def test_a_flood_of_calls_stays_in_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST", 1)
    monkeypatch.setattr(serving, "QUEUED", 20_000)
    async with talking(LEGACY) as talk:
        talk.send(talk.call("slow", "odd_hold", seconds=0.5))
        line = talk.call(0, "odd_say", text="x" * 1000)
        for number in range(1500):
            talk.send({**line, "id": number})
        await until(lambda: odd.held == ["started"])
        await asyncio.sleep(0.2)
        assert talk.writing.is_full  # not handled while the slow call runs
        await talk.find(is_answer, 1502)

    assert answers(talk)[2:] == list(range(1500))


# A client that stops reading


@in_both_eras
async def test_progress_waits_for_a_client_that_stops_reading(revision: str) -> None:
    async with talking(revision) as talk:
        call = talk.call(1, "odd_shout", times=400, size=10_000)
        call["params"].setdefault("_meta", {})["progressToken"] = 0
        talk.reading.wait()
        talk.send(call, talk.call(2, "odd_hold", seconds=0))
        await until(lambda: "started" in odd.held)  # other work continues
        await asyncio.sleep(0.1)
        stopped_at = len(odd.held)
        assert stopped_at * 10_000 < FULL + 500_000
        talk.reading.go_on()
        assert text(await talk.answer(1)) == "Said."
        assert text(await talk.answer(2)) == "Held for 0 s."

    told = [one["params"] for one in talk.heard if one.get("method") == "notifications/progress"]
    assert [one["progress"] for one in told] == list(range(400))
    assert {one["progressToken"] for one in told} == {0}


async def test_a_client_that_never_reads_does_not_fill_the_memory() -> None:
    async with started(LEGACY) as talk:
        await talk.ask(talk.call("warm", "odd_say"))
        before = talk.memory
        talk.reading.wait()
        for number in range(400):
            talk.send(
                talk.request(number, "tools/list"), talk.call(f"c{number}", "odd_say", text="x" * 20_000)
            )
        for _ in range(100):
            await asyncio.sleep(0.01)
            if talk.memory - before > 16 * FULL:
                break
        grown = talk.memory - before
        talk.reading.go_on()
        await talk.answer(399)
        await talk.answer("c399")

    assert grown < 16 * FULL


# Cancelling


@in_both_eras
async def test_a_cancel_stops_the_work_at_once_and_gets_no_answer(revision: str) -> None:
    async with talking(revision) as talk:
        talk.send(talk.call(1, "odd_hold"))
        await until(lambda: odd.held == ["started"])
        talk.send(notice("notifications/cancelled", requestId=1, reason="enough"))
        await until(lambda: odd.held == ["started", "stopped"])
        await talk.fence()
        again = await talk.ask(talk.call(1, "odd_say", text="the id is free"))

    assert text(again) == "the id is free"
    assert answers(talk).count(1) == 1


@in_both_eras
async def test_a_tool_that_answers_all_the_same_is_not_heard(revision: str) -> None:
    async with talking(revision) as talk:
        talk.send(talk.call(1, "odd_stubborn"))
        await until(lambda: odd.held == ["started"])
        talk.send(notice("notifications/cancelled", requestId=1))
        await until(lambda: odd.held == ["started", "stubborn"])
        await talk.fence()

    assert 1 not in answers(talk)


@in_both_eras
async def test_a_cancel_that_overtakes_its_call_in_the_same_chunk_leaves_the_others(revision: str) -> None:
    async with talking(revision) as talk:
        lines: list[Message] = []
        for number in range(50):
            lines.append(talk.call(number, "odd_hold", seconds=0.01))
            if number % 2:
                lines.append(notice("notifications/cancelled", requestId=number))
        talk.writing.send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        await talk.find(is_answer, 26)
        await talk.fence()

    assert sorted(id for id in answers(talk) if isinstance(id, int)) == list(range(0, 50, 2))


# Asking


async def test_two_questions_to_a_legacy_client_are_told_apart_by_their_ids() -> None:
    async with talking(LEGACY, elicitation={}) as talk:
        talk.send(talk.call("a", "odd_ask", who="first"), talk.call("b", "odd_ask", who="second"))
        asked = [await talk.find(lambda one: one.get("method") == "elicitation/create", n) for n in (1, 2)]
        for question, name in zip(reversed(asked), ("Zoe", "Ada"), strict=True):
            content = {"action": "accept", "content": {"name": name}}
            talk.send({"jsonrpc": "2.0", "id": question["id"], "result": content})
        found = [text(await talk.answer(id)) for id in ("a", "b")]

    assert found == ["first: Ada", "second: Zoe"]


async def test_a_reply_that_fits_no_question_and_an_error_are_failures_of_the_call() -> None:
    async with talking(LEGACY, elicitation={}) as talk:
        talk.send(talk.call("a", "odd_ask"), talk.call("b", "odd_ask"))
        asked = [await talk.find(lambda one: one.get("method") == "elicitation/create", n) for n in (1, 2)]
        talk.send({"jsonrpc": "2.0", "id": asked[0]["id"], "result": {"action": "shrug"}})
        talk.send({"jsonrpc": "2.0", "id": asked[1]["id"], "error": "no"})
        found = [await talk.answer(id) for id in ("a", "b")]

    assert [one["result"]["isError"] for one in found] == [True, True]


async def test_a_call_that_is_cancelled_takes_its_question_back() -> None:
    async with talking(LEGACY, elicitation={}) as talk:
        talk.send(talk.call("a", "odd_ask"))
        asked = await talk.find(lambda one: one.get("method") == "elicitation/create")
        talk.send(notice("notifications/cancelled", requestId="a"))
        back = await talk.find(lambda one: one.get("method") == "notifications/cancelled")
        talk.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}})
        await talk.fence()

    assert back["params"]["requestId"] == asked["id"]
    assert "a" not in answers(talk)


@in_both_eras
async def test_a_question_that_cannot_be_written_is_a_bug_of_the_tool(revision: str, caplog: Any) -> None:
    async with talking(revision, elicitation={}) as talk:
        answer = await talk.ask(talk.call("a", "odd_question", {"elicitation": {}}))
        await talk.fence()

    words = json.dumps(answer)
    assert "INTERNAL_ERROR" in words or answer["error"]["code"] == -32603
    assert "JSON compliant" in caplog.text


async def test_a_modern_client_brings_the_reply_with_the_next_call() -> None:
    able: Message = {"elicitation": {}}
    async with talking() as talk:
        first = await talk.ask(talk.call(1, "test_input_required_result_request_state", able))
        state = first["result"]["requestState"]
        reply = {"confirm": {"action": "accept", "content": {"ok": True}}}
        again = talk.call(2, "test_input_required_result_request_state", able)
        again["params"] |= {"inputResponses": reply, "requestState": state}
        other = talk.call(3, "test_input_required_result_tampered_state", able)
        other["params"] |= {"inputResponses": reply, "requestState": state}
        done, refused = await talk.ask(again), await talk.ask(other)

    assert first["result"]["resultType"] == "input_required"
    assert text(done) == "state-ok"
    assert refused["error"]["code"] == -32602


# Telling


async def test_a_subscription_is_acknowledged_tagged_and_ended_in_good_order() -> None:
    async with talking() as talk:
        talk.send(modern("s", "subscriptions/listen", notifications={"toolsListChanged": True}))
        talk.send(modern("t", "subscriptions/listen", notifications={"toolsListChanged": True}))
        await talk.ask(talk.call(1, "odd_change"))
        talk.send(notice("notifications/cancelled", requestId="t"))
        await talk.ask(talk.call(2, "odd_change"))
        heard = await talk.hang_up()

    about = [
        (one.get("method", "the end").removeprefix("notifications/"), id)
        for one in heard
        if (id := (one.get("params") or one.get("result") or {}).get("_meta", {}).get(SUBSCRIPTION_KEY))
    ]
    acknowledged, changed = "subscriptions/acknowledged", "tools/list_changed"
    assert about == [
        (acknowledged, "s"),
        (acknowledged, "t"),
        (changed, "s"),
        (changed, "t"),
        (changed, "s"),
        ("the end", "s"),
    ]


@pytest.mark.parametrize("token", [0, "", "a", 2**60])
async def test_progress_comes_under_any_token(token: Any) -> None:
    async with talking() as talk:
        call = modern(1, "tools/call", about={"progressToken": token}, name="test_tool_with_progress")
        await talk.ask(call)

    told = [one["params"] for one in talk.heard if one.get("method") == "notifications/progress"]
    assert [(one["progressToken"], one["progress"]) for one in told] == [
        (token, 0),
        (token, 50),
        (token, 100),
    ]


async def test_a_legacy_client_hears_from_its_level_up() -> None:
    async with talking(LEGACY) as talk:
        await talk.ask(talk.call(1, "test_tool_with_logging"))
        await talk.ask(request(2, "logging/setLevel", level="error"))
        await talk.ask(talk.call(3, "test_tool_with_logging"))
        await talk.ask(talk.call(4, "test_logging_tool"))

    levels = [one["params"]["level"] for one in talk.heard if one.get("method") == "notifications/message"]
    assert levels == ["info", "info", "info", "error"]


@pytest.mark.parametrize(("level", "count"), [(None, 0), ("error", 0), ("debug", 3), ("loud", 0)])
async def test_a_modern_request_hears_what_it_asked_for(level: str | None, count: int) -> None:
    async with talking() as talk:
        about = {KEY + "logLevel": level} if level else {}
        await talk.ask(modern(1, "tools/call", about=about, name="test_tool_with_logging"))

    assert sum(one.get("method") == "notifications/message" for one in talk.heard) == count


# Tools that do what they should not


@in_both_eras
async def test_an_answer_that_json_cannot_say_is_still_an_answer(revision: str, caplog: Any) -> None:
    async with talking(revision, settings=Settings(output="both")) as talk:
        number = await talk.ask(talk.call(1, "odd_number"))
        answer = await talk.ask(talk.call(3, "odd_answer"))
        deep = await talk.ask(talk.call(2, "odd_deep"))
        await talk.fence()

    assert number["result"]["structuredContent"] == {"value": "NaN"}
    assert answer["error"] == {"code": -32603, "message": "Internal server error"}
    assert deep["result"]["isError"]
    assert "an answer that cannot be written as JSON" in caplog.text


@pytest.mark.parametrize("over", ["lean", "sdk"])
@in_both_eras
async def test_a_tool_that_wants_to_leave_does_not_end_the_server(
    revision: str, over: str, caplog: Any
) -> None:
    async with talking(revision, over) as talk:
        left = await talk.ask(talk.call(1, "odd_exit"))
        said = await talk.ask(talk.call(2, "odd_say", text="still here"))

    assert left["result"]["isError"] and "[INTERNAL_ERROR]" in text(left)
    assert text(said) == "still here"
    assert "SystemExit" in caplog.text
