"""Random bytes, and torn and changed messages: the server survives, and answers every request once."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.chance import examples
from tests.wire.talking import Message, Talk, encoded, initialize, notice, started, talking

REVISIONS = ("2025-03-26", "2025-11-25", "2026-07-28")
AT_ONCE = 60


def is_sound(message: Any) -> bool:
    """True if it is a JSON-RPC message, or a list of replies."""
    if isinstance(message, list):
        return bool(message) and all(is_sound(one) and "method" not in one for one in message)
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "method" in message:
        return isinstance(message["method"], str) and isinstance(message.get("params", {}), dict)
    is_error = isinstance(message.get("error"), dict) and isinstance(message["error"].get("code"), int)
    return "id" in message and (is_error or isinstance(message.get("result"), dict))


def answered(talk: Talk, ids: list[str]) -> bool:
    """True if each of these has one answer, and every message is valid."""
    flat = [one for said in talk.heard for one in (said if isinstance(said, list) else [said])]
    assert all(map(is_sound, talk.heard)), [one for one in talk.heard if not is_sound(one)][:3]
    counts = {id: 0 for id in ids}
    for one in flat:
        if isinstance(one.get("id"), str) and one["id"] in counts and "method" not in one:
            counts[one["id"]] += 1
    assert max(counts.values()) <= 1, {id: count for id, count in counts.items() if count > 1}
    return min(counts.values()) == 1


async def all_answered(talk: Talk, ids: list[str]) -> None:
    await talk.find(lambda one: one.get("id") == ids[-1] if isinstance(one, dict) else False)
    async with asyncio.timeout(20):
        while not answered(talk, ids):  # noqa: ASYNC110  # answers come in any order
            await asyncio.sleep(0.01)


# Bytes, by chance


def valid(talk: Talk, chance: random.Random, id: str) -> Message:
    """A request that must be answered."""
    ways: list[Callable[[], Message]] = [
        lambda: talk.request(id, "tools/list"),
        lambda: talk.request(id, "resources/read", uri="job://JOB-0001"),
        lambda: talk.request(id, "prompts/list"),
        lambda: talk.request(id, "tools/teleport"),
        lambda: talk.call(id, "odd_say", text="ä" * chance.randrange(2000)),
        lambda: talk.call(id, "odd_nap", seconds=chance.random() / 50),
        lambda: talk.call(id, "job_get", id="JOB-0001"),
        lambda: talk.call(id, "odd_nothing"),
    ]
    return chance.choice(ways)()


def mutated(talk: Talk, chance: random.Random) -> bytes:
    """Some line, changed here and there."""
    lines: list[Any] = [
        valid(talk, chance, "m"),
        notice("notifications/cancelled", requestId=chance.choice(["m", 1, None])),
        {"jsonrpc": "2.0", "id": chance.randrange(9), "result": {"action": "accept", "content": {}}},
        initialize(chance.choice(REVISIONS), "m"),
        [valid(talk, chance, "m"), notice("notifications/x")],
    ]
    line = bytearray(encoded(chance.choice(lines)))
    for _ in range(chance.randrange(6)):
        place, length = chance.randrange(len(line) + 1), chance.randrange(12)
        match chance.randrange(4):
            case 0:
                line[place:place] = bytes(chance.randrange(256) for _ in range(length))
            case 1:
                del line[place : place + length]
            case 2:
                line[place : place + length] = chance.choice(
                    [b"[", b"{", b'"', b"\\", b"null", b"1e999", b"\n"]
                )
            case 3:
                line[place:place] = line[place : place + length * 5]
    return bytes(line)


async def fuzz(revision: str, rounds: int, seed: int) -> None:
    """Send rounds of valid and broken lines, and wait for the answers of each."""
    chance, sent = random.Random(seed), 0
    async with started(revision) as talk:
        for _ in range(rounds):
            ids = [f"valid-{seed}-{sent + number}" for number in range(AT_ONCE)]
            for id in ids:
                for _ in range(chance.randrange(4)):
                    talk.writing.send(mutated(talk, chance) + b"\n")
                talk.send(valid(talk, chance, id))
            await all_answered(talk, ids)
            talk.heard.clear()
            sent += AT_ONCE
        assert talk.process.poll() is None
        await talk.hang_up()
        assert await talk.ends() == 0


@pytest.mark.parametrize("revision", REVISIONS)
async def test_lines_changed_by_chance_hold_up_nothing_that_is_whole(revision: str) -> None:
    seed = random.SystemRandom().randrange(10**9)
    print(f"seed {seed}")  # shown when it fails

    await fuzz(revision, 20, seed)


@pytest.mark.soak
@pytest.mark.timeout(400)
@pytest.mark.parametrize("revision", REVISIONS)
async def test_lines_changed_by_chance_for_minutes(revision: str) -> None:
    seed = random.SystemRandom().randrange(10**9)
    print(f"seed {seed}")

    await fuzz(revision, 2000, seed)


# Messages, by rule

IDS: Any = st.sampled_from(["a", "b", 1, 2, 0, None, True, 1.5, [], {}])
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
METHODS = st.sampled_from(
    [
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "resources/read",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "subscriptions/listen",
        "notifications/cancelled",
        "notifications/initialized",
        "x",
        "",
    ]
)
PARAMS = st.dictionaries(
    st.sampled_from(["name", "arguments", "uri", "ref", "argument", "level", "cursor", "requestId", "_meta"])
    | st.text(max_size=3),
    st.sampled_from(["odd_say", "a", 1, "JOB-0001", {"name": "a", "value": ""}]) | VALUES,
    max_size=4,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2]),
        "id": IDS,
        "method": METHODS | VALUES,
        "params": PARAMS | VALUES,
        "result": VALUES,
        "error": VALUES,
    },
)
LINES = st.lists(MESSAGES | st.lists(MESSAGES, max_size=3) | st.binary(max_size=20), max_size=12)


@pytest.mark.parametrize("revision", REVISIONS)
@examples(150, suppress_health_check=list(HealthCheck))
@given(lines=LINES, is_greeted=st.booleans())
def test_messages_put_together_at_random_are_answered_soundly(
    revision: str, lines: list[Any], is_greeted: bool
) -> None:
    async def say() -> list[Any]:
        async with talking(revision, greet=is_greeted) as talk:
            talk.send(*(line.replace(b"\n", b" ") if isinstance(line, bytes) else line for line in lines))
            last = talk.request("valid-last", "tools/teleport")
            talk.send(last)
            await all_answered(talk, ["valid-last"])
            return talk.heard

    assert asyncio.run(say())
