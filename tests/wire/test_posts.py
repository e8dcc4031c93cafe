"""The lean wire over HTTP: streams, disconnected clients, subscriptions, and what never reaches the SDK."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp.server import streamable_http_manager

from laconic.kit import Caller, Settings, Toolset
from laconic.kit.wire import http
from laconic.kit.wire.posts import replies, subscriptions
from laconic.kit.wire.protocol import MODERN
from tests.wire.odd import held
from tests.wire.posting import PATIENCE, Line, Site, posting, raw
from tests.wire.scripts import lines_of
from tests.wire.talking import KEY, initialize, modern, request


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110  # there is nothing to wait for
            await asyncio.sleep(0.005)


def call(tool: str, id: Any = 1, about: Any = None, **arguments: Any) -> dict[str, Any]:
    return modern(id, "tools/call", None, about, name=tool, arguments=arguments)


async def test_a_correct_request_never_reaches_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*given: Any) -> None:
        raise AssertionError("it reached the SDK")

    monkeypatch.setattr(streamable_http_manager, "handle_modern_request", refuse)
    async with posting() as site:
        lines = [line for name, line in lines_of(MODERN[0]) if not name.endswith("of a number")]
        statuses = [(await site.post(line)).status for line in lines]
        noisy = await site.post(call("test_tool_with_progress", about={"progressToken": 1}))

    assert set(statuses) == {200, 400, 404}
    assert noisy.is_stream


async def test_earlier_revisions_are_served_at_the_same_address() -> None:
    legacy = {"MCP-Protocol-Version": None, "Mcp-Method": None}
    async with posting() as site:
        greeted = await site.post(initialize("2025-11-25"), legacy)
        session = {"Mcp-Session-Id": greeted.headers["mcp-session-id"], **legacy}
        session["MCP-Protocol-Version"] = "2025-11-25"
        called = await site.post(request(2, "tools/call", name="odd_say"), session)

    assert called.messages[-1]["result"]["content"] == [{"type": "text", "text": "something"}]


@pytest.mark.parametrize("started", [False, True], ids=["in silence", "after a notice"])
async def test_a_call_ends_when_its_client_disconnects(started: bool) -> None:
    held.clear()
    tool = call("odd_shout", about={"progressToken": 1}, times=10**9) if started else call("odd_hold")
    async with posting() as site:
        line = await site.begin(tool)
        if started:
            assert (await line.head()).is_stream
            await line.event()
            line.writer.close()
            await until(lambda: not site.endpoint.stop._calls)
        else:
            await until(lambda: "started" in held)
            line.writer.close()
            await until(lambda: "stopped" in held)
        again = await site.call("odd_say")

    assert again.status == 200


async def test_a_tool_that_does_not_want_to_end_harms_nobody() -> None:
    held.clear()
    async with posting() as site:
        line = await site.begin(call("odd_stubborn"))
        await until(lambda: "started" in held)
        line.writer.close()
        await until(lambda: "stubborn" in held)

        assert (await site.call("odd_say")).status == 200


async def test_a_tool_that_says_a_lot_waits_for_a_client_that_does_not_read() -> None:
    held.clear()
    async with posting() as site:
        line = await site.begin(call("odd_shout", about={"progressToken": 1}, times=500, size=100_000))
        await until(lambda: "said 1" in held)
        count = -1
        while count != len(held):
            count = len(held)
            await asyncio.sleep(0.3)
        assert count < 400  # what fits into the buffers of the system; the rest waits in the tool
        answer = await line.answer()

    assert len(answer.messages) == 501


async def test_a_slow_call_holds_up_nobody() -> None:
    async with posting() as site:
        slow = await site.begin(call("odd_hold"))
        quick = [await site.call("odd_say") for _ in range(20)]
        slow.writer.close()

    assert [answer.status for answer in quick] == [200] * 20


async def test_requests_sent_at_once_on_one_connection_are_answered_in_order() -> None:
    async with posting() as site:
        bodies = [call("odd_nap", id, seconds=0.02 if id % 2 else 0) for id in range(10)]
        requests = [raw("POST", site.usual(body).items(), json.dumps(body).encode()) for body in bodies]
        line = await site.send(b"".join(requests))
        answers = [await line.answer() for _ in bodies]

    assert [answer.messages[0]["id"] for answer in answers] == list(range(10))


async def test_a_stream_shows_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "_SILENT", 0.1)
    async with posting() as site:
        line = await site.begin(call("odd_hold", seconds=0.5))
        assert (await line.head()).is_stream
        signs = [await line.chunk() for _ in range(2)]
        answer = await line.event()

    assert signs == [b": ping\r\n\r\n"] * 2
    assert answer["result"]["content"] == [{"type": "text", "text": "Held for 0.5 s."}]


@pytest.mark.parametrize("tool", ["odd_exit", "odd_number", "odd_answer", "odd_deep"])
async def test_a_tool_that_does_what_it_should_not_is_answered(tool: str) -> None:
    async with posting(settings=Settings(output="both")) as site:
        answer = await site.call(tool)
        again = await site.call("odd_say")

    message = answer.messages[0]
    assert message["id"] == 1 and ("result" in message or message["error"]["code"] == -32603)
    assert again.status == 200


late = Toolset("late")


@late.read
async def late_words(caller: Caller) -> dict[str, Any]:
    """Say who calls."""
    return {"name": caller.name, "headers": dict(caller.headers)}


async def test_a_tool_sees_the_headers_without_secrets() -> None:
    async with posting(toolsets=[late]) as site:
        headers = {"X-Mark": "ä", "Cookie": "a=1", "Authorization": "Bearer x", "Proxy-Authorization": "y"}
        answer = await site.post(call("late_words"), headers)
        text = answer.messages[0]["result"]["content"][0]["text"]

    assert "local" in text and "x-mark" in text
    assert not any(secret in text for secret in ("a=1", "Bearer", "cookie", "authorization"))


# Subscriptions


def listen(id: Any, **wishes: Any) -> dict[str, Any]:
    return modern(id, "subscriptions/listen", notifications=wishes)


@asynccontextmanager
async def listening(site: Site, id: Any, **wishes: Any) -> AsyncIterator[Line]:
    """An open subscription whose acknowledgement was read."""
    line = await site.begin(listen(id, **wishes))
    assert (await line.head()).is_stream
    told = await line.event()
    assert told["method"] == "notifications/subscriptions/acknowledged"
    assert told["params"] == {
        "notifications": wishes,
        "_meta": {f"{KEY}subscriptionId": id},
    }
    yield line


async def test_a_subscription_tells_what_it_covers_and_nothing_else() -> None:
    async with posting() as site:
        changes = site.endpoint.changes
        async with (
            listening(site, "t", toolsListChanged=True) as tools,
            listening(site, 0, resourceSubscriptions=["job://1"]) as one,
        ):
            await changes.tell("prompts")
            await changes.tell("resource", "job://2")
            await changes.tell("resource", "job://1")
            await changes.tell("tools")
            heard = [await tools.event(), await one.event()]

    assert [one["method"] for one in heard] == [
        "notifications/tools/list_changed",
        "notifications/resources/updated",
    ]
    assert heard[1]["params"] == {"uri": "job://1", "_meta": {f"{KEY}subscriptionId": 0}}


async def test_changes_that_were_not_told_yet_are_told_once() -> None:
    async with posting() as site, listening(site, 1, toolsListChanged=True, promptsListChanged=True) as line:
        changed = site.endpoint.changes.listeners[-1]  # nothing is sent between two of these
        for kind in ("tools", "tools", "prompts", "tools"):
            await changed(kind, None)
        heard = [(await line.event())["method"] for _ in range(2)]
        await changed("prompts", None)
        last = await line.event()

    assert heard == ["notifications/tools/list_changed", "notifications/prompts/list_changed"]
    assert last["method"] == "notifications/prompts/list_changed"


async def test_a_subscription_whose_client_left_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "MOST", 1)
    async with posting() as site:
        async with listening(site, 1, toolsListChanged=True) as line:
            refused = await site.post(listen(2, toolsListChanged=True))
            line.writer.close()
        async with asyncio.timeout(PATIENCE):
            again = listen(3, toolsListChanged=True)
            while not (await (await site.begin(again)).head()).is_stream:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    assert refused.messages[0]["error"]["message"] == "Subscription limit reached"


# Sessions of earlier revisions


async def test_a_session_that_nobody_uses_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "IDLE", 0.3)
    legacy = {"MCP-Protocol-Version": "2025-11-25", "Mcp-Method": None}
    async with posting() as site:
        greeted = await site.post(initialize("2025-11-25"), legacy)
        session = {**legacy, "Mcp-Session-Id": greeted.headers["mcp-session-id"]}
        used = await site.post(request(2, "ping"), session)
        async with asyncio.timeout(PATIENCE):
            while (await site.post(request(3, "ping"), session)).status == 200:  # noqa: ASYNC110
                await asyncio.sleep(0.6)

    assert (greeted.status, used.status) == (200, 200)
