"""Requests over HTTP changed by chance: both wires judge them alike, and whole ones are answered."""

import json
import random
from typing import Any

import pytest

from laconic.kit.wire.protocol import MODERN
from tests.wire.posting import Answer, Site, posting, raw
from tests.wire.talking import Message, modern

ROUNDS = 150
OTHERWISE = ("progressToken",)  # of null: see test_same_posts.py
VALUES: list[Any] = [None, True, 0, -1, 1.5, 2**70, "", "x", "odd_say", [], [1], {}, {"a": 1}, MODERN[0]]
METHODS = ["tools/call", "tools/list", "prompts/get", "resources/read", "server/discover", "ping", "x"]
TEXTS = ["", "x", "*/*", "application/json", "text/event-stream", "odd_say", "null", "é", "=?base64?x?=", "0"]


def whole(chance: random.Random) -> Message:
    """A request that must be answered with 200."""
    about = {"progressToken": 1} if chance.random() < 0.2 else {}
    return chance.choice(
        [
            modern(1, "tools/list"),
            modern("a", "tools/call", None, about, name="odd_say", arguments={"text": "ä"}),
            modern(2, "tools/call", None, about, name="odd_shout", arguments={"times": 3}),
            modern(3, "resources/read", uri="job://JOB-0001"),
            modern(4, "prompts/get", name="test_simple_prompt"),
            modern(5, "server/discover"),
        ]
    )


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a message."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in places(one, (*path, key)))]


def changed(message: Message, chance: random.Random) -> Any:
    """A message with one thing changed, left out, or more of it."""
    copy = json.loads(json.dumps(message))
    path = chance.choice([place for place in places(copy) if place and place[-1] not in OTHERWISE])
    into = copy
    for key in path[:-1]:
        into = into[key]
    match chance.randrange(3):
        case 0:
            into[path[-1]] = chance.choice([*VALUES, *METHODS])
        case 1:
            del into[path[-1]]
        case 2 if isinstance(into, dict):
            into[chance.choice(["colour", "cursor", "inputResponses", "requestState", "_meta", "id"])] = (
                chance.choice(VALUES)
            )
    return copy


def bent(headers: list[tuple[str, str]], chance: random.Random) -> list[tuple[str, str]]:
    """Headers with one changed, left out, or repeated."""
    number = chance.randrange(len(headers))
    name, value = headers[number]
    match chance.randrange(4):
        case 0:
            headers[number] = (name, chance.choice(TEXTS))
        case 1:
            del headers[number]
        case 2:
            headers.insert(number, (name.upper(), chance.choice([value, *TEXTS])))
        case 3:
            headers[number] = (name.swapcase(), f" {value} ")
    return headers


def request_by(chance: random.Random, site: Site) -> bytes:
    """Some request, the same for both sites but for the port."""
    message: Any = whole(chance)
    headers = list(site.usual(message).items())
    if chance.random() < 0.5:
        message = changed(message, chance)
        headers = list(site.usual(message).items())
    if chance.random() < 0.5:
        headers = bent(headers, chance)
    body = json.dumps(message).encode()
    if chance.random() < 0.2:
        at = chance.randrange(len(body))
        body = body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
    return raw("POST", headers, body)


def outcome(answer: Answer) -> Any:
    """What both must have in common."""
    if not answer.headers.get("content-type", "").startswith(("application/json", "text/event-stream")):
        return answer.status, answer.body
    codes = [one["error"]["code"] if "error" in one else sorted(one) for one in answer.messages]
    return answer.status, answer.is_stream, codes


async def fuzz(rounds: int, seed: int) -> None:
    async with posting("lean") as lean, posting("sdk") as sdk:
        for number in range(rounds):
            said = []
            for site in (lean, sdk):
                data = request_by(random.Random(seed + number), site)
                said.append(outcome(await (await site.send(data)).answer()))
            assert said[0] == said[1], (seed + number, data)
            assert said[0][0] != 500, (seed + number, data)
            message = whole(random.Random(number))
            assert (await lean.post(message)).status == 200


async def test_requests_changed_by_chance_are_judged_alike() -> None:
    seed = random.SystemRandom().randrange(10**9)
    print(f"seed {seed}")  # shown when it fails

    await fuzz(ROUNDS, seed)


@pytest.mark.soak
@pytest.mark.timeout(900)
async def test_requests_changed_by_chance_for_minutes() -> None:
    seed = random.SystemRandom().randrange(10**9)
    print(f"seed {seed}")

    await fuzz(20_000, seed)
