"""Several workers, races and a stop: any worker answers anything, and no request is lost."""

import asyncio
import signal
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.postgres_server import PostgresServer
from tests.process.speaking import PATIENCE, listening

pytestmark = pytest.mark.slow
TOKEN = "a-token-for-the-tests"


@pytest.mark.needs("postgres")
@pytest.mark.needs("redis")
def test_any_worker_answers_anything(workspace: Path, postgres: PostgresServer, redis_url: str) -> None:
    more: dict[str, Any] = {
        "LACONIC_DATABASE": postgres.new_database(),
        "LACONIC_STATE": redis_url,
        "LACONIC_TOKEN": TOKEN,
    }
    own = {"Authorization": f"Bearer {TOKEN}"}
    with listening("prompts", "notes", "--workers", "2", folder=workspace, **more) as server:
        base = server.url.removesuffix("/mcp")
        made = httpx2.post(f"{base}/api/tokens/", json={"name": "t"}, headers=own, timeout=PATIENCE).json()
        personal = {"Authorization": f"Bearer {made['token']}"}
        for number in range(8):  # each on its own connection, so that both workers get some
            note = {"title": f"note {number}"}
            id = httpx2.post(f"{base}/api/notes/", json=note, headers=own, timeout=PATIENCE).json()["id"]
            read = httpx2.get(f"{base}/api/notes/{id}", headers=personal, timeout=PATIENCE)
            assert (read.status_code, read.json()["title"]) == (200, note["title"])
            assert httpx2.get(f"{base}/ready", timeout=PATIENCE).status_code == 200
        httpx2.delete(f"{base}/api/tokens/{made['id']}", headers=own, timeout=PATIENCE)
        late = [httpx2.get(f"{base}/api/notes/", headers=personal, timeout=PATIENCE) for _ in range(6)]
        assert [one.status_code for one in late] == [401] * 6


def test_a_stop_loses_no_request_that_was_answered(workspace: Path) -> None:
    saved: list[str] = []
    with listening("notes", folder=workspace) as server:
        base, over = server.url.removesuffix("/mcp"), threading.Event()

        def work() -> None:
            with httpx2.Client(base_url=base, timeout=PATIENCE) as client:
                while not over.is_set():
                    try:
                        made = client.post("/api/notes/", json={"title": "kept"})
                    except httpx2.HTTPError:
                        return  # it was never accepted
                    if made.status_code != 201:
                        assert made.status_code == 503, made.text
                        return
                    saved.append(made.json()["id"])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        while len(saved) < 20:
            assert any(thread.is_alive() for thread in threads)
            threading.Event().wait(0.01)
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        over.set()
        for thread in threads:
            thread.join(PATIENCE)
    with listening("notes", folder=workspace) as server:
        base = server.url.removesuffix("/mcp")
        with httpx2.Client(base_url=base, timeout=PATIENCE) as client:
            lost = [id for id in saved if client.get(f"/api/notes/{id}").status_code != 200]
        assert lost == []


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def test_a_thousand_races_lose_no_update(workspace: Path, kind: str, request: pytest.FixtureRequest) -> None:
    more: dict[str, Any] = {}
    if kind == "postgres":
        more = {"LACONIC_DATABASE": request.getfixturevalue("postgres").new_database()}
    with listening("notes", "--workers", "2", folder=workspace, **more) as server:
        assert asyncio.run(_race(server.url.removesuffix("/mcp"), 1_000)) == 1_000


async def _race(base: str, rounds: int) -> int:
    """Let two clients change one item with the same ETag, and return how often exactly one did."""
    async with (
        httpx2.AsyncClient(base_url=base, timeout=PATIENCE) as one,
        httpx2.AsyncClient(base_url=base, timeout=PATIENCE) as two,
    ):
        path = f"/api/notes/{(await one.post('/api/notes/', json={'title': 'x'})).json()['id']}"
        right = 0
        for number in range(rounds):
            match = {"If-Match": (await one.get(path)).headers["etag"]}
            both = await asyncio.gather(
                *(
                    client.patch(path, json={"title": f"{number} {who}"}, headers=match)
                    for client, who in ((one, "a"), (two, "b"))
                )
            )
            right += sorted(answer.status_code for answer in both) == [200, 412]
        assert (await one.get(path)).json()["version"] == rounds + 1
        return right
