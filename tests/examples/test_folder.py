"""Work on a folder: progress for a caller that asked, and a real end when it is cancelled."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import httpx2
import pytest

from examples.folder import toolset
from laconic.kit import Endpoint, Progress, Settings, Toolset
from laconic.kit.testing import ERAS, WIRES, Over, TestClient, connect
from laconic.kit.wire.http import http_app
from laconic.stores import Folder

MODERN = ERAS[-1]
in_both_eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture
def settings(workspace: Path) -> Settings:
    for number in range(1, 6):
        (workspace / f"{number}.md").write_text("word " * number, encoding="utf-8")
    return Settings(sections={"folder": {"workspace": str(workspace)}})


@in_both_eras
async def test_every_file_is_measured(era: str, settings: Settings) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        reply = await client.call("folder_measure", most=2)

    assert reply.text == "5 files, 15 words; the longest:\n5\t5.md\n4\t4.md"


@in_both_eras
@pytest.mark.requirement("003-7.1")
async def test_progress_rises_to_the_total_and_names_each_file(era: str, settings: Settings) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    async with connect(toolset, era=era, settings=settings) as client:
        await client.send("folder_measure", {}, progress_callback=progress)

    assert seen == [(number, 5, f"{number}.md") for number in range(1, 6)]


@pytest.mark.requirement("003-7.3")
async def test_zero_is_a_token_to_a_legacy_client(settings: Settings) -> None:
    seen: list[tuple[Any, float]] = []

    async def handle(message: Any) -> None:
        seen.append((message.params.progress_token, message.params.progress))

    async with connect(toolset, era="legacy", settings=settings, message_handler=handle) as client:
        await client.send("folder_measure", {}, meta={"progress_token": 0})

    assert seen == [(0, number) for number in range(1, 6)]


@pytest.mark.requirement("003-7.3")
async def test_zero_is_a_token_to_a_modern_client(settings: Settings) -> None:
    messages = await post(Endpoint([toolset], settings=settings), progressToken=0)

    seen = [message["params"] for message in messages if message.get("method")]
    assert [(one["progressToken"], one["progress"]) for one in seen] == [(0, n) for n in range(1, 6)]
    assert "5 files" in messages[-1]["result"]["content"][0]["text"]


@pytest.mark.requirement("003-7.2")
async def test_without_a_token_nothing_is_reported(settings: Settings) -> None:
    messages = await post(Endpoint([toolset], settings=settings))

    assert [message.get("method") for message in messages] == [None]


@in_both_eras
@pytest.mark.parametrize("over", WIRES)
@pytest.mark.requirement("003-7.4")
async def test_two_calls_at_once_each_get_their_own_progress(era: str, over: Over) -> None:
    both = asyncio.Barrier(2)
    pairs = Toolset("pairs")

    @pairs.read
    async def pairs_count(progress: Progress, name: Annotated[str, "Whose."]) -> str:
        """Count to three, in step with another call."""
        for number in range(1, 4):
            await both.wait()
            await progress(number, 3, f"{name} {number}")
        return name

    seen: dict[str, list[str | None]] = {"one": [], "two": []}

    async def count(client: TestClient, name: str) -> str:
        async def progress(done: float, total: float | None, message: str | None) -> None:
            seen[name].append(message)

        return (await client.send("pairs_count", {"name": name}, progress_callback=progress)).text

    async with connect(pairs, era=era, over=over) as client:
        replies = await asyncio.gather(*(count(client, name) for name in seen))

    assert replies == ["one", "two"]
    assert seen == {name: [f"{name} {number}" for number in range(1, 4)] for name in seen}


async def post(endpoint: Endpoint, **meta: Any) -> list[dict[str, Any]]:
    """Call the tool over HTTP by hand, and give every message that comes back."""
    about = {"protocolVersion": MODERN, "clientCapabilities": {}}
    params = {
        "name": "folder_measure",
        "_meta": {**{f"io.modelcontextprotocol/{key}": value for key, value in about.items()}, **meta},
    }
    headers = {
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "folder_measure",
        "Accept": "application/json, text/event-stream",
    }
    app = http_app(endpoint)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:8321") as http,
    ):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        response = await http.post("/mcp", json=body, headers=headers)
    if response.headers["content-type"] == "application/json":
        return [response.json()]
    lines = response.text.splitlines()
    return [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]


@in_both_eras
async def test_a_cancelled_call_stops_reading_files(
    era: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1000):
        (workspace / f"{number}.md").touch()
    read: list[str] = []
    whole = Folder.read

    def note(self: Folder, name: str) -> str:
        read.append(name)
        return whole(self, name)

    monkeypatch.setattr(Folder, "read", note)
    reached = asyncio.Event()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        if done >= 3:
            reached.set()

    settings = Settings(sections={"folder": {"workspace": str(workspace)}})
    async with connect(toolset, era=era, settings=settings) as client:
        calling = asyncio.create_task(client.send("folder_measure", {}, progress_callback=progress))
        await reached.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await client.call("folder_measure", most=0)  # refused, and by then the first call has ended
        count = len(read)
        await client.call("folder_measure", most=0)

    assert 3 <= count < 500
    assert len(read) == count
