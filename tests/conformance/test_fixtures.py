"""The conformance fixtures on every transport: questions, notices and progress, in both eras."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx2
import mcp_types as t
import pytest
from mcp.server.subscriptions import PromptsListChanged, ResourceUpdated, ToolsListChanged
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from laconic.kit import Endpoint, Peer, PromptEntry, Toolset, UpstreamDown, testing
from laconic.kit.testing import ERAS, WIRES, Over, TestClient
from laconic.kit.wire.http import http_app
from tests.conformance.fixtures import CONFIRM, NAME, conformance, typed

MODERN = "2026-07-28"
in_both_eras = pytest.mark.parametrize("era", ERAS)
wire: list[Over] = ["memory"]


@pytest.fixture(autouse=True, params=WIRES)
def over(request: pytest.FixtureRequest) -> None:
    """Each test runs over each transport."""
    wire[0] = request.param


def connect(*toolsets: Toolset, **options: Any) -> AbstractAsyncContextManager[TestClient]:
    return testing.connect(*toolsets, over=wire[0], **options)


async def accept(context: Any, params: Any) -> t.ElicitResult:
    """A person who fills in every form."""
    fields = params.requested_schema["properties"]
    known: dict[str, str | bool] = {"name": "Ada", "color": "blue", "ok": True}
    return t.ElicitResult(action="accept", content={key: known[key] for key in fields})


async def complete(context: Any, params: Any) -> t.CreateMessageResult:
    """A model that knows one word."""
    return t.CreateMessageResult(
        role="assistant", content=t.TextContent(type="text", text="Hello"), model="m"
    )


async def roots(context: Any) -> t.ListRootsResult:
    """A client with one folder."""
    return t.ListRootsResult(roots=[t.Root.model_validate({"uri": "file:///work", "name": "work"})])


def elicited(**content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


async def a_round(
    client: TestClient, tool: str, state: str | None = None, **replies: Any
) -> t.InputRequiredResult:
    """Call with replies to the last questions, if any, and return the next questions."""
    result = await client.client.session.call_tool(
        tool, {}, input_responses=replies, request_state=state, allow_input_required=True
    )
    assert isinstance(result, t.InputRequiredResult)
    return result


async def last_round(client: TestClient, tool: str, state: str | None, **replies: Any) -> str:
    """Call with replies to the last questions, and return the text of the answer."""
    result = await client.client.session.call_tool(tool, {}, input_responses=replies, request_state=state)
    return str(result.content[0].text)


# Asking


@in_both_eras
async def test_a_person_is_asked_and_the_tool_goes_on_with_the_answer(era: str) -> None:
    async with connect(conformance, era=era, answer=accept) as client:
        assert (await client.call("test_input_required_result_elicitation")).text == "Hello, Ada!"


@in_both_eras
async def test_a_second_question_still_knows_the_answer_to_the_first(era: str) -> None:
    async with connect(conformance, era=era, answer=accept) as client:
        assert (await client.call("test_input_required_result_multi_round")).text == "Ada likes blue"


async def test_the_first_answer_comes_back_inside_the_state_and_no_other_way() -> None:
    tool = "test_input_required_result_multi_round"
    async with connect(conformance, answer=accept) as client:
        first = await a_round(client, tool)
        second = await a_round(client, tool, first.request_state, step1=elicited(name="Ada"))
        said = await last_round(client, tool, second.request_state, step2=elicited(color="blue"))

    assert list(first.input_requests or {}) == ["step1"]
    assert list(second.input_requests or {}) == ["step2"]
    assert first.request_state != second.request_state
    assert said == "Ada likes blue"


async def test_an_answer_without_the_state_of_its_question_is_asked_for_again() -> None:
    async with connect(conformance, answer=accept) as client:
        tool = "test_input_required_result_request_state"
        again = await a_round(client, tool, confirm=elicited(ok=True))

    assert list(again.input_requests or {}) == ["confirm"]


async def test_a_state_that_was_changed_is_refused() -> None:
    tool = "test_input_required_result_tampered_state"
    async with connect(conformance, answer=accept) as client:
        first = await a_round(client, tool)
        with pytest.raises(MCPError) as refused:
            await last_round(client, tool, f"{first.request_state}x", confirm=elicited(ok=True))

    assert refused.value.code == t.INVALID_PARAMS


@in_both_eras
async def test_person_model_and_client_are_asked_at_once(era: str) -> None:
    others: dict[str, Any] = {"sampling_callback": complete, "list_roots_callback": roots}
    async with connect(conformance, era=era, answer=accept, **others) as client:
        reply = await client.call("test_input_required_result_multiple_inputs")

    assert reply.text == "Hello Ada, 1 root(s)"


@in_both_eras
async def test_a_prompt_can_ask_as_well(era: str) -> None:
    async def answer(context: Any, params: Any) -> t.ElicitResult:
        return t.ElicitResult(action="accept", content={"context": "tea"})

    async with connect(conformance, era=era, answer=answer) as client:
        prompt = await client.client.get_prompt("test_input_required_result_prompt")

    assert prompt.messages[0].content.text == "Context: tea"


@in_both_eras
async def test_questions_from_two_tasks_go_out_together(era: str) -> None:
    async with connect(conformance, era=era, answer=accept) as client:
        assert (await client.call("test_side_by_side")).text == "Ada and Ada"


async def test_one_answer_of_two_tasks_is_kept_while_the_other_is_asked_for() -> None:
    tool = "test_side_by_side"
    async with connect(conformance, answer=accept) as client:
        both = await a_round(client, tool)
        rest = await a_round(client, tool, both.request_state, second=elicited(name="Bob"))
        said = await last_round(client, tool, rest.request_state, first=elicited(name="Ada"))

    assert list(both.input_requests or {}) == ["first", "second"]
    assert list(rest.input_requests or {}) == ["first"]
    assert said == "Ada and Bob"


@in_both_eras
async def test_a_task_that_fails_beside_a_question_does_not_end_the_connection(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    box = Toolset("box")

    @box.read
    async def torn(peer: Peer) -> str:
        """Ask and fail at the same time."""

        async def fail() -> None:
            raise OSError("/home/ada/secret")

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(fail())
            tasks.create_task(peer.ask({"name": NAME}))
        return "never"

    async with connect(box, conformance, era=era, answer=accept) as client:
        try:
            said = (await client.call("torn")).text
        except MCPError as error:
            said = error.message
        alive = await client.call("test_simple_text")

    assert "secret" not in said
    assert not alive.failed
    assert "/home/ada/secret" in caplog.text


@in_both_eras
async def test_a_read_that_is_tried_again_asks_nobody_twice(era: str) -> None:
    box, asked, tried = Toolset("box"), [], []

    @box.read
    async def fetches(peer: Peer) -> str:
        """Ask, and find the upstream down once."""
        name = typed((await peer.ask({"name": NAME}))["name"], "name")
        tried.append(name)
        if len(tried) == 1:
            raise UpstreamDown("Not now.", retry_after=0.001)
        return f"Fetched for {name}."

    async def answer(context: Any, params: Any) -> t.ElicitResult:
        asked.append(params)
        return await accept(context, params)

    async with connect(box, era=era, answer=answer) as client:
        assert (await client.call("fetches")).text == "Fetched for Ada."
    assert (len(asked), len(tried)) == (1, 2)


@in_both_eras
async def test_a_tool_that_asks_until_it_likes_the_reply_is_stopped(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    box = Toolset("box")

    @box.read
    async def insists(peer: Peer) -> str:
        """Ask over and over."""
        while True:
            await peer.ask({"name": NAME})

    async with connect(box, era=era, answer=accept) as client:
        assert (await client.call("insists")).error["code"] == "INTERNAL_ERROR"
    assert "The question 'name' was asked too often" in caplog.text


@in_both_eras
async def test_two_questions_under_one_key_are_a_bug_that_shows(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    box = Toolset("box")

    @box.read
    async def confuses(peer: Peer) -> str:
        """Ask two questions under one key."""
        await peer.ask({"it": NAME})
        await peer.ask({"it": CONFIRM})
        return "never"

    async with connect(box, era=era, answer=accept) as client:
        assert (await client.call("confuses")).error["code"] == "INTERNAL_ERROR"
    assert "Two questions of one call have the key 'it'." in caplog.text


async def test_a_client_that_gives_an_error_for_an_answer_is_told_so_as_a_failure() -> None:
    async def refuse(context: Any, params: Any) -> t.ErrorData:
        return t.ErrorData(code=-1, message="User rejected sampling request")

    async with connect(conformance, era="legacy", sampling_callback=refuse) as client:
        reply = await client.call("test_sampling", prompt="Hello")

    assert reply.error["code"] == "PERMISSION_DENIED"
    assert "User rejected sampling request" in reply.text


@in_both_eras
async def test_a_client_that_cannot_be_asked_gets_an_error_of_the_protocol(era: str) -> None:
    async with connect(conformance, era=era) as client:
        with pytest.raises(MCPError) as refused:
            await client.call("test_missing_capability")

    assert refused.value.code == t.MISSING_REQUIRED_CLIENT_CAPABILITY
    assert refused.value.error.data == {"requiredCapabilities": {"sampling": {}}}


@in_both_eras
async def test_only_what_the_client_can_answer_is_asked(era: str) -> None:
    async with connect(conformance, era=era, sampling_callback=complete) as client:
        reply = await client.call("test_input_required_result_capabilities")

    assert reply.text == "Answered: greeting"


# Reporting


@in_both_eras
async def test_progress_reaches_whoever_asked_for_it(era: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    async with connect(conformance, era=era) as client:
        await client.send("test_tool_with_progress", {}, progress_callback=progress)

    assert seen == [(0, 100, "0 of 100"), (50, 100, "50 of 100"), (100, 100, "100 of 100")]


async def test_zero_is_a_progress_token_to_a_legacy_client() -> None:
    seen: list[Any] = []

    async def handle(message: Any) -> None:
        seen.append(message.params.progress_token)

    async with connect(conformance, era="legacy", message_handler=handle) as client:
        await client.send("test_tool_with_progress", {}, meta={"progress_token": 0})

    assert seen == [0, 0, 0]


async def test_zero_is_a_progress_token_to_a_modern_client() -> None:
    messages = await post("test_tool_with_progress", {"progressToken": 0})

    progress = [message["params"] for message in messages if message.get("method")]
    assert [(one["progressToken"], one["progress"]) for one in progress] == [(0, 0), (0, 50), (0, 100)]
    assert messages[-1]["result"]["content"][0]["text"] == "Progress was reported."


async def post(tool: str, meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Call a tool over modern HTTP by hand, and return every message of the stream."""
    endpoint = Endpoint([conformance])
    app = http_app(endpoint)
    about = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        **meta,
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "_meta": about}}
    headers = {
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
        "Accept": "application/json, text/event-stream",
    }
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:8321") as http,
    ):
        response = await http.post("/mcp", json=body, headers=headers)
    assert response.status_code == 200
    lines = response.text.splitlines()
    return [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]


async def test_a_legacy_client_sets_the_level_below_which_nothing_is_logged() -> None:
    lines: list[str] = []

    async def log(params: t.LoggingMessageNotificationParams) -> None:
        lines.append(params.level)

    async with connect(conformance, era="legacy", logging_callback=log) as client:
        await client.call("test_tool_with_logging")
        before = list(lines)
        with pytest.warns(MCPDeprecationWarning):
            await client.client.set_logging_level("error")
        await client.call("test_tool_with_logging")
        await client.call("test_logging_tool")

    assert before == ["info"] * 3
    assert lines[3:] == ["error"]


@pytest.mark.parametrize(("level", "count"), [(None, 0), ("error", 0), ("info", 3), ("debug", 3)])
async def test_a_modern_client_hears_the_lines_its_request_asked_for(level: Any, count: int) -> None:
    lines: list[Any] = []

    async def log(params: t.LoggingMessageNotificationParams) -> None:
        lines.append(params.data)

    async with connect(conformance, era=MODERN, logging_callback=log, log_level=level) as client:
        await client.call("test_tool_with_logging")

    assert len(lines) == count


# Change notices


async def test_a_legacy_client_is_told_of_changed_lists_and_of_what_it_watches() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()

    async def handle(message: Any) -> None:
        told.put_nowait(message.method)

    async with connect(conformance, era="legacy", message_handler=handle) as client:
        await client.call("test_trigger_resource_change")
        with pytest.warns(MCPDeprecationWarning):
            await client.client.subscribe_resource("test://watched-resource")
        for tool in ("tool", "prompt", "resource"):
            await client.call(f"test_trigger_{tool}_change")
        async with asyncio.timeout(5):
            methods = [await told.get() for _ in range(5)]

    assert methods == [
        "notifications/resources/list_changed",  # not yet watched: only the list
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    ]
    assert told.empty()


async def test_a_modern_listener_hears_what_it_listens_for_and_nothing_else() -> None:
    watched = ["test://watched-resource"]
    async with (
        connect(conformance) as client,
        client.client.listen(
            tools_list_changed=True, prompts_list_changed=True, resource_subscriptions=watched
        ) as subscription,
    ):
        for tool in ("resource", "tool", "prompt"):
            await client.call(f"test_trigger_{tool}_change")
        async with asyncio.timeout(5):
            events = [await anext(subscription) for _ in range(3)]

    assert events == [ResourceUpdated(uri=watched[0]), ToolsListChanged(), PromptsListChanged()]


# Containing


class Broken:
    """A library of prompts whose disk is gone."""

    async def page(self, caller: Any, after: str | None, count: int) -> list[PromptEntry]:
        raise OSError("/home/ada/secret")


@in_both_eras
async def test_a_bug_in_a_list_is_logged_and_its_words_stay_here(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    box = Toolset("box", provides=(Broken,), prompt_source=Broken)

    @box.factory
    async def open_broken(section: Mapping[str, Any]) -> AsyncIterator[Broken]:
        yield Broken()

    async with connect(box, era=era) as client:
        with pytest.raises(MCPError) as failed:
            await client.client.list_prompts()

    assert (failed.value.code, failed.value.message) == (t.INTERNAL_ERROR, "Internal server error")
    assert "/home/ada/secret" in caplog.text
