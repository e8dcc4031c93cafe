"""The entrance: what every route checks before it does anything, enumerated from the application."""

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient
from starlette.routing import Mount

from laconic.kit import Tokens
from laconic.stores.keyring.keyring import Keyring, keyring_beside
from tests.unit.web.conftest import ORIGIN, serving

OWNER, READER = "the-token-of-the-owner", "the-token-of-a-reader"
OPEN = {"/health", "/ready"}
SAFE = {"GET", "HEAD", "OPTIONS"}
ID = "0190aaaa-0000-7000-8000-000000000000"
FILLED = {"id": ID, "name": "some-name", "tag": "some-tag", "type": "note", "version": "1"}
FILLED["link"] = f"{ID}.{ID}"
FOREIGN = [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the library and everything else is."""
    return tmp_path_factory.mktemp("guarded")


@pytest.fixture(scope="module")
async def guarded(folder: Path) -> AsyncIterator[AsyncClient]:
    """A server with tokens."""
    tokens = Tokens(f"{ORIGIN}/mcp", {"owner": OWNER, "reader": READER}, read_only=["reader"])
    async with serving(str(folder / "library.db"), folder / "home", tokens=tokens) as client:
        yield client


def every_route(client: AsyncClient) -> Iterator[tuple[str, str]]:
    """Every method of every address beside /mcp, as the application has them."""
    (mount,) = [route for route in client.app.routes if isinstance(route, Mount)]  # type: ignore[attr-defined]
    for route in mount.routes:
        for method in sorted(route.methods):  # type: ignore[attr-defined]
            yield method, route.path  # type: ignore[attr-defined]


def filled(path: str) -> str:
    return path.format(**FILLED)


async def personal(client: AsyncClient, **given: Any) -> dict[str, Any]:
    made = await client.post("/api/tokens/", json={"name": "t", **given}, headers=bearer(OWNER))
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


async def test_there_are_routes_to_check(guarded: AsyncClient) -> None:
    found = list(every_route(guarded))
    assert len(found) > 80
    assert ("PATCH", "/api/prompts/name/{name}/str-replace") in found


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
                said = refused.json() if method != "HEAD" else {"detail": "A token is needed."}
                assert said["detail"] == "A token is needed."


async def test_every_route_that_writes_refuses_a_token_that_may_only_read(guarded: AsyncClient) -> None:
    own = await personal(guarded, scope="read")
    for method, path in every_route(guarded):
        if method in SAFE:
            continue
        for token in (READER, own["token"]):
            answer = await guarded.request(method, filled(path), headers=bearer(token), json={})
            assert (answer.status_code, path) == (403, path)


async def test_every_route_refuses_another_site_another_host_and_forms(guarded: AsyncClient) -> None:
    own = bearer(OWNER)
    for method, path in every_route(guarded):
        address = filled(path)
        host = await guarded.request(method, address, headers=own | {"Host": "evil.example"})
        assert (host.status_code, path) == (421, path)
        if method in SAFE:
            continue
        for foreign in FOREIGN:
            answer = await guarded.request(method, address, headers=own | foreign, json={})
            assert (answer.status_code, path) == (403, path)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = await guarded.request(method, address, headers=form, content=b"a=b")
        assert (answer.status_code, path) == (403, path)


async def test_every_answer_has_the_headers_that_protect_a_page(guarded: AsyncClient) -> None:
    for method, path in every_route(guarded):
        for headers in ({}, bearer(OWNER), {"Host": "evil.example"}):
            if path == "/live" and headers == bearer(OWNER):
                continue  # it never ends
            answer = await guarded.request(method, filled(path), headers=headers)
            assert answer.headers["x-frame-options"] == "DENY"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_long_request_is_refused_before_it_is_read(guarded: AsyncClient) -> None:
    headers = bearer(OWNER) | {"Content-Type": "application/json"}
    long = await guarded.post("/api/notes/", headers=headers, content=b"x" * (4 * 2**20 + 1))
    assert (long.status_code, long.json()["error_code"]) == (413, "FILE_TOO_LARGE")


async def test_a_personal_token_opens_the_api_and_the_tools_and_makes_no_others(guarded: AsyncClient) -> None:
    made = await personal(guarded, name=" script ", scope="write", expires_in_days=30)
    assert made["token"].startswith("lac_") and made["token_prefix"] == made["token"][:12]
    own = bearer(made["token"])
    note = await guarded.post("/api/notes/", json={"title": "By a script"}, headers=own)
    assert note.status_code == 201
    entry = (await guarded.get(f"/api/notes/{note.json()['id']}/history", headers=own)).json()["items"][0]
    assert (entry["auth_type"], entry["token_prefix"]) == ("pat", made["token_prefix"])
    assert entry["author"] == "personal|token|owner"

    tools = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepts = {"Accept": "application/json, text/event-stream"}
    assert (await guarded.post("/mcp", json=tools, headers=own | accepts)).status_code != 401
    assert (await guarded.post("/mcp", json=tools, headers=accepts)).status_code == 401

    for ask in (
        guarded.post("/api/tokens/", json={"name": "more"}, headers=own),
        guarded.patch(f"/api/tokens/{made['id']}", json={"name": "x"}, headers=own),
        guarded.request("DELETE", f"/api/tokens/{made['id']}", headers=own),
        guarded.get("/api/tokens/", headers=own),
        guarded.get("/api/bookmarks/fetch-metadata?url=https://example.com", headers=own),
    ):
        assert (await ask).status_code == 403


async def test_tokens_are_listed_renamed_and_revoked_by_who_made_them(guarded: AsyncClient) -> None:
    made = await personal(guarded, name="first")
    own = bearer(OWNER)
    await guarded.get("/api/notes/", headers=bearer(made["token"]))
    listed = (await guarded.get("/api/tokens/", headers=own)).json()["tokens"]
    found = next(one for one in listed if one["id"] == made["id"])
    assert "token" not in found and found["last_used_at"] is not None
    assert listed == sorted(listed, key=lambda one: one["created_at"], reverse=True)
    others = (await guarded.get("/api/tokens/", headers=bearer(READER))).json()["tokens"]
    assert others == []
    renamed = await guarded.patch(f"/api/tokens/{made['id']}", json={"name": "second"}, headers=own)
    assert renamed.json()["name"] == "second"
    assert (await guarded.request("DELETE", f"/api/tokens/{made['id']}", headers=own)).status_code == 204
    assert (await guarded.get("/api/notes/", headers=bearer(made["token"]))).status_code == 401
    assert (await guarded.request("DELETE", f"/api/tokens/{made['id']}", headers=own)).status_code == 404
    for wrong in ({"name": ""}, {"name": "x" * 101}, {"expires_in_days": 366}, {"scope": "all"}):
        assert (
            await guarded.post("/api/tokens/", json={"name": "x"} | wrong, headers=own)
        ).status_code == 422


async def test_a_token_is_kept_nowhere(guarded: AsyncClient, folder: Path) -> None:
    made = await personal(guarded)
    assert _files_with(folder, made["token_prefix"])
    assert _files_with(folder, made["token"]) == []


def _files_with(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]
