"""What a caller reads if the system behind a tool fails: what happened, what may have changed, no secret."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from laconic.kit import Endpoint, Failure, NotFound, Toolset, learn_secrets
from laconic.kit.peer import SilentPeer
from laconic.upstream import (
    ApiSession,
    Credential,
    Invalid,
    KeptCredential,
    OnceAtATime,
    Policy,
    Retrying,
)
from laconic.upstream.sharing import OwnRecord
from tests.unit.upstream.servers import Handler, Seen, answering, raw, reply

TOKEN = "correct-horse-battery"


async def lost(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def never(last: Credential | None) -> Credential:
    raise AssertionError("the token is good")


def wrapped(url: str) -> Toolset:
    """Return a toolset around the API at an address, as a server would declare it."""
    things = Toolset("things", "Things.", provides=(ApiSession,))

    @things.factory
    async def opened(settings: Any) -> AsyncIterator[ApiSession]:
        kept = KeptCredential(OwnRecord(), [url])
        kept.write(Credential(TOKEN))
        auth = OnceAtATime(kept, never, learn=learn_secrets)
        async with ApiSession(url, auth, Policy(retrying=Retrying(attempts=1), unsigned=["/token"])) as api:
            yield api

    @things.create
    async def things_add(api: ApiSession) -> str:
        """Add a thing."""
        return str((await api.post("/things", body={})).data)

    @things.update
    async def things_change(api: ApiSession) -> str:
        """Change a thing."""
        return str((await api.patch("/things/1", body={})).data)

    @things.create
    async def things_link(api: ApiSession) -> str:
        """Add a thing, then look for another one."""
        await api.post("/things", body={})
        return str((await api.get("/things/2")).data)

    @things.create
    async def things_hurry(api: ApiSession) -> str:
        """Add a thing, if that does not take long."""
        try:
            async with asyncio.timeout(0.2):
                await api.post("/things", body={})
        except TimeoutError:
            raise NotFound("Thing", 1) from None
        return "Added."

    @things.create
    async def things_sign(api: ApiSession) -> str:
        """Sign in, then look for a thing."""
        await api.post("/token", body={})
        return str((await api.get("/things/2")).data)

    @things.create
    async def things_explain(api: ApiSession) -> str:
        """Add a thing, and repeat what the API says about it."""
        try:
            return str((await api.post("/things", body={})).data)
        except Invalid as error:
            raise Failure(f"The API says: {error.body['said']} {TOKEN}") from error

    return things


async def called(handler: Handler, tool: str = "things_add", key: str | None = None) -> str:
    async with raw(handler) as server:
        endpoint = Endpoint([wrapped(server.url)])
        given = {"idempotency_key": key} if key else {}
        answer = await endpoint.call_tool(tool, given, SilentPeer())
        if key:
            answer = await endpoint.call_tool(tool, given, SilentPeer())
        await endpoint.close()
    return answer.text.replace(f"127.0.0.1:{server.port}", "HOST")


@pytest.mark.parametrize(
    ("handler", "words", "is_known"),
    [
        (lost, "HOST broke off the connection without an answer.", False),
        (answering(reply(502)), "HOST failed (status 502).", False),
        (answering(reply(content=b"<html>")), "HOST sent an HTML page", False),
        (answering(reply(403)), "HOST refused the request (status 403).", True),
        (answering(reply(429, retry_after="40")), "HOST has had too many requests.", True),
    ],
)
async def test_a_caller_reads_what_happened_and_what_may_have_changed(
    handler: Handler, words: str, is_known: bool
) -> None:
    text = await called(handler)

    assert words in text
    assert ("not known" in text) is not is_known


async def only_writes(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(reply(200, {}) if request.method == "POST" else reply(404))


async def hangs(request: Seen, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


@pytest.mark.parametrize(("handler", "tool"), [(only_writes, "things_link"), (hangs, "things_hurry")])
async def test_a_later_mistake_does_not_say_that_nothing_was_changed_by_a_request_that_may_have_been_done(
    handler: Handler, tool: str
) -> None:
    text = await called(handler, tool)
    again = await called(handler, tool, key="K1")

    assert "RESOURCE_NOT_FOUND" in text and "not known" in text and "changed nothing" not in text
    assert "not known" in again and "K1" in again  # the key stays used


async def test_a_sign_in_is_no_change_that_a_failed_write_has_to_tell() -> None:
    text = await called(only_writes, "things_sign")

    assert "RESOURCE_NOT_FOUND" in text and "not known" not in text


@pytest.mark.parametrize(
    ("tool", "status", "is_update"),
    [("things_add", 409, False), ("things_add", 412, True), ("things_change", 409, True)],
)
async def test_a_clash_on_an_update_advises_to_read_again_and_one_on_a_create_says_that_it_exists(
    tool: str, status: int, is_update: bool
) -> None:
    text = await called(answering(reply(status)), tool)

    assert ("Read it again" in text) is is_update
    assert ("RESOURCE_LOCKED" in text) is is_update
    assert ("RESOURCE_ALREADY_EXISTS" in text) is not is_update


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("No such project.", "It says: 'No such project.'"),
        (["Too short.", "No title."], "It says: 'Too short. No title.'"),
        (
            {"subject": ["Is required."], "points": "Is no number."},
            "'subject: Is required. points: Is no number.'",
        ),
        (f"Odd: {TOKEN}\nError: forged", "\\nError: forged'"),
        ("x" * 500, "x…'"),
        ({"a": {"b": 1}}, "(status 400)."),
        ([], "(status 400)."),
    ],
)
async def test_a_refusal_repeats_the_short_words_of_the_other_system(body: Any, said: str) -> None:
    text = await called(answering(reply(400, body)))

    assert said in text
    assert TOKEN not in text and "\nError: forged" not in text and "x" * 201 not in text
    assert ("It says" in text) is (said != "(status 400).")


async def test_a_token_is_shown_neither_in_what_the_api_said_nor_elsewhere() -> None:
    text = await called(answering(reply(400, {"said": f"Bearer {TOKEN} is odd"})), "things_explain")

    assert "The API says" in text
    assert TOKEN not in text
