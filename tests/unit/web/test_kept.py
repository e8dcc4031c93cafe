"""Kept answers: the same bytes as long as nothing changed, behind the same checks and steps as all others."""

import asyncio
import tracemalloc
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient
from httpx2 import Response as Answered
from starlette.responses import Response

from laconic.kit import Tokens
from laconic.stores import By, Database, Shelf
from laconic.stores.keyring.keyring import Keyring, keyring_beside
from laconic.web.catalogue import operations
from laconic.web.kept.answers import KeptAnswers
from tests.library import KINDS, address_of
from tests.unit.web.conftest import ORIGIN, serving
from tests.unit.web.making import make

OWNER, READER = "the-token-of-the-owner", "the-token-of-a-reader"
TOKENS = Tokens(f"{ORIGIN}/mcp", {"owner": OWNER, "reader": READER}, read_only=["reader"])
PATIENCE = 90.0  # seconds
# What depends on more than the library: who asks, the time, or another server; or is too long.
NOT_KEPT = {"document", "export_skills", "export_prompts", "fetch_metadata", "health", "home"}
NOT_KEPT |= {"list_tokens", "live", "ready"}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def answers(api: AsyncClient) -> KeptAnswers:
    found: KeptAnswers = api.library.answers  # type: ignore[attr-defined]
    return found


def is_kept(api: AsyncClient, path: str) -> bool:
    address, _, query = path.partition("?")
    return (address, query.encode()) in answers(api).kept


async def kept(api: AsyncClient, path: str, **more: Any) -> Answered:
    """Ask until the answer is kept, and return the first one."""
    first = await api.get(path, **more)
    assert first.status_code == 200, first.text
    async with asyncio.timeout(PATIENCE):
        while not is_kept(api, path):
            await api.get(path, **more)
    return first


@pytest.fixture
def reads(api: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each read of the library."""
    shelf, counted = api.library.shelf, []  # type: ignore[attr-defined]
    original = shelf.read

    async def read(work: Any) -> Any:
        counted.append(1)
        return await original(work)

    monkeypatch.setattr(shelf, "read", read)
    return counted


async def test_the_same_request_gets_the_same_answer_without_a_read(
    api: AsyncClient, reads: list[int]
) -> None:
    note = await make(api, "notes", tags=["a"])
    for path in (f"/api/notes/{note['id']}", "/api/notes/?limit=5", "/api/content/?q=some", "/api/tags/"):
        first = await kept(api, path)
        reads.clear()
        again = await api.get(path)
        assert reads == []
        assert (again.content, again.headers) == (first.content, first.headers)
        known = await api.get(path, headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
        assert (known.status_code, known.content, reads) == (304, b"", [])
        assert known.headers["etag"] == first.headers["etag"]
        assert known.headers["cache-control"] == "private, no-cache"
        assert known.headers["x-frame-options"] == "DENY"
        other = await api.get(path, headers={"If-None-Match": '"other"'})
        assert (other.status_code, other.content) == (200, first.content)


async def test_a_head_is_answered_from_what_a_get_left_and_leaves_it_for_one(
    api: AsyncClient, reads: list[int]
) -> None:
    path = f"/api/notes/{(await make(api, 'notes'))['id']}"
    async with asyncio.timeout(PATIENCE):
        while not is_kept(api, path):
            plain = await api.head(path)
    reads.clear()
    head, get = await api.head(path), await api.get(path)
    assert reads == []
    assert (head.status_code, head.content) == (200, b"")
    assert dict(head.headers) == dict(plain.headers) == dict(get.headers)
    assert int(head.headers["content-length"]) == len(get.content) > 0
    known = await api.head(path, headers={"If-None-Match": head.headers["etag"]})
    assert (known.status_code, known.content, reads) == (304, b"", [])
    await api.patch(path, json={"title": "another"})
    late = await api.head(path, headers={"If-None-Match": head.headers["etag"]})
    assert (late.status_code, late.headers["etag"] != head.headers["etag"]) == (200, True)


async def test_a_client_that_always_names_what_it_has_fills_it_too(api: AsyncClient) -> None:
    path = f"/api/notes/{(await make(api, 'notes'))['id']}"
    has = {"If-None-Match": (await api.get(path)).headers["etag"]}
    async with asyncio.timeout(PATIENCE):
        while not is_kept(api, path):
            assert (await api.get(path, headers=has)).status_code == 304


async def test_the_next_request_after_a_write_sees_it(api: AsyncClient, library: str) -> None:
    note = await make(api, "notes")
    path = f"/api/notes/{note['id']}"

    async def by_another_connection() -> None:
        database = Database(library, [Shelf.schema])
        await Shelf(database).run(lambda desk: desk.edit(note["id"], {"title": "other"}, By()))
        await database.close()

    changes = {
        "own": lambda: api.patch(path, json={"title": "own"}),
        "used": lambda: api.post(f"{path}/track-usage"),
        "tag": lambda: api.patch(path, json={"tags": ["a"]}),
        "renamed": lambda: api.patch("/api/tags/a", json={"new_name": "b"}),
        "other": by_another_connection,
    }
    for change in changes.values():
        first = await kept(api, path)
        await change()
        after = await api.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert after.status_code == 200
        assert after.content != first.content
    assert after.json()["title"] == "other" and after.json()["tags"] == ["b"]


async def test_what_is_gone_is_not_found_though_it_was_kept(api: AsyncClient) -> None:
    prompt = await make(api, "prompts")
    path = f"/api/prompts/name/{prompt['name']}"
    first = await kept(api, path)
    await api.post(f"/api/prompts/{prompt['id']}/archive")
    assert (await api.get(path, headers={"If-None-Match": first.headers["etag"]})).status_code == 404


async def test_an_item_that_archives_itself_is_not_found_by_its_name_then(
    api: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = await make(api, "prompts")
    late = datetime.now(UTC) + timedelta(days=1)
    await api.patch(f"/api/prompts/{prompt['id']}", json={"archived_at": late.isoformat()})
    path = f"/api/prompts/name/{prompt['name']}"
    await kept(api, path)
    monkeypatch.setattr(api.library.shelf, "_now", lambda: late + timedelta(seconds=1))  # type: ignore[attr-defined]
    assert (await api.get(path)).status_code == 404


async def test_failures_and_what_is_too_long_are_not_kept(
    api: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = f"/api/notes/{(await make(api, 'notes', content='x' * 10_000))['id']}"
    missing = "/api/notes/0190aaaa-0000-7000-8000-000000000000"
    await kept(api, f"{long}/metadata")
    monkeypatch.setattr(answers(api).kept, "_most", 16 * 10_000)
    for _ in range(3):
        assert (await api.get(long)).status_code == 200
        assert (await api.get(missing)).status_code == 404
        assert (await api.get(f"{long}?start_line=99")).status_code == 400
    assert not any(is_kept(api, path) for path in (long, missing, f"{long}?start_line=99"))
    assert is_kept(api, f"{long}/metadata")


async def test_all_answers_together_stay_within_their_bytes(
    api: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(api, "notes", content="text " * 1000)
    most = 200_000
    monkeypatch.setattr(answers(api).kept, "_most", most)
    await kept(api, "/api/notes/?limit=1")
    largest = number = 0  # on PostgreSQL, whatever other tests write empties it now and then
    async with asyncio.timeout(PATIENCE):
        while number < 400 or largest < most * 0.9:
            number += 1
            assert (await api.get(f"/api/notes/?limit=1&further={number}")).status_code == 200
            assert answers(api).kept.size <= most
            largest = max(largest, answers(api).kept.size)
    held = sum(len(one.body) for one, _ in answers(api).kept._values.values())
    assert held <= answers(api).kept.size


@pytest.mark.parametrize("length", [0, 300, 5_000])
def test_the_memory_that_answers_take_is_not_more_than_what_is_counted(length: int) -> None:
    async def way(*given: Any) -> Any: ...

    known = KeptAnswers(lambda: None, most=2**22)  # type: ignore[arg-type, return-value]
    known.kept.start("mark")
    tracemalloc.start()
    try:
        for number in range(400):
            scope = {"path": f"/api/notes/{number:036}", "query_string": b"limit=%d" % number}
            headers = {
                "cache-control": "private, no-cache",
                "vary": "Authorization",
                "etag": f'"{number:026}"',
            }
            response = Response(
                b"x" * length + b"%d" % number, headers=headers, media_type="application/json"
            )
            known.keep("mark", scope | {"path_params": {"id": f"{number:036}"}}, way, response)
            assert known.kept._values[known_key(scope)][0].short
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken <= known.kept.size <= 1.5 * taken


def known_key(scope: dict[str, Any]) -> tuple[str, bytes]:
    return scope["path"], scope["query_string"]


def test_every_read_is_kept_or_has_a_reason_not_to_be() -> None:
    found = [one for one in operations(["prompts", "notes"]) if one.method == "GET"]
    assert {one.name for one in found if not one.is_kept} == NOT_KEPT
    assert not any(one.is_kept for one in operations(["prompts", "notes"]) if one.method != "GET")


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[AsyncClient]:
    """A server with tokens, and a limit for reads."""
    async with serving(str(tmp_path / "library.db"), tmp_path, tokens=TOKENS, read_rate=200) as client:
        yield client


async def test_a_kept_answer_is_behind_the_entrance(guarded: AsyncClient) -> None:
    note = (await guarded.post("/api/notes/", json={"title": "a"}, headers=bearer(OWNER))).json()
    path = f"/api/notes/{note['id']}"
    await kept(guarded, path, headers=bearer(OWNER))
    refused = {
        401: [{}, bearer("nonsense"), {"Authorization": "Basic eA=="}],
        421: [bearer(OWNER) | {"Host": "evil.example"}],
        413: [bearer(OWNER) | {"Content-Length": str(5 * 2**20)}],
    }
    for status, headers in refused.items():
        for one in headers:
            answer = await guarded.get(path, headers=one)
            assert answer.status_code == status and note["title"] not in answer.json().get("title", "")
    assert is_kept(guarded, path)
    assert (await guarded.get(path, headers=bearer(READER))).status_code == 200


async def test_a_kept_answer_is_counted_and_refused_when_there_were_too_many(guarded: AsyncClient) -> None:
    path = "/api/notes/"
    await kept(guarded, path, headers=bearer(READER))
    left = [
        int((await guarded.get(path, headers=bearer(READER))).headers["x-ratelimit-remaining"])
        for _ in range(3)
    ]
    assert left == [left[0], left[0] - 1, left[0] - 2]
    for _ in range(left[2]):
        assert (await guarded.get(path, headers=bearer(READER))).status_code == 200
    late = await guarded.get(path, headers=bearer(READER))
    assert (late.status_code, late.json()["detail"]) == (429, "More than 200 reads per minute.")
    assert late.headers["x-ratelimit-remaining"] == "0" and "retry-after" in late.headers
    assert is_kept(guarded, path)


async def test_a_server_that_stops_refuses_a_kept_answer_too(guarded: AsyncClient) -> None:
    await kept(guarded, "/api/notes/", headers=bearer(OWNER))
    guarded.library.endpoint.stop.is_asked = True  # type: ignore[attr-defined]
    assert (await guarded.get("/api/notes/", headers=bearer(OWNER))).status_code == 503


@pytest.mark.parametrize("kind", KINDS)
async def test_a_revoked_token_opens_nothing_though_it_was_known(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    address = address_of(kind, request, tmp_path)
    async with serving(address, tmp_path, tokens=TOKENS) as guarded:
        await _revoked(guarded, address)


async def _revoked(guarded: AsyncClient, address: str) -> None:
    made = (await guarded.post("/api/tokens/", json={"name": "t"}, headers=bearer(OWNER))).json()
    own = bearer(made["token"])
    await kept(guarded, "/api/notes/", headers=own)
    keyring: Any = guarded.library.keyring  # type: ignore[attr-defined]
    async with asyncio.timeout(PATIENCE):
        while not keyring._known.size:
            assert (await guarded.get("/api/notes/", headers=own)).status_code == 200
    elsewhere = Keyring(keyring_beside(address))
    await elsewhere.remove(made["id"])  # as another process does
    await elsewhere.close()
    assert (await guarded.get("/api/notes/", headers=own)).status_code == 401


async def test_every_kept_answer_is_the_same_for_everybody(guarded: AsyncClient) -> None:
    made = []
    for number in range(2):
        body = {"title": f"note {number}", "content": "text", "tags": ["a"]}
        made.append((await guarded.post("/api/notes/", json=body, headers=bearer(OWNER))).json()["id"])
    prompt = {"name": "some-name", "content": "text"}
    named = (await guarded.post("/api/prompts/", json=prompt, headers=bearer(OWNER))).json()["id"]
    url = {"url": "https://example.com"}
    marked = (await guarded.post("/api/bookmarks/", json=url, headers=bearer(OWNER))).json()["id"]
    link = {"source_type": "note", "source_id": made[0], "target_type": "note", "target_id": made[1]}
    linked = await guarded.post("/api/relationships/", json=link, headers=bearer(OWNER))
    assert linked.status_code == 201, linked.text
    ids = {"prompts": named, "notes": made[0], "bookmarks": marked}
    for one in operations(["prompts", "notes"]):
        if not one.is_kept:
            continue
        id = next((ids[kind] for kind in ids if one.path.startswith(f"/api/{kind}/")), made[0])
        filled = {"id": id, "name": "some-name", "type": "note", "version": "1", "link": ".".join(made)}
        path = one.path.format(**filled) + ("?q=text" if one.path.endswith("/search") else "")
        seen = []
        for token in (OWNER, READER):
            answers(guarded).kept.start(None)  # each is made again
            found = await guarded.get(path, headers=bearer(token))
            assert found.status_code == 200, (path, found.text)
            seen.append(found.content)
        assert seen[0] == seen[1], path
