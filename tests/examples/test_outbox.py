"""A message is sent once under one key, whatever happens in between."""

import asyncio
from pathlib import Path

import pytest

from examples.outbox import toolset
from laconic.kit import Endpoint, Settings
from laconic.kit.testing import ERAS, connect
from laconic.stores import open_keyvalue

in_both_eras = pytest.mark.parametrize("era", ERAS)
KEY = "3d0f2c6e-9a0b-4f5e-8a3c-0e5a3a0b7c11"


@pytest.fixture
def settings(workspace: Path) -> Settings:
    return Settings(sections={"outbox": {"workspace": str(workspace)}})


def sent(workspace: Path) -> list[str]:
    path = workspace / "outbox.jsonl"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@in_both_eras
@pytest.mark.requirement("003-8.1", "003-8.6")
async def test_the_same_key_sends_once_and_says_so(era: str, settings: Settings, workspace: Path) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        first = await client.call("message_send", to="ann", text="hello", idempotency_key=KEY)
        second = await client.call("message_send", to="ann", text="hello", idempotency_key=KEY)

    assert len(sent(workspace)) == 1
    assert "to: ann" in first.text and "Already done" not in first.text
    assert second.text.startswith(first.text) and "Already done" in second.text


@in_both_eras
@pytest.mark.requirement("003-8.2")
async def test_two_keys_send_twice(era: str, settings: Settings, workspace: Path) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        for key in ("one", "two"):
            await client.call("message_send", to="ann", text="hello", idempotency_key=key)

    assert len(sent(workspace)) == 2


@in_both_eras
@pytest.mark.requirement("003-8.3")
async def test_without_a_key_every_call_sends(era: str, settings: Settings, workspace: Path) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        await client.call("message_send", to="ann", text="hello")
        await client.call("message_send", to="ann", text="hello")

    assert len(sent(workspace)) == 2


@in_both_eras
@pytest.mark.requirement("003-8.8")
async def test_the_same_key_for_another_message_is_refused(
    era: str, settings: Settings, workspace: Path
) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        await client.call("message_send", to="ann", text="hello", idempotency_key=KEY)
        other = await client.call("message_send", to="bob", text="hello", idempotency_key=KEY)

    assert other.failed and "was used for another call: to differs" in other.text
    assert len(sent(workspace)) == 1


async def test_two_calls_at_once_under_one_key_send_once(settings: Settings, workspace: Path) -> None:
    async with connect(toolset, settings=settings) as client:
        replies = await asyncio.gather(
            *(client.call("message_send", to="ann", text="hello", idempotency_key=KEY) for _ in range(5))
        )

    assert len(sent(workspace)) == 1
    assert len({reply.text.splitlines()[0] for reply in replies}) == 1


@pytest.mark.requirement("003-8.5")
async def test_a_key_survives_a_restart(settings: Settings, workspace: Path, tmp_path: Path) -> None:
    for _ in range(2):
        endpoint = Endpoint([toolset], settings=settings, state=open_keyvalue(str(tmp_path / "state.db")))
        async with connect(endpoint=endpoint) as client:
            await client.call("message_send", to="ann", text="hello", idempotency_key=KEY)
        await endpoint.close()

    assert len(sent(workspace)) == 1


@pytest.mark.requirement("003-8.7")
async def test_the_hint_says_that_two_calls_are_two_messages(settings: Settings) -> None:
    async with connect(toolset, settings=settings) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}

    assert hints["message_send"]["idempotentHint"] is False


async def test_what_was_sent_can_be_listed_newest_first(settings: Settings) -> None:
    async with connect(toolset, settings=settings) as client:
        for number in range(3):
            await client.call("message_send", to=f"crew-{number}", text="two\nlines")
        reply = await client.call("message_list", fields=["to"])

    assert [line.split("\t")[1] for line in reply.text.splitlines()[2:]] == ["crew-2", "crew-1", "crew-0"]
