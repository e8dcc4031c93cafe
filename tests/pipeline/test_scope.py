"""Whether this caller may do this here at all."""

import pytest

from laconic.kit import Endpoint, Settings
from laconic.kit.peer import Caller, SilentPeer
from laconic.kit.testing import ERAS, connect
from tests.toolsets.workshop import workshop

READ_ONLY = Settings(read_only=True)


@pytest.mark.parametrize("era", ERAS)
async def test_a_read_only_server_lists_no_writing_tool_and_refuses_it(era: str) -> None:
    async with connect(workshop, era=era, settings=READ_ONLY) as client:
        names = {tool["name"] for tool in await client.tools()}
        reply = await client.call("job_create", title="x")
    assert "jobs_list" in names
    assert not names & {"job_create", "job_update", "job_delete", "jobs_import"}
    assert reply.error["code"] == "PERMISSION_DENIED"
    assert "read-only" in reply.text


@pytest.mark.requirement("003-6.7")
async def test_a_token_that_may_only_read_cannot_write() -> None:
    endpoint = Endpoint([workshop])
    peer = SilentPeer(Caller("ann", frozenset({"read"})))
    assert (await endpoint.call_tool("jobs_list", {}, peer)).failure is None
    answer = await endpoint.call_tool("job_create", {"title": "x"}, peer)
    assert answer.failure is not None
    assert answer.failure.code == "ACCESS_DENIED"
    await endpoint.close()


@pytest.mark.requirement("003-6.7")
async def test_what_is_not_allowed_is_refused_before_its_arguments_are_judged() -> None:
    async with connect(workshop, settings=READ_ONLY) as client:
        reply = await client.send("job_create", {"nonsense": 1})
    assert reply.error["code"] == "PERMISSION_DENIED"
