"""Work that takes too long is really stopped."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Annotated, Any

import mcp_types as t
import pytest
from mcp.shared.exceptions import MCPError

from laconic.kit import Complete, Endpoint, NotFound, Peer, PromptEntry, Settings, Toolset, settle, time_left
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import ERAS, WIRES, Over, connect


def _slow(stopped: list[str], **options: Any) -> Toolset:
    slow = Toolset("slow")

    @slow.read(**options)
    async def slow_read() -> str:
        """Take for ever."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append("stopped")
            raise
        return "done"

    @slow.update(deadline=0.05)
    async def slow_write() -> str:
        """Take for ever."""
        await asyncio.sleep(60)
        return "done"

    @slow.read
    async def own_timeout() -> str:
        """Give up by itself."""
        raise TimeoutError("upstream")

    return slow


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-6.4")
async def test_the_work_is_cancelled_when_its_time_is_up(era: str) -> None:
    stopped: list[str] = []
    async with connect(_slow(stopped, deadline=0.05), era=era) as client:
        reply = await client.call("slow_read")
    assert reply.error["code"] == "TIMEOUT"
    assert "slow_read took longer than 0.05 s and was stopped." in reply.text
    assert stopped == ["stopped"]


async def test_the_servers_own_deadline_holds_where_a_tool_names_none() -> None:
    stopped: list[str] = []
    async with connect(_slow(stopped), settings=Settings(deadline=0.05)) as client:
        reply = await client.call("slow_read")
    assert reply.error["code"] == "TIMEOUT"


async def test_a_stopped_write_says_that_it_may_have_changed_something() -> None:
    async with connect(_slow([])) as client:
        reply = await client.call("slow_write")
    assert "not known whether anything was changed" in reply.text


async def test_a_tools_own_time_out_is_not_taken_for_the_deadline() -> None:
    async with connect(_slow([])) as client:
        reply = await client.call("own_timeout")
    assert reply.error["code"] == "INTERNAL_ERROR"


FORM = {"type": "object", "properties": {}}
READY = {"ready": ("elicitation/create", {"mode": "form", "message": "Ready?", "requestedSchema": FORM})}


def _after(seconds: float) -> Callable[[Any, Any], Awaitable[t.ElicitResult]]:
    async def answer(context: Any, params: Any) -> t.ElicitResult:
        await asyncio.sleep(seconds)
        return t.ElicitResult(action="accept", content={})

    return answer


async def test_a_tool_that_asks_the_user_is_not_stopped_meanwhile() -> None:
    asking = Toolset("asking")

    @asking.read(deadline=0.1)
    async def asking_read(peer: Peer) -> str:
        """Ask, then answer."""
        return str((await peer.ask(READY))["ready"]["action"])

    async with connect(asking, era="legacy", answer=_after(0.3)) as client:
        assert (await client.call("asking_read")).text == "accept"


async def test_after_a_question_a_tool_has_the_time_that_was_left() -> None:
    asking = Toolset("asking")

    @asking.read(deadline=0.3)
    async def asking_read(peer: Peer, wait: Annotated[bool, "Whether to wait afterwards."]) -> str:
        """Ask, then work."""
        await peer.ask(READY)
        if wait:
            await asyncio.sleep(20)
        return str((await settle(work=asyncio.sleep(0.01, "done")))["work"])

    async with connect(asking, era="legacy", answer=_after(0.4)) as client:
        assert (await client.call("asking_read", wait=True)).error["code"] == "TIMEOUT"
        assert (await client.call("asking_read", wait=False)).text == "done"


async def test_a_failure_inside_a_task_group_is_said_as_it_is() -> None:
    grouped = Toolset("grouped")

    async def fail() -> None:
        raise NotFound("Part", "x")

    @grouped.read(hint="grouped_list", deadline=0.2)
    async def grouped_read(wait: Annotated[bool, "Whether to wait afterwards."] = False) -> str:
        """Run parts in a group."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fail())
        except* NotFound:
            if not wait:
                raise
        await asyncio.sleep(5)
        return "never"

    async with connect(grouped) as client:
        assert (await client.call("grouped_read")).error["code"] == "RESOURCE_NOT_FOUND"
        assert (await client.call("grouped_read", wait=True)).error["code"] == "TIMEOUT"


async def test_the_time_before_a_tool_first_waits_counts_too() -> None:
    blocking = Toolset("blocking")

    @blocking.read(deadline=0.05)
    async def blocking_read(wait: Annotated[bool, "Whether to wait afterwards."]) -> str:
        """Block, then wait."""
        time.sleep(0.1)  # noqa: ASYNC251  # as a careless tool does
        if wait:
            await asyncio.sleep(5)
        return "done"

    async with connect(blocking) as client:
        assert (await client.call("blocking_read", wait=True)).error["code"] == "TIMEOUT"
        assert (await client.call("blocking_read", wait=False)).text == "done"


class Shelf:
    """A source of prompts that takes for ever, where it is told to."""

    def __init__(self, slow: str) -> None:
        self._slow = slow

    async def _take(self, what: str) -> None:
        if what == self._slow:
            await asyncio.sleep(60)
        if self._slow == "each a bit":
            await asyncio.sleep(0.3)

    async def page(self, caller: Any, after: str | None, count: int) -> Sequence[PromptEntry]:
        await self._take("list")
        return [PromptEntry("greet", "Greet.", [("name", "Whom.", True)])]

    async def find(self, caller: Any, name: str) -> PromptEntry | None:
        return (await self.page(caller, None, 1))[0] if name == "greet" else None

    async def get(self, caller: Any, entry: PromptEntry, arguments: Any) -> str:
        await self._take("get")
        return "Hello."

    async def complete(
        self, caller: Any, entry: PromptEntry, argument: str, typed: str, others: Any
    ) -> Sequence[str]:
        await self._take("complete")
        return ["ann"]


def _shelf(slow: str) -> Toolset:
    shelf = Toolset("shelf", provides=(Shelf,), prompt_source=Shelf)

    @shelf.factory
    async def opened(section: Any) -> AsyncIterator[Shelf]:
        if slow == "open":
            await asyncio.sleep(1)  # it is waited for when the server closes
        yield Shelf(slow)

    async def names(typed: str) -> list[str]:
        await asyncio.sleep(60 if slow == "names" else 0)
        return ["bob"]

    @shelf.prompt
    async def shelf_note(name: Annotated[str, "Whom.", Complete(names)]) -> str:
        """Write a note."""
        return f"Dear {name}"

    return shelf


GREET = t.PromptReference(type="ref/prompt", name="greet")
NOTE = t.PromptReference(type="ref/prompt", name="shelf_note")
TYPED = {"name": "name", "value": "a"}


@pytest.mark.parametrize("over", WIRES)
@pytest.mark.parametrize(
    ("slow", "ask", "what"),
    [
        ("list", lambda client: client.list_prompts(), "prompts/list"),
        ("open", lambda client: client.list_prompts(), "prompts/list"),
        ("list", lambda client: client.get_prompt("greet", {"name": "ann"}), "prompts/get"),
        ("get", lambda client: client.get_prompt("greet", {"name": "ann"}), "greet"),
        ("list", lambda client: client.complete(GREET, TYPED), "completion/complete"),
        ("complete", lambda client: client.complete(GREET, TYPED), "completion/complete"),
        ("names", lambda client: client.complete(NOTE, TYPED), "completion/complete"),
    ],
)
async def test_the_servers_deadline_holds_for_prompts_and_completions(
    slow: str, ask: Callable[[Any], Awaitable[Any]], what: str, over: Over
) -> None:
    async with connect(_shelf(slow), settings=Settings(deadline=0.05), over=over) as client:
        async with asyncio.timeout(5):
            with pytest.raises(MCPError, match=f"{what} took longer than 0.05 s and was stopped"):
                await ask(client.client)
            assert (await client.client.get_prompt("shelf_note", {"name": "x"})).messages


@pytest.mark.parametrize("over", WIRES)
async def test_finding_a_prompt_and_getting_it_have_one_deadline_together(over: Over) -> None:
    async with connect(_shelf("each a bit"), settings=Settings(deadline=0.5), over=over) as client:
        async with asyncio.timeout(5):
            with pytest.raises(MCPError, match=r"took longer than 0\.5 s and was stopped"):
                await client.client.get_prompt("greet", {"name": "ann"})


def _timed() -> Toolset:
    toolset = Toolset("timed", threads=1)

    @toolset.read(deadline=20)
    async def waiting() -> str:
        """Wait a moment."""
        await asyncio.sleep(0)
        return "done"

    @toolset.read(deadline=20)
    async def failing() -> str:
        """Find nothing."""
        raise NotFound("thing", "none")

    @toolset.read(deadline=0.05)
    async def late() -> str:
        """Take for ever."""
        await asyncio.sleep(60)
        return "done"

    @toolset.read(deadline=20)
    async def left_async() -> float:
        """Tell the time left."""
        return time_left() or -1.0

    @toolset.read(deadline=20)
    def left_in_a_thread() -> float:
        """Tell the time left."""
        return time_left() or -1.0

    return toolset


@pytest.mark.parametrize("tool", ["left_async", "left_in_a_thread"])
async def test_a_function_can_ask_how_much_time_is_left(tool: str) -> None:
    assert time_left() is None
    async with connect(_timed()) as client:
        assert 0 < float((await client.call(tool)).text) <= 20


@pytest.mark.parametrize("tool", ["left_async", "left_in_a_thread", "waiting", "failing", "late"])
async def test_a_call_leaves_no_deadline_behind_in_the_task_that_made_it(tool: str) -> None:
    endpoint = Endpoint([_timed()])
    answer = await endpoint.call_tool(tool, {}, SilentPeer())
    assert answer.text  # it was made in this task, as a tool calls another
    assert time_left() is None
    await endpoint.close()


async def test_a_call_within_a_call_leaves_the_deadline_of_the_outer_one() -> None:
    outer = Toolset("outer")
    inner = Endpoint([_timed()])

    @outer.read(deadline=60)
    async def left_after() -> str:
        """Call another tool, and tell the time left before and after it."""
        before = time_left() or -1.0
        within = float((await inner.call_tool("left_async", {}, SilentPeer())).text)
        return f"{before} {within} {time_left()}"

    async with connect(outer) as client:
        before, within, after = map(float, (await client.call("left_after")).text.split())
    assert 0 < within <= 20 < after <= before <= 60
    await inner.close()
