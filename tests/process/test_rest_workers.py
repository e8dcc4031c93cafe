"""Several workers, races and a stop: any worker answers anything, and no request is lost."""

import asyncio
import signal
import threading
import time
from contextlib import ExitStack
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


@pytest.mark.needs("redis")
def test_workers_and_machines_count_the_requests_of_a_caller_together(tmp_path: Path, redis_url: str) -> None:
    more: dict[str, Any] = {"LACONIC_STATE": redis_url, "LACONIC_TOKEN": TOKEN}
    limits = ("--read-day", "10", "--write-day", "4")
    own = {"Authorization": f"Bearer {TOKEN}"}
    with ExitStack() as stack:
        bases = []
        for name, workers in (("one", "2"), ("other", "1")):
            folder = tmp_path / name / "project"  # each with a home of its own
            folder.mkdir(parents=True)
            words = ("notes", "--workers", workers, *limits)
            server = stack.enter_context(listening(*words, folder=folder, **more))
            bases.append(server.url.removesuffix("/mcp"))

        def ask(number: int, method: str, **sent: Any) -> httpx2.Response:  # each on its own connection
            address = f"{bases[number % 2]}/api/notes/"
            return httpx2.request(method, address, headers=own, timeout=PATIENCE, **sent)

        reads = [ask(number, "GET") for number in range(16)]
        assert [one.status_code for one in reads] == [200] * 10 + [429] * 6
        assert [one.headers["x-ratelimit-remaining"] for one in reads[:3]] == ["9", "8", "7"]
        writes = [ask(number, "POST", json={"title": "x"}).status_code for number in range(6)]
        assert writes == [201] * 4 + [429] * 2


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def test_no_worker_gives_an_old_answer_after_a_write_of_another(
    workspace: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    more: dict[str, Any] = {}
    if kind == "postgres":
        more = {"LACONIC_DATABASE": request.getfixturevalue("postgres").new_database()}
    with listening("notes", "--workers", "2", folder=workspace, **more) as server, ExitStack() as stack:
        base = server.url.removesuffix("/mcp")
        # Each has a connection of its own, so that both workers have some.
        clients = [stack.enter_context(httpx2.Client(base_url=base, timeout=PATIENCE)) for _ in range(8)]
        path = f"/api/notes/{clients[0].post('/api/notes/', json={'title': 'x'}).json()['id']}"
        etag = ""
        for number in range(12):
            for client in clients:
                for _ in range(3):  # from the third one on it is kept
                    read = client.get(path, headers={"If-None-Match": etag})
                assert read.status_code == (304 if etag else 200)
            done = clients[number % 8].patch(path, json={"title": f"title {number}"})
            stale = [client.get(path, headers={"If-None-Match": etag or "none"}) for client in clients]
            assert [one.json()["title"] for one in stale] == [f"title {number}"] * 8
            assert {one.headers["etag"] for one in stale} == {done.headers["etag"]}
            etag = done.headers["etag"]


@pytest.mark.needs("postgres")
@pytest.mark.needs("redis")
def test_a_database_that_is_away_is_told_and_found_again(workspace: Path, redis_url: str) -> None:
    with PostgresServer() as postgres:
        more: dict[str, Any] = {"LACONIC_DATABASE": postgres.new_database(), "LACONIC_STATE": redis_url}
        with (
            listening("notes", "--workers", "2", folder=workspace, **more) as server,
            httpx2.Client(base_url=server.url.removesuffix("/mcp"), timeout=PATIENCE) as api,
        ):
            id = api.post("/api/notes/", json={"title": "kept"}).json()["id"]
            assert api.get("/ready").json() == {"status": "ready", "database": "up", "state": "up"}
            postgres.kill()
            away = api.get("/ready")
            assert (away.status_code, away.json()["database"]) == (503, "down")
            assert api.get("/health").json() == {"status": "healthy"}
            lost = api.get(f"/api/notes/{id}")
            assert lost.status_code == 502, lost.text
            assert "error" in lost.json() and str(workspace) not in lost.text
            postgres.start()
            for _ in range(600):
                if api.get("/ready").status_code == 200:
                    break
                time.sleep(0.1)
            assert api.get(f"/api/notes/{id}").json()["title"] == "kept"


@pytest.mark.parametrize(
    ("workers", "kind"),
    [("1", "sqlite"), ("2", "sqlite"), pytest.param("2", "postgres", marks=pytest.mark.needs("postgres"))],
)
def test_a_stop_loses_no_request_and_no_answer(
    workspace: Path, workers: str, kind: str, request: pytest.FixtureRequest
) -> None:
    saved: list[str] = []
    more: dict[str, Any] = {}
    if kind == "postgres":
        more = {"LACONIC_DATABASE": request.getfixturevalue("postgres").new_database()}
    with listening("notes", "--workers", workers, folder=workspace, **more) as server:
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
    with listening("notes", folder=workspace, **more) as server:
        base = server.url.removesuffix("/mcp")
        with httpx2.Client(base_url=base, timeout=PATIENCE) as client:
            lost = [id for id in saved if client.get(f"/api/notes/{id}").status_code != 200]
            kept = client.get("/api/notes/?limit=1").json()["total"]
        assert lost == []
        assert kept == len(saved)  # and nothing was done whose answer was lost


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def test_a_thousand_races_lose_no_update(workspace: Path, kind: str, request: pytest.FixtureRequest) -> None:
    more: dict[str, Any] = {}
    if kind == "postgres":
        more = {"LACONIC_DATABASE": request.getfixturevalue("postgres").new_database()}
    with listening("notes", "--workers", "2", folder=workspace, **more) as server:
        base = server.url.removesuffix("/mcp")
        assert asyncio.run(_race(base, 1_000)) == 1_000
        assert asyncio.run(_race_of_two_kinds(base, 1_000)) == 1_000


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


# What goes against a change of the title with the same ETag, and the statuses of both of which one comes.
AGAINST: list[tuple[str, str, set[tuple[int, int]]]] = [
    ("DELETE", "/api/notes/{id}", {(200, 412), (404, 204)}),
    ("DELETE", "/api/notes/{id}?permanent=true", {(200, 412), (404, 204)}),
    ("POST", "/api/history/note/{id}/restore/1", {(200, 412), (412, 200)}),
]


async def _race_of_two_kinds(base: str, rounds: int) -> int:
    """Let one client change an item that another deletes or restores, and return how often one won."""
    async with (
        httpx2.AsyncClient(base_url=base, timeout=PATIENCE) as one,
        httpx2.AsyncClient(base_url=base, timeout=PATIENCE) as two,
    ):
        right = 0
        for number in range(rounds):
            method, path, allowed = AGAINST[number % len(AGAINST)]
            id = (await one.post("/api/notes/", json={"title": "x"})).json()["id"]
            second = await one.patch(f"/api/notes/{id}", json={"title": "y"})
            match = {"If-Match": second.headers["etag"]}
            changed, other = await asyncio.gather(
                one.patch(f"/api/notes/{id}", json={"title": "z"}, headers=match),
                two.request(method, path.format(id=id), headers=match),
            )
            right += (changed.status_code, other.status_code) in allowed
        return right
