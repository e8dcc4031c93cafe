"""The entrance: what every route checks before it does anything, enumerated from the application."""

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient
from starlette.routing import Mount

from laconic.stores.keyring.keyring import Keyring, keyring_beside
from laconic.web.app import door
from tests.unit.web.conftest import serving
from tests.unit.web.tokens import OWNER, READER, bearer, personal

OPEN = {"/health", "/ready"}
SAFE = {"GET", "HEAD", "OPTIONS"}
READING = {"/api/prompts/check", "/api/prompts/render"}  # with POST, which changes nothing
READING |= {"/api/prompts/{id}/render", "/api/prompts/name/{name}/render"}
ID = "0190aaaa-0000-7000-8000-000000000000"
FILLED = {"id": ID, "name": "some-name", "tag": "some-tag", "type": "note", "version": "1"}
FILLED["link"] = f"{ID}.{ID}"
SDK = {"/mcp", "/.well-known/oauth-protected-resource/mcp"}
WRONG = "The token is not valid: it is unknown, has expired or was revoked."
FOREIGN = [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]


@pytest.fixture(scope="module")
async def open_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncClient]:
    """A server without tokens, for the user of this machine."""
    folder = tmp_path_factory.mktemp("open")
    async with serving(str(folder / "library.db"), folder / "home") as client:
        yield client


def every_route(client: AsyncClient) -> Iterator[tuple[str, str]]:
    """Every method of every address beside /mcp, as the application has them."""
    own, (mount,) = _parts(client)
    assert {route.path for route in own} <= SDK  # all others are behind the same door
    for route in mount.routes:
        methods: set[str] = route.methods  # type: ignore[attr-defined]
        for method in sorted(methods | ({"HEAD"} if "GET" in methods else set())):
            yield method, route.path  # type: ignore[attr-defined]


def _parts(client: AsyncClient) -> tuple[list[Any], list[Mount]]:
    """What the SDK answers, and what is mounted beside it."""
    routes: list[Any] = client.app.routes  # type: ignore[attr-defined]
    mounts = [route for route in routes if isinstance(route, Mount)]
    return [route for route in routes if route not in mounts], mounts


def filled(path: str) -> str:
    return path.format(**FILLED)


async def test_there_are_routes_to_check(guarded: AsyncClient) -> None:
    found = list(every_route(guarded))
    assert len(found) > 80
    some = {"/", "/live", "/health", "/ready", "/api/openapi.json", "/api/prompts/name/{name}/str-replace"}
    assert some <= {path for _, path in found}


async def test_every_route_refuses_who_has_no_valid_token(guarded: AsyncClient, folder: Path) -> None:
    keyring = Keyring(keyring_beside(str(folder / "library.db")))
    ended, gone = await personal(guarded, scope="write", expires_in_days=1), await personal(guarded)
    await guarded.request("DELETE", f"/api/tokens/{gone['id']}", headers=bearer(OWNER))
    await keyring._run(lambda tokens: tokens.update().values(expires_at=time.time() - 1))
    await keyring.close()
    tokens = [bearer(one) for one in ("nonsense", ended["token"], gone["token"])]
    for method, path in every_route(guarded):
        if path not in OPEN:
            for one in ({}, {"Authorization": "Basic eA=="}, *tokens):
                refused = await guarded.request(method, filled(path), headers=one)
                assert (refused.status_code, path) == (401, path)
                assert refused.headers["www-authenticate"].startswith("Bearer ")
                assert refused.headers["www-authenticate"].count("invalid_token") == (one in tokens)
                said = WRONG if one in tokens else "A token is needed."
                assert method == "HEAD" or refused.json()["detail"] == said


async def test_every_route_that_writes_refuses_a_token_that_may_only_read(guarded: AsyncClient) -> None:
    own = await personal(guarded, scope="read")
    for method, path in every_route(guarded):
        if method in SAFE or path in READING:
            continue
        for token in (READER, own["token"]):
            answer = await guarded.request(method, filled(path), headers=bearer(token), json={})
            assert (answer.status_code, path) == (403, path)


async def test_every_route_of_a_server_that_is_read_only_changes_nothing(tmp_path: Path) -> None:
    async with serving(str(tmp_path / "library.db"), tmp_path / "home", read_only=True) as client:
        writes = [(method, path) for method, path in every_route(client) if method not in SAFE]
        assert len(writes) > 30
        for method, path in writes:
            answer = await client.request(method, filled(path), json={})
            if path in READING:
                assert (path, answer.status_code != 403) == (path, True)
            else:
                assert (path, answer.status_code) == (path, 403)
                assert answer.json()["detail"].startswith("This server is read-only")


async def test_a_token_that_may_only_read_renders_and_checks_templates(guarded: AsyncClient) -> None:
    prompt = {"name": "greet", "content": "Hi {{ you }}.", "arguments": [{"name": "you"}]}
    made = await guarded.post("/api/prompts/", json=prompt, headers=bearer(OWNER))
    values = {"arguments": {"you": "Ann"}}
    bodies: dict[str, dict[str, Any]] = dict.fromkeys(READING, values)
    bodies["/api/prompts/render"] = values | {"content": "Hi {{ you }}."}
    bodies["/api/prompts/check"] = {"content": "Hi {{ you }}."}
    posts = {path for method, path in every_route(guarded) if method == "POST"}
    assert posts >= READING
    for path in READING:
        address = path.replace("{name}", "greet").replace("{id}", made.json()["id"])
        answer = await guarded.post(address, json=bodies[path], headers=bearer(READER))
        assert answer.status_code == 200, answer.text
    for method in ("PATCH", "DELETE", "PUT"):
        answer = await guarded.request(method, "/api/prompts/render", headers=bearer(READER), json={})
        assert answer.status_code in (403, 405, 422), answer.text


async def test_every_route_refuses_another_site_another_host_and_forms(guarded: AsyncClient) -> None:
    own = bearer(OWNER)
    for method, path in every_route(guarded):
        address = filled(path)
        host = await guarded.request(method, address, headers=own | {"Host": "evil.example"})
        assert (host.status_code, path) == (200 if path in OPEN else 421, path)
        if method in SAFE:
            continue
        for foreign in FOREIGN:
            answer = await guarded.request(method, address, headers=own | foreign, json={})
            assert (answer.status_code, path) == (403, path)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = await guarded.request(method, address, headers=form, content=b"a=b")
        assert (answer.status_code, path) == (403, path)


async def test_every_route_that_reads_takes_a_token_that_may_only_read(guarded: AsyncClient) -> None:
    for method, path in every_route(guarded):
        if method == "HEAD":  # as GET, and a stream does not begin
            answer = await guarded.request(method, filled(path), headers=bearer(READER))
            assert answer.status_code in (200, 404, 422), path


async def test_every_get_has_a_head_with_the_same_headers_and_no_body(guarded: AsyncClient) -> None:
    note = (await guarded.post("/api/notes/", json={"title": "x"}, headers=bearer(OWNER))).json()
    for method, path in every_route(guarded):
        if method != "HEAD":
            continue
        address = filled(path).replace(ID, note["id"])
        head = await guarded.head(address, headers=bearer(OWNER))
        assert (path, head.content) == (path, b"")
        if path == "/live":
            assert head.headers["content-type"].startswith("text/event-stream")
            continue
        got = await guarded.get(address, headers=bearer(OWNER))
        assert (path, head.status_code) == (path, got.status_code)
        same = [name for name in got.headers if name != "date"]
        assert [head.headers.get(name) for name in same] == [got.headers[name] for name in same]
    refused = await guarded.head("/api/tags/a", headers=bearer(OWNER))
    assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, PATCH")


async def test_every_answer_to_a_get_is_private_and_need_not_be_sent_again(guarded: AsyncClient) -> None:
    own = bearer(OWNER)
    note = (await guarded.post("/api/notes/", json={"title": "x", "content": "x"}, headers=own)).json()
    other = (await guarded.post("/api/notes/", json={"title": "y"}, headers=own)).json()
    ends = {"source_id": note["id"], "target_id": other["id"]}
    link = (await guarded.post("/api/relationships/", json=ends, headers=own)).json()["id"]
    prompt = {"name": FILLED["name"], "content": "x"}
    named = await guarded.post("/api/prompts/", json=prompt, headers=own)
    page = await guarded.post("/api/bookmarks/", json={"url": "https://example.com/own"}, headers=own)
    ids = {"prompts": named.json()["id"], "bookmarks": page.json()["id"]}
    known = FILLED | {"link": link}
    for method, path in every_route(guarded):
        if method != "GET" or path == "/live":
            continue
        id = next((ids[kind] for kind in ids if path.startswith(f"/api/{kind}/")), note["id"])
        query = {"q": "x"} if path.endswith("/search") else {"url": "http://127.0.0.1:1/"}
        first = await guarded.get(path.format(**known | {"id": id}), params=query, headers=own)
        assert (path, first.status_code) == (path, 200), first.text
        etag = first.headers["etag"]
        assert etag.startswith('"') and first.headers["vary"] == "Authorization", path
        cached = "no-store" if path in OPEN else "private, no-cache"
        assert (path, first.headers["cache-control"]) == (path, cached)
        asked = own | {"If-None-Match": etag}
        again = await guarded.get(path.format(**known | {"id": id}), params=query, headers=asked)
        assert (path, again.status_code, again.content) == (path, 304, b"")


async def test_every_route_of_a_server_without_tokens_refuses_other_sites_too(
    open_server: AsyncClient,
) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    plain = {"Content-Type": "text/plain"}
    for method, path in every_route(open_server):
        address = filled(path)
        host = await open_server.request(method, address, headers={"Host": "evil.example"})
        assert (host.status_code, path) == (200 if path in OPEN else 421, path)
        for refused in () if method in SAFE else (*FOREIGN, form, plain):
            answer = await open_server.request(method, address, headers=refused, content=b"a=b")
            assert (answer.status_code, path) == (403, path)


async def test_every_answer_has_the_headers_that_protect_a_page(guarded: AsyncClient) -> None:
    for method, path in every_route(guarded):
        for headers in ({}, bearer(OWNER), {"Host": "evil.example"}):
            if (method, path) == ("GET", "/live") and headers == bearer(OWNER):
                continue  # it never ends
            answer = await guarded.request(method, filled(path), headers=headers)
            assert answer.headers["x-frame-options"] == "DENY"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("address", "told"),
    [("https://notes.example", "max-age=31536000"), ("http://127.0.0.1:8321", None), (None, None)],
)
def test_browsers_are_told_to_stay_with_https_where_that_is_served(
    address: str | None, told: str | None
) -> None:
    assert door(address).headers.get("strict-transport-security") == told


async def test_a_long_request_is_refused_before_it_is_read(guarded: AsyncClient) -> None:
    headers = bearer(OWNER) | {"Content-Type": "application/json"}
    long = await guarded.post("/api/notes/", headers=headers, content=b"x" * (4 * 2**20 + 1))
    assert (long.status_code, long.json()["error_code"]) == (413, "FILE_TOO_LARGE")


async def test_an_address_with_a_line_break_is_no_address(guarded: AsyncClient) -> None:
    for path in ("/health%0A", "/%0A", "/mcp%0A", "/api/tags/a%0Ab", "/api/prompts/name/a%0Ab", "/a%0Ab"):
        for method in ("GET", "POST", "DELETE"):
            lost = await guarded.request(method, path, headers=bearer(OWNER))
            assert (path, lost.status_code) == (path, 404)
            assert lost.json()["detail"] == "There is nothing at this address."
