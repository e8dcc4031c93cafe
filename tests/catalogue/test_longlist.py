"""Long tool lists: what is listed, found and described."""

import pytest

from laconic.kit import Settings, Toolset
from laconic.kit.testing import ERAS, connect, tool_tokens
from tests.catalogue.google import google
from tests.toolsets.workshop import workshop

LONG = Settings(long_list=True, pinned=("jobs_list",))
WAYS = {"tools_find", "tools_describe", "tools_read", "tools_write", "tools_delete"}


@pytest.mark.parametrize("era", ERAS)
async def test_only_the_pinned_tools_and_the_way_to_the_others_are_listed(era: str) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        listed = {tool["name"]: tool for tool in await client.tools()}
        await client.call("tools_find", query="give the job to somebody")
        await client.send("tools_read", {"tool": "job_get", "arguments": {"id": "JOB-0001"}})
        after = {tool["name"] for tool in await client.tools()}
    assert set(listed) == {"jobs_list", "read_on", *WAYS} == after
    assert sum(tool_tokens(listed[name]) for name in WAYS) <= 450


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_not_listed_can_still_be_called_directly(era: str) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        assert (await client.call("fibonacci", n=10)).text == "55"


async def test_hosts_can_still_tell_reads_from_deletions() -> None:
    async with connect(workshop, settings=LONG) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}
    assert {name for name in WAYS if hints[name]["readOnlyHint"]} == WAYS - {"tools_write", "tools_delete"}
    assert {name for name in WAYS if hints[name]["destructiveHint"]} == {"tools_delete"}
    assert not hints["tools_write"]["idempotentHint"]


async def test_a_calling_tool_is_as_open_as_the_tools_it_reaches() -> None:
    async with connect(google(), settings=Settings(long_list=True)) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}
    open_ones = {name for name in WAYS if hints[name]["openWorldHint"]}
    assert open_ones == {"tools_read", "tools_write", "tools_delete"}


@pytest.mark.parametrize("era", ERAS)
async def test_a_line_says_name_effect_and_the_first_sentence(era: str) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        found = await client.call("tools_find", query="give the job to somebody")
        one = await client.call("tools_find", query="delete a job", limit=1)
    assert found.text.startswith("job_assign (update): Give a job to somebody.\n")
    assert "jobs_report (read): Count the jobs of some days.\n" in found.text
    assert (
        one.text
        == "job_delete (delete): Delete a job.\n[15 more match less well; a larger limit shows them.]"
    )


async def test_a_larger_limit_shows_every_tool_that_matches_and_no_other() -> None:
    async with connect(workshop, settings=LONG) as client:
        found = await client.call("tools_find", query="jobs", limit=50)
        wrong = await client.call("tools_find", query="jobs", limit=51)
    assert all("job" in line for line in found.text.splitlines()) and "more match" not in found.text
    assert len(found.text.splitlines()) == 14 and "fibonacci" not in found.text
    assert "Invalid limit 51. Expected: integer from 1 to 50." in wrong.text


async def test_long_descriptions_are_cut_between_words_and_stay_within_the_tokens_promised() -> None:
    wordy = Toolset("wordy")
    for number in range(20):

        async def read() -> str:
            return ""

        read.__doc__ = " ".join(["Antidisestablishmentarianism, fast überall"] * 9)
        wordy.read(name=f"wordy_thing_of_that_kind_number_{number}")(read)
    async with connect(wordy, settings=Settings(long_list=True)) as client:
        reply = await client.call("tools_find", query="wordy kind")
    *lines, more = reply.text.splitlines()
    assert reply.tokens <= 300
    assert lines and all(line.startswith("wordy_thing") and line.endswith(" …") for line in lines)
    assert more.endswith("a larger limit shows them.]")


async def test_a_read_only_server_finds_and_lists_no_writing_tool() -> None:
    async with connect(workshop, settings=Settings(long_list=True, read_only=True)) as client:
        names = {tool["name"] for tool in await client.tools()}
        found = await client.call("tools_find", query="delete a job")
    assert names == {"read_on", *WAYS} - {"tools_write", "tools_delete"}
    assert "(delete)" not in found.text and "(create)" not in found.text


@pytest.mark.parametrize("era", ERAS)
async def test_a_signature_says_what_is_needed_and_describes_where_names_do_not(era: str) -> None:
    async with connect(workshop, era=era, settings=LONG) as client:
        reply = await client.call("tools_describe", names=["job_update", "fibonacci"])
    assert reply.text.splitlines() == [
        "job_update(id: string (Such as JOB-0001), title?: string, "
        "status?: open|in_progress|done|cancelled, priority?: low|medium|high|critical, "
        "assignee?: string|null (Who does it; null takes it from everyone), "
        "version?: integer|string (Refuse unless it is still at this version)) "
        "update: Change a job; what is left out stays.",
        "fibonacci(n: integer ..90) read: Calculate a Fibonacci number.",
    ]


async def test_a_signature_takes_objects_apart_and_a_tree_once() -> None:
    async with connect(workshop, settings=LONG) as client:
        drafts = await client.call("tools_describe", names=["jobs_import"])
        tree = await client.call("tools_describe", names="jobs_filter")
    start = (
        "jobs_import(drafts: {title: string, priority?: low|medium|high|critical=medium, minutes?: integer"
    )
    assert drafts.text.startswith(start)
    assert "every?: Rule[], some?: Rule[]}" in tree.text


async def test_a_name_nobody_has_does_not_spoil_the_others() -> None:
    async with connect(workshop, settings=LONG) as client:
        some = await client.call("tools_describe", names=["get_job", "whoami"])
        none = await client.call("tools_describe", names=["get_job", "xyzzy"])
    assert some.text == "Unknown tool 'get_job'. Did you mean job_get?\nwhoami() read: Say who is calling."
    assert none.failed and none.error["code"] == "TOOL_NOT_FOUND"
    assert "Did you mean job_get?" in none.text and "'xyzzy'" in none.text
