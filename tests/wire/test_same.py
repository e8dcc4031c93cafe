"""The lean wire and the SDK's say the same to the same lines; where they differ, it is for a reason."""

import json
import re
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from laconic.kit.wire.protocol import MODERN
from tests.wire.scripts import ODD_LINES, OPENINGS, Script, lines_of
from tests.wire.talking import REVISIONS, Message, Talk, notice, request, started, talking

# Where we differ on purpose: what was asked, and why.
OTHERWISE = {
    "a token of null": "null counts as left out, here as in arguments; the SDK refuses it",
    "a ping before a modern request": "a ping tells no era; to the SDK it begins the legacy one",
    "an unknown method before a modern request": "nor does a method that nobody knows",
}
SILENT = """The SDK drops what it cannot read without a word, and the client waits for ever; JSON-RPC wants an
error with the id, or with null where it cannot be told. Some of those lines it does take: see TAKEN."""
TAKEN = {
    "an id of null": "the SDK takes a request with such an id for a notice, and says nothing",
    "a number of 5,000 digits": "the SDK counts that far",
    "not a number": "the SDK reads NaN, which is no JSON",
    "no UTF-8": "the SDK puts another character in the place of what it cannot read",
}
WORDS = re.compile(r'"trace": ?"[0-9a-f-]{36}"|Trace [0-9a-f]{8}|"requestState": ?"[^"]+"')


def outcome(answer: Message) -> Any:
    """What must be the same: a result to the letter, of an error its code."""
    if "error" in answer:
        return answer["error"]["code"]
    return json.loads(WORDS.sub('"x": "…"', json.dumps(answer["result"], sort_keys=True)))


async def outcomes(talk: Talk) -> dict[str, Any]:
    found = {"the greeting": outcome(talk.heard[0])}
    for name, line in lines_of(talk.revision):
        if name not in OTHERWISE:
            found[name] = outcome(await talk.ask(line))
    return found


def both(revision: str, how: Any) -> list[AbstractAsyncContextManager[Talk]]:
    return [how(revision, "lean"), how(revision, "sdk")]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_request_is_answered_alike_in(revision: str) -> None:
    found = []
    for conversation in both(revision, talking):
        async with conversation as talk:
            found.append(await outcomes(talk))

    assert found[0] == found[1]


@pytest.mark.parametrize("revision", ["2025-03-26", *MODERN])
async def test_a_process_answers_alike_in(revision: str) -> None:
    found = []
    for conversation in both(revision, started):
        async with conversation as talk:
            found.append(await outcomes(talk))

    assert found[0] == found[1]


async def said_to(script: Script, over: str) -> list[Any]:
    async with talking(over=over, greet=False) as talk:
        found = []
        for line in script:
            if "id" in line:
                found.append(outcome(await talk.ask(line)))
            else:
                talk.send(line)
        return found


@pytest.mark.parametrize("name", OPENINGS)
async def test_a_conversation_begins_alike_with(name: str) -> None:
    lean, sdk = await said_to(OPENINGS[name], "lean"), await said_to(OPENINGS[name], "sdk")

    assert (lean == sdk) == (name not in OTHERWISE)


@pytest.mark.parametrize("revision", ["2025-11-25", *MODERN])
@pytest.mark.parametrize("name", ODD_LINES)
async def test_what_the_sdk_passes_over_is_refused_as_json_rpc_says(name: str, revision: str) -> None:
    line, code, id = ODD_LINES[name]
    async with talking(revision) as talk:
        talk.heard.clear()
        talk.send(line)
        await talk.fence()
        refused, *_ = talk.heard

    assert (refused["error"]["code"], refused["id"], len(talk.heard)) == (code, id, 2)


@pytest.mark.parametrize("name", [name for name in ODD_LINES if name not in TAKEN])
async def test_the_sdk_says_nothing_to(name: str) -> None:
    async with talking("2025-11-25", "sdk") as talk:
        talk.heard.clear()
        talk.send(ODD_LINES[name][0])
        await talk.fence()

    assert len(talk.heard) == 1, SILENT


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_list_of_messages_is_taken_in_one_revision_only(revision: str) -> None:
    lines = [
        request(1, "ping"),
        notice("notifications/x"),
        request(2, "tools/teleport"),
        5,
        request(1, "ping"),
    ]
    async with talking(revision) as talk:
        talk.heard.clear()
        talk.send(lines)
        await talk.fence()
        first = talk.heard[0]

    if revision != "2025-03-26":
        assert (first["id"], first["error"]["code"]) == (None, -32600)
    else:
        found = [(one["id"], one.get("error", {}).get("code")) for one in first]
        assert found == [(1, None), (2, -32601), (None, -32600), (1, None)]


async def test_the_sdk_takes_a_list_of_messages_in_no_revision() -> None:
    async with talking("2025-03-26", "sdk") as talk:
        talk.heard.clear()
        talk.send([request(1, "ping")])
        await talk.fence()

    assert len(talk.heard) == 1
