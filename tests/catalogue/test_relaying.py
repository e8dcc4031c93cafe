"""A tool called through another goes the same way as one called directly."""

import asyncio
import logging
from typing import Any

import mcp_types as t
import pytest

from laconic.kit import Settings, Toolset
from laconic.kit.testing import ERAS, TestClient, connect
from tests.toolsets.workshop import workshop

LONG = Settings(long_list=True)


async def both(client: TestClient, way: str, tool: str, arguments: dict[str, Any]) -> tuple[Any, Any]:
    nested = await client.send(way, {"tool": tool, "arguments": arguments})
    return nested, await client.send(tool, arguments)


@pytest.mark.parametrize("era", ERAS)
async def test_an_answer_is_the_same_as_that_of_a_direct_call(era: str) -> None:
    async with connect(workshop, era=era, settings=Settings(long_list=True, output="both")) as client:
        nested, direct = await both(client, "tools_read", "jobs_list", {"limit": 3, "status": ["open"]})
    assert nested.text.split("cursor")[0] == direct.text.split("cursor")[0]
    assert nested.structured.keys() == direct.structured.keys()


@pytest.mark.parametrize(
    ("way", "tool", "arguments"),
    [
        ("tools_read", "job_get", {"idd": "JOB-0001"}),
        ("tools_read", "job_get", {"id": "JOB-9999"}),
        ("tools_read", "jobs_list", {"status": ["opn"], "limit": 0}),
        ("tools_write", "jobs_import", {"drafts": [{"title": "", "minutes": 999}]}),
        ("tools_write", "job_create", {}),
        ("tools_delete", "job_delete", {"id": "JOB-0001"}),
    ],
)
@pytest.mark.parametrize("era", ERAS)
async def test_a_mistake_in_the_nested_arguments_is_said_like_a_direct_one(
    era: str, way: str, tool: str, arguments: dict[str, Any]
) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        nested, direct = await both(client, way, tool, arguments)
    assert nested.failed and nested.text == direct.text
    same = [{**reply.error, "trace": ""} for reply in (nested, direct)]
    assert same[0] == same[1]


@pytest.mark.parametrize(
    "arguments",
    [
        {"tool": "job_get", "arguments": {"id": "JOB-0001", "fields": ["title"]}},
        {"tool": "job_get", "id": "JOB-0001", "fields": ["title"]},
        {"tool": "job_get", "arguments": {"id": "JOB-0001"}, "fields": ["title"]},
        {"tool": "job_get", "arguments": '{"id": "JOB-0001", "fields": ["title"]}'},
        {"tool": "job_get", "args": {"id": "JOB-0001", "fields": ["title"]}},
        {"name": "job_get", "arguments": {"id": "JOB-0001", "fields": ["title"]}},
    ],
)
async def test_arguments_are_understood_wherever_a_model_puts_them(arguments: dict[str, Any]) -> None:
    async with connect(workshop, settings=LONG) as client:
        reply = await client.send("tools_read", arguments)
    assert reply.text == "id: JOB-0001\ntitle: Plane board 1"


async def test_a_tool_may_have_an_argument_called_name() -> None:
    async with connect(workshop, settings=LONG) as client:
        beside = await client.send("tools_write", {"tool": "prompt_keep", "name": "a", "text": "x"})
        inside = await client.send(
            "tools_write", {"tool": "prompt_keep", "arguments": {"name": "b", "text": "x"}}
        )
    assert (beside.text, inside.text) == ("Kept a.", "Kept b.")


async def test_a_misspelt_argument_beside_the_name_is_repaired_by_its_error() -> None:
    async with connect(workshop, settings=LONG) as client:
        reply = await client.send("tools_write", {"tool": "job_update", "id": "JOB-0001", "statu": "done"})
    assert "Unknown argument 'statu'. Did you mean 'status'?" in reply.text


async def test_the_wrong_way_of_calling_names_the_right_one() -> None:
    async with connect(workshop, settings=LONG) as client:
        reply = await client.send("tools_read", {"tool": "job_delete", "arguments": {"id": "JOB-0001"}})
        unknown = await client.send("tools_read", {"tool": "get_job", "arguments": {}})
        itself = await client.send("tools_read", {"tool": "tools_find", "query": "x"})
        nothing = await client.send("tools_read", {})
    assert "job_delete is called with tools_delete, not tools_read." in reply.text
    assert unknown.error["code"] == "TOOL_NOT_FOUND" and "Did you mean job_get?" in unknown.text
    assert "tools_find is called by itself, not with tools_read." in itself.text
    assert "Missing tool" in nothing.text


async def test_a_destructive_update_is_called_like_a_deletion() -> None:
    tools = Toolset("things")

    @tools.update(destructive=True, because="what was there is lost")
    async def thing_overwrite() -> str:
        """Overwrite a thing."""
        return "Overwritten."

    async with connect(tools, settings=LONG) as client:
        refused = await client.send("tools_write", {"tool": "thing_overwrite"})
        done = await client.send("tools_delete", {"tool": "thing_overwrite"})
    assert "is called with tools_delete" in refused.text
    assert done.text == "Overwritten."


@pytest.mark.parametrize("era", ERAS)
async def test_a_deletion_asks_the_person_or_names_the_argument(era: str) -> None:
    asked: list[str] = []

    async def answer(context: Any, params: Any) -> t.ElicitResult:
        asked.append(params.message)
        return t.ElicitResult(action="accept", content={"confirm": True})

    call = {"tool": "job_delete", "arguments": {"id": "JOB-0001"}}
    async with connect(workshop, era=era, settings=LONG) as client:
        refused = await client.send("tools_delete", call)
        yes = await client.send("tools_delete", {"tool": "job_delete", "id": "JOB-0002", "confirm": True})
    async with connect(workshop, era=era, settings=LONG, answer=answer) as client:
        reply = await client.send("tools_delete", call)
    assert "Pass confirm: true" in refused.text
    assert yes.text == "Deleted JOB-0002."
    assert reply.text == "Deleted JOB-0001."
    assert asked == ["Delete JOB-0001 for good?"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_key_is_replayed_and_a_read_only_server_writes_nothing(era: str) -> None:
    call = {"tool": "job_create", "arguments": {"title": "Sand", "idempotencyKey": "k"}}
    async with connect(workshop, era=era, settings=LONG) as client:
        first = await client.send("tools_write", call)
        second = await client.send("tools_write", call)
        direct = await client.send("job_create", {"title": "Sand", "idempotencyKey": "k"})
    assert second.text.startswith(first.text) and "Already done" in second.text
    assert direct.text.startswith(first.text) and "Already done" in direct.text
    async with connect(workshop, era=era, settings=Settings(long_list=True, read_only=True)) as client:
        refused = await client.send("tools_write", call)
        misled = await client.send("tools_read", call)
    assert refused.error["code"] == "PERMISSION_DENIED"
    assert misled.failed


@pytest.mark.parametrize("era", ERAS)
async def test_progress_comes_through(era: str) -> None:
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    drafts = [{"title": f"Job {number}"} for number in range(3)]
    async with connect(workshop, era=era, settings=LONG) as client:
        call = {"tool": "jobs_import", "arguments": {"drafts": drafts}}
        reply = await client.send("tools_write", call, progress_callback=hear)
    assert reply.text == "Added 3 jobs."
    assert heard == [1, 2, 3]


async def test_a_long_answer_is_kept_aside_once() -> None:
    settings = Settings(long_list=True, budget=1000)
    call = {"tool": "jobs_list", "arguments": {"limit": 60, "format": "full", "fields": ["notes"]}}
    async with connect(workshop, settings=settings) as client:
        nested = await client.send("tools_read", call)
        direct = await client.send("jobs_list", call["arguments"])  # type: ignore[arg-type]  # it is a mapping
    assert len(nested.text) < 2000
    assert nested.text.count("Pass cursor") == direct.text.count("Pass cursor") == 1


async def test_a_call_counts_once_against_the_rate_and_leaves_one_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "laconic.call")
    call = {"tool": "fibonacci", "arguments": {"n": 10}}
    async with connect(workshop, settings=Settings(long_list=True, rate=3)) as client:
        replies = [await client.send("tools_read", call) for _ in range(4)]
        await client.send("tools_read", {"tool": "fibonaci"})
    assert [reply.failed for reply in replies] == [False, False, False, True]
    lines = [record.facts for record in caplog.records if record.name == "laconic.call"]  # type: ignore[attr-defined]  # our extra
    assert [line["tool"] for line in lines] == ["fibonacci"] * 4 + ["tools_read"]
    assert lines[-1]["outcome"] == "TOOL_NOT_FOUND"


async def test_the_deadline_is_that_of_the_tool_that_is_called() -> None:
    async with connect(workshop, settings=Settings(long_list=True, deadline=0.2)) as client:
        reply = await client.send("tools_read", {"tool": "job_wait", "arguments": {"seconds": 0.4}})
    assert reply.text == "Waited 0.4 s."


async def test_many_calls_at_once_do_not_wait_for_themselves() -> None:
    async with connect(workshop, settings=Settings(long_list=True, concurrency=2)) as client:
        call = {"tool": "fibonacci", "arguments": {"n": 10}}
        async with asyncio.timeout(20):
            replies = await asyncio.gather(*(client.send("tools_read", call) for _ in range(10)))
    assert {reply.text for reply in replies} == {"55"}
