"""Personal tokens: who makes them, what they open, and how they end."""

from pathlib import Path
from typing import Any

from httpx2 import AsyncClient

from tests.unit.web.tokens import OTHER, OWNER, READER, bearer, personal


async def test_a_personal_token_opens_the_api_and_the_tools_and_makes_no_others(guarded: AsyncClient) -> None:
    made = await personal(guarded, name=" script ", scope="write", expires_in_days=30)
    assert made["token"].startswith("lac_") and made["token_prefix"] == made["token"][:12]
    assert made["name"] == "script"
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

    await _call_tool(guarded, own | accepts, "create_note", {"title": "By a tool"})
    newest = (await guarded.get("/api/history", headers=own)).json()["items"][0]
    assert (newest["source"], newest["auth_type"]) == ("mcp", "pat")
    assert newest["token_prefix"] == made["token_prefix"]

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
    strange = bearer(OTHER)
    assert (await guarded.get("/api/tokens/", headers=strange)).json()["tokens"] == []
    for ask in (
        guarded.patch(f"/api/tokens/{made['id']}", json={"name": "x"}, headers=strange),
        guarded.request("DELETE", f"/api/tokens/{made['id']}", headers=strange),
    ):
        assert (await ask).status_code == 404
    renamed = await guarded.patch(f"/api/tokens/{made['id']}", json={"name": "second"}, headers=own)
    assert renamed.json()["name"] == "second"
    assert (await guarded.request("DELETE", f"/api/tokens/{made['id']}", headers=own)).status_code == 204
    assert (await guarded.get("/api/notes/", headers=bearer(made["token"]))).status_code == 401
    assert (await guarded.request("DELETE", f"/api/tokens/{made['id']}", headers=own)).status_code == 404


# What is wrong with a new token, and the field that is told.
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name"),
    ({"name": "  "}, "name"),
    ({"name": "x" * 101}, "name"),
    ({"name": None}, "name"),
    ({"name": "x", "expires_in_days": 0}, "expires_in_days"),
    ({"name": "x", "expires_in_days": 366}, "expires_in_days"),
    ({"name": "x", "scope": "all"}, "scope"),
]


async def test_a_token_has_a_name_that_is_not_blank_and_lasts_a_year_at_most(guarded: AsyncClient) -> None:
    own, made = bearer(OWNER), await personal(guarded, name=f"  {'x' * 100}  ", expires_in_days=365)
    assert made["name"] == "x" * 100
    for sent, field in WRONG:
        refused = await guarded.post("/api/tokens/", json=sent, headers=own)
        assert (refused.status_code, refused.json()["error"]["field"]) == (422, field)
    for name in ("", "  ", "x" * 101):
        refused = await guarded.patch(f"/api/tokens/{made['id']}", json={"name": name}, headers=own)
        assert (refused.status_code, refused.json()["error"]["field"]) == (422, "name")


async def test_a_token_is_kept_nowhere(guarded: AsyncClient, folder: Path) -> None:
    made = await personal(guarded)
    assert _files_with(folder, made["token_prefix"])
    assert _files_with(folder, made["token"]) == []


def _files_with(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


async def _call_tool(
    client: AsyncClient, headers: dict[str, str], name: str, arguments: dict[str, str]
) -> None:
    who = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who}
    greeted = await client.post("/mcp", json=greeting, headers=headers)
    headers = headers | {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
    await client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    call = {"name": name, "arguments": arguments}
    answer = await client.post(
        "/mcp", json={"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}, headers=headers
    )
    assert answer.status_code == 200, answer.text
