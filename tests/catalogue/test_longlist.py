"""Long tool lists: find, describe, call."""

from typing import Any

import mcp_types as t
import pytest

from laconic.kit import Settings
from laconic.kit.testing import ERAS, connect, tool_tokens
from tests.toolsets.workshop import workshop

LONG = Settings(long_list=True, pinned=("jobs_list",))


@pytest.mark.parametrize("era", ERAS)
async def test_only_the_pinned_tools_and_the_way_to_the_others_are_listed(era: str) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        listed = {tool["name"]: tool for tool in await client.tools()}
    ways = {"tools_find", "tools_describe", "tools_read", "tools_write", "tools_delete"}
    assert set(listed) == {"jobs_list", "read_on", *ways}
    assert sum(tool_tokens(listed[name]) for name in ways) <= 450


async def test_hosts_can_still_tell_reads_from_deletions() -> None:
    async with connect(workshop, settings=LONG) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}
    assert hints["tools_read"]["readOnlyHint"]
    assert not hints["tools_write"]["readOnlyHint"] and not hints["tools_write"]["destructiveHint"]
    assert hints["tools_delete"]["destructiveHint"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_tool_is_found_described_and_called(era: str) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        found = await client.call("tools_find", query="give the job to somebody")
        described = await client.call("tools_describe", names=["job_assign"])
        called = await client.send(
            "tools_write", {"tool": "job_assign", "arguments": {"id": "1", "userName": "x"}}
        )
        direct = await client.call("job_assign", id="1", userName="x")
        good = await client.send(
            "tools_write", {"tool": "job_assign", "arguments": {"id": "JOB-0001", "userName": "x"}}
        )
    assert "job_assign (update): Give a job to somebody." in found.text
    assert found.tokens <= 300
    assert described.text.startswith("job_assign(id: string (Such as JOB-0001), userId?: integer")
    assert called.text == direct.text
    assert called.failed and "Did you mean JOB-0001?" in called.text
    assert good.text.startswith("id: JOB-0001")


async def test_a_mistake_in_the_nested_arguments_is_said_like_a_direct_one() -> None:
    async with connect(workshop, settings=LONG) as client:
        nested = await client.send("tools_read", {"tool": "job_get", "arguments": {"idd": "JOB-0001"}})
        direct = await client.send("job_get", {"idd": "JOB-0001"})
    assert nested.text == direct.text
    assert nested.error["code"] == "VALIDATION_ERROR"


async def test_arguments_that_were_not_nested_are_understood() -> None:
    async with connect(workshop, settings=LONG) as client:
        reply = await client.send("tools_read", {"tool": "job_get", "id": "JOB-0001", "fields": ["title"]})
    assert reply.text == "id: JOB-0001\ntitle: Plane board 1"


async def test_the_wrong_way_of_calling_names_the_right_one() -> None:
    async with connect(workshop, settings=LONG) as client:
        reply = await client.send("tools_read", {"tool": "job_delete", "arguments": {"id": "JOB-0001"}})
        unknown = await client.send("tools_read", {"tool": "get_job", "arguments": {}})
    assert "job_delete is called with tools_delete, not tools_read." in reply.text
    assert "Did you mean job_get?" in unknown.text


@pytest.mark.parametrize("era", ERAS)
async def test_a_deletion_asks_the_person_all_the_same(era: str) -> None:
    asked: list[str] = []

    async def answer(context: Any, params: Any) -> t.ElicitResult:
        asked.append(params.message)
        return t.ElicitResult(action="accept", content={"confirm": True})

    async with connect(workshop, era=era, settings=LONG, answer=answer) as client:
        reply = await client.send("tools_delete", {"tool": "job_delete", "arguments": {"id": "JOB-0001"}})
    assert reply.text == "Deleted JOB-0001."
    assert asked == ["Delete JOB-0001 for good?"]


async def test_a_key_is_replayed_and_a_read_only_server_writes_nothing() -> None:
    call = {"tool": "job_create", "arguments": {"title": "Sand", "idempotencyKey": "k"}}
    async with connect(workshop, settings=LONG) as client:
        first = await client.send("tools_write", call)
        second = await client.send("tools_write", call)
    assert second.text.startswith(first.text) and "Already done before" in second.text
    async with connect(workshop, settings=Settings(long_list=True, read_only=True)) as client:
        names = {tool["name"] for tool in await client.tools()}
        refused = await client.send("tools_write", call)
    assert "tools_write" not in names
    assert refused.error["code"] == "PERMISSION_DENIED"


async def test_many_calls_at_once_do_not_wait_for_themselves() -> None:
    import asyncio

    async with connect(workshop, settings=Settings(long_list=True, concurrency=2)) as client:
        call = {"tool": "fibonacci", "arguments": {"n": 10}}
        async with asyncio.timeout(20):
            replies = await asyncio.gather(*(client.send("tools_read", call) for _ in range(10)))
    assert {reply.text for reply in replies} == {"55"}
