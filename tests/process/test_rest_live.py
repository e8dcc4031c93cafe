"""The live stream: what any process of a repository changes is told to all who listen, by name alone."""

import asyncio
import json
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.postgres_server import PostgresServer
from tests.process.speaking import PATIENCE, Stdio, Web, listening

STREAMS = 1_000
TOKEN = "a-token-for-the-tests"


@contextmanager
def stream(server: Web, query: str = "", **headers: str) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
    """The events of a stream, without comments."""
    address = f"{server.url.removesuffix('/mcp')}/live{query}"
    with httpx2.stream("GET", address, headers=headers, timeout=PATIENCE) as answer:
        assert answer.status_code == 200, answer.status_code
        yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_a_change_of_another_process_is_told_by_name(workspace: Path) -> None:
    with listening("prompts", "notes", folder=workspace) as server, stream(server) as events:
        base = server.url.removesuffix("/mcp")
        assert next(events)[0] == "hello"
        note = httpx2.post(f"{base}/api/notes/", json={"title": "Secret words"}, timeout=PATIENCE).json()
        name, facts = next(events)
        assert (name, facts["ids"]) == ("note", [note["id"]])
        assert "Secret" not in json.dumps(facts)

        agent = Stdio("notes", folder=workspace)
        try:
            agent.greet()
            agent.call("update_item", id=note["id"], title="Other words")
            assert next(events)[1]["ids"] == [note["id"]]
        finally:
            agent.leave()

        with stream(server, "?on=prompt", **{"Last-Event-ID": "77"}) as prompts:
            assert [next(prompts)[0] for _ in range(2)] == ["hello", "resync"]
            httpx2.post(f"{base}/api/notes/", json={"title": "x"}, timeout=PATIENCE)
            httpx2.post(f"{base}/api/prompts/", json={"name": "p", "content": "x"}, timeout=PATIENCE)
            assert next(prompts)[0] == "prompt"
        wrong = httpx2.get(f"{base}/live?on=everything", timeout=PATIENCE)
        assert wrong.status_code == 400 and "prompt" in wrong.json()["error"]["allowed"]


@pytest.mark.slow
@pytest.mark.needs("postgres")
@pytest.mark.needs("redis")
def test_servers_that_share_no_folder_hear_of_each_other_through_redis(
    tmp_path: Path, postgres: PostgresServer, redis_url: str
) -> None:
    shared: dict[str, Any] = {"LACONIC_DATABASE": postgres.new_database(), "LACONIC_STATE": redis_url}
    one, other = tmp_path / "one" / "project", tmp_path / "other" / "project"  # each with a home of its own
    for folder in (one, other):
        folder.mkdir(parents=True)
    with (
        listening("notes", "--workers", "2", folder=one, **shared) as server,
        listening("notes", folder=other, **shared) as elsewhere,
        stream(elsewhere) as events,
    ):
        assert [next(events)[0] for _ in range(2)] == ["hello", "resync"]  # it hears the others from here on
        base = server.url.removesuffix("/mcp")
        for path, sent in (("notes", {"title": "Secret words"}), ("bookmarks", {"url": "https://a.example"})):
            made = httpx2.post(f"{base}/api/{path}/", json=sent, timeout=PATIENCE).json()
            name, facts = next(events)
            assert (name, facts["ids"]) == (path.removesuffix("s"), [made["id"]])
            assert "Secret" not in json.dumps(facts)
        server.call("update_item", id=made["id"], title="Other words")
        told = [next(events) for _ in range(2)]
        assert [(name, facts["ids"]) for name, facts in told] == [
            ("note", [made["id"]]),
            ("bookmark", [made["id"]]),
        ]
        here = httpx2.post(
            f"{elsewhere.url.removesuffix('/mcp')}/api/notes/", json={"title": "x"}, timeout=PATIENCE
        )
        assert next(events)[1]["ids"] == [here.json()["id"]]  # told once, though it comes both ways
        again = httpx2.post(f"{base}/api/notes/", json={"title": "y"}, timeout=PATIENCE).json()
        assert next(events)[1]["ids"] == [again["id"]]


@pytest.mark.slow
def test_a_stream_ends_with_its_token(workspace: Path) -> None:
    owner = {"Authorization": f"Bearer {TOKEN}"}
    with (
        listening("notes", folder=workspace, LACONIC_TOKEN=TOKEN) as server,
        httpx2.Client(base_url=server.url.removesuffix("/mcp"), headers=owner, timeout=PATIENCE) as api,
    ):
        made = api.post("/api/tokens/", json={"name": "t"}).json()
        personal = {"Authorization": f"Bearer {made['token']}"}
        with stream(server, **personal) as events, stream(server, **owner) as others:
            assert next(events)[0] == next(others)[0] == "hello"
            api.post("/api/notes/", json={"title": "x"})
            assert next(events)[0] == next(others)[0] == "note"
            assert api.delete(f"/api/tokens/{made['id']}").status_code == 204
            assert list(events) == []  # silence ends it, too
            api.post("/api/notes/", json={"title": "y"})
            assert next(others)[0] == "note"


def test_a_server_that_stops_ends_its_streams(workspace: Path) -> None:
    with listening("notes", folder=workspace) as server, stream(server) as events:
        assert next(events)[0] == "hello"
        server.signal(signal.SIGTERM)
        assert list(events) == []
        assert server.wait() == 0


@pytest.mark.slow
def test_a_thousand_streams_are_held(workspace: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 3 * STREAMS
    if hard != resource.RLIM_INFINITY and hard < needed:
        pytest.skip("too few open files are allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), hard))
    with listening("notes", folder=workspace, files=needed) as server:
        assert asyncio.run(_held(server, STREAMS)) == STREAMS


async def _held(server: Web, count: int) -> int:
    """Open streams, change something, and return how many heard of it."""
    host, port = server.url.removeprefix("http://").removesuffix("/mcp").split(":")
    request = f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    opened = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request)
        opened.append((reader, writer))
    async with asyncio.timeout(PATIENCE):
        for reader, _ in opened:
            await reader.readuntil(b"event: hello")
        async with httpx2.AsyncClient(timeout=PATIENCE) as client:
            made = await client.post(f"http://{host}:{port}/api/notes/", json={"title": "x"})
            assert made.status_code == 201
        heard = [await reader.readuntil(b"event: note") for reader, _ in opened]
    for _, writer in opened:
        writer.close()
    return len(heard)
