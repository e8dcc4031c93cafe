"""A conversation without files, tasks or tools: the answer to each line, and the requests left to run."""

import asyncio
import json
from typing import Any

import pytest

from laconic.kit import Endpoint
from laconic.kit.errors import Refused
from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.lean.conversation import Conversation
from laconic.kit.wire.lean.lines import Overlong
from laconic.kit.wire.lean.peer import LeanPeer
from laconic.kit.wire.lean.requests import Request
from laconic.kit.wire.sealing import Seal
from tests.conformance.fixtures import NAME
from tests.wire.odd import TOOLSETS
from tests.wire.talking import encoded, initialize, modern, notice, request

ABOUT = ServerCard.of(Endpoint(TOOLSETS, name="odd"))
TAG = "io.modelcontextprotocol/subscriptionId"


class Said:
    """A conversation, and everything it sent."""

    def __init__(self, *lines: Any) -> None:
        self.words: list[Any] = []
        self.conversation = Conversation(ABOUT, self.words.append)
        for line in lines:
            self.hear(line)
        self.words.clear()

    def hear(self, line: Any) -> list[Request]:
        return self.conversation.hear(encoded(line))

    def codes(self) -> list[tuple[Any, int | None]]:
        return [(one["id"], one.get("error", {}).get("code")) for one in self.words]


def call(id: Any) -> dict[str, Any]:
    return request(id, "tools/call", name="odd_say")


def legacy(revision: str = "2025-11-25") -> Said:
    return Said(initialize(revision), notice("notifications/initialized"))


# Requests left to run


def test_only_what_needs_a_tool_is_given_back() -> None:
    said = legacy()

    assert said.hear(request(1, "tools/list")) == []
    (started,) = said.hear(call(2))

    assert (started.id, started.method, started.is_modern) == (2, "tools/call", False)
    assert said.codes() == [(1, None)]


def test_an_id_that_is_under_way_is_refused_and_the_first_request_goes_on() -> None:
    said = legacy()
    (first,) = said.hear(call(7))
    assert said.hear(call(7)) == []
    first.reply({"content": []})
    said.conversation.done(first)

    assert said.codes() == [(7, -32600), (7, None)]
    assert len(said.hear(call(7))) == 1  # and is free again


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (0, ""), (1, 1.0)])
def test_ids_of_another_type_name_other_requests(one: Any, other: Any) -> None:
    said = legacy()

    assert len(said.hear(call(one))) == 1
    assert len(said.hear(call(other))) == (0 if isinstance(other, float) else 1)


def test_a_request_that_did_not_begin_is_cancelled_without_a_word() -> None:
    said = legacy()
    (first,) = said.hear(call(1))
    said.hear(notice("notifications/cancelled", requestId=1))
    first.reply({"content": []})

    assert not said.conversation.is_under_way(first)
    assert said.words == []


@pytest.mark.parametrize("id", [None, True, 1.5, [1], {"a": 1}, 99, "1"])
def test_a_cancel_of_nothing_is_passed_over(id: Any) -> None:
    said = legacy()
    (first,) = said.hear(call(1))
    said.hear(notice("notifications/cancelled", requestId=id))
    said.hear({"jsonrpc": "2.0", "method": "notifications/cancelled"})

    assert said.conversation.is_under_way(first)
    assert said.words == []


@pytest.mark.parametrize("line", [b"", b"   ", b"\r", b"\t"])
def test_an_empty_line_is_passed_over(line: bytes) -> None:
    said = legacy()
    said.hear(line)
    assert said.words == []


@pytest.mark.parametrize("method", ["notifications/x", "notifications/roots/list_changed", "tools/call"])
def test_a_notice_gets_no_answer_whatever_it_is(method: str) -> None:
    said = legacy()
    said.hear(notice(method, name="odd_say"))
    assert said.words == []


@pytest.mark.parametrize("id", [1, "1", None, True, {"a": 1}])
@pytest.mark.parametrize("body", [{"result": {}}, {"error": 5}, {"error": {"code": 1}}, {"result": 1}])
def test_a_reply_nobody_waits_for_is_passed_over(id: Any, body: dict[str, Any]) -> None:
    said = legacy()
    said.hear({"jsonrpc": "2.0", "id": id, **body})
    assert said.words == []


def test_an_overlong_line_is_refused_under_its_id_where_that_can_be_seen() -> None:
    said = legacy()
    said.conversation.hear(Overlong(b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"x":"'))
    said.conversation.hear(Overlong(b'{"params":{"x":"'))

    assert said.codes() == [(5, -32600), (None, -32600)]


# Several messages in a line


def test_the_replies_to_a_list_come_in_one_line_when_the_last_is_there() -> None:
    said = legacy("2025-03-26")
    first, second = said.hear(
        [call(1), request(2, "ping"), call(3), notice("notifications/x"), "odd", call(1)]
    )
    for started in (second, first):
        assert said.words == []
        started.reply({"content": []})
        said.conversation.done(started)

    (answer,) = said.words
    found = [(one["id"], one.get("error", {}).get("code")) for one in answer]
    assert found == [(2, None), (None, -32600), (1, -32600), (3, None), (1, None)]


def test_a_request_that_is_cancelled_in_its_own_list_is_not_run() -> None:
    said = legacy("2025-03-26")
    cancel = notice("notifications/cancelled", requestId=1)

    (started,) = said.hear([call(1), cancel, call(2)])
    started.reply({"content": []})
    said.conversation.done(started)

    assert started.id == 2
    assert [[one["id"] for one in line] for line in said.words] == [[2]]


def test_a_list_of_notices_gets_no_answer() -> None:
    said = legacy("2025-03-26")
    said.hear([notice("notifications/x"), {"jsonrpc": "2.0", "id": 3, "result": {}}])
    assert said.words == []


@pytest.mark.parametrize("line", [[], [request(1, "ping")] * 1001])
def test_an_empty_list_and_an_endless_one_are_refused(line: list[Any]) -> None:
    said = legacy("2025-03-26")
    assert said.hear(line) == []
    assert said.codes() == [(None, -32600)]


def test_a_list_in_a_list_is_no_message() -> None:
    said = legacy("2025-03-26")
    said.hear([[request(1, "ping")]])
    assert said.words[0][0]["error"]["code"] == -32600


# Change notices


async def test_a_listener_is_told_first_what_it_will_hear_and_then_that_alone() -> None:
    said = Said()
    wishes = {"toolsListChanged": True, "promptsListChanged": False, "resourceSubscriptions": ["job://1"]}
    assert said.hear(modern("sub", "subscriptions/listen", notifications=wishes)) == []
    for kind, uri in (("prompts", None), ("resource", "job://2"), ("tools", None), ("resource", "job://1")):
        await said.conversation.notices.changed(kind, uri)

    assert [one["method"].removeprefix("notifications/") for one in said.words] == [
        "subscriptions/acknowledged",
        "tools/list_changed",
        "resources/updated",
    ]
    assert [one["params"]["_meta"] for one in said.words] == [{TAG: "sub"}] * 3
    honoured = {"toolsListChanged": True, "resourceSubscriptions": ["job://1"]}
    assert said.words[0]["params"]["notifications"] == honoured
    assert said.words[2]["params"]["uri"] == "job://1"


async def test_two_listeners_are_told_apart_and_one_can_leave() -> None:
    said = Said()
    for id in (0, "0"):
        said.hear(modern(id, "subscriptions/listen", notifications={"toolsListChanged": True}))
    said.words.clear()
    await said.conversation.notices.changed("tools", None)
    said.hear(notice("notifications/cancelled", requestId=0))
    await said.conversation.notices.changed("tools", None)

    assert [one["params"]["_meta"][TAG] for one in said.words] == [0, "0", "0"]


async def test_subscriptions_end_with_a_result_that_names_them() -> None:
    said = Said()
    said.hear(modern(5, "subscriptions/listen", notifications={}))
    said.words.clear()
    said.conversation.notices.end()
    said.conversation.notices.end()

    (end,) = said.words
    assert (end["id"], end["result"]["resultType"], end["result"]["_meta"][TAG]) == (5, "complete", 5)


async def test_a_client_that_does_not_read_is_told_of_each_change_once_when_it_does() -> None:
    said = Said()
    for id in ("stays", "leaves"):
        said.hear(modern(id, "subscriptions/listen", notifications={"toolsListChanged": True}))
    said.words.clear()
    notices = said.conversation.notices
    notices.waits = lambda: True
    for _ in range(1000):
        await notices.changed("tools", None)
    said.hear(notice("notifications/cancelled", requestId="leaves"))
    assert said.words == []
    notices.catch_up()
    notices.catch_up()

    assert [one["params"]["_meta"][TAG] for one in said.words] == ["stays"]


async def test_a_legacy_client_is_told_nothing_before_it_said_that_it_is_ready() -> None:
    said = Said(initialize("2025-06-18"))
    await said.conversation.notices.changed("tools", None)
    said.hear(notice("notifications/initialized"))
    await said.conversation.notices.changed("tools", None)
    await said.conversation.notices.changed("resource", "test://watched-resource")
    said.hear(request(1, "resources/subscribe", uri="test://watched-resource"))
    await said.conversation.notices.changed("resource", "test://watched-resource")

    told = [one["method"] for one in said.words if "method" in one]
    assert told == ["notifications/tools/list_changed", "notifications/resources/updated"]


def test_there_is_an_end_to_subscriptions() -> None:
    said = Said()
    for id in range(1025):
        said.hear(modern(id, "subscriptions/listen", notifications={}))

    assert said.words[-1]["error"]["code"] == -32603
    assert len(said.conversation.under_way) == 1024


# Asking


@pytest.mark.parametrize("way", ["answered", "refused", "cancelled"])
async def test_a_question_is_forgotten_however_it_ends(way: str) -> None:
    said = Said(initialize("2025-11-25", elicitation={}), notice("notifications/initialized"))
    (started,) = said.hear(call(1))
    peer = LeanPeer(said.conversation, started, Seal([b"key"], "odd"), lambda: asyncio.sleep(0))
    question = asyncio.create_task(peer.ask({"name": NAME}))
    while not said.conversation.asked:  # noqa: ASYNC110  # it tells nobody
        await asyncio.sleep(0)
    (id,) = said.conversation.asked
    reply = {"action": "accept", "content": {"name": "Ada"}}
    if way == "cancelled":
        question.cancel()
    else:
        body = {"result": reply} if way == "answered" else {"error": {"code": -1, "message": "no"}}
        said.hear({"jsonrpc": "2.0", "id": id, **body})
    ends: list[Any] = await asyncio.gather(question, return_exceptions=True)

    kinds = {"answered": dict, "refused": Refused, "cancelled": asyncio.CancelledError}
    assert isinstance(ends[0], kinds[way])
    assert said.conversation.asked == {}


# Answers


def test_what_a_modern_answer_says_of_itself_is_no_word_to_a_legacy_client() -> None:
    old, new = legacy(), Said()
    old.hear(request(1, "tools/list"))
    new.hear(modern(1, "tools/list"))

    extra = new.words[0]["result"].keys() - old.words[0]["result"].keys()
    assert extra == {"resultType", "ttlMs", "cacheScope", "_meta"}


def test_a_refusal_never_repeats_a_line_to_the_client() -> None:
    said = legacy()
    said.hear(b'{"secret": "' + b"x" * 5000)

    assert len(json.dumps(said.words)) < 300
