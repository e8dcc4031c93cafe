"""The address of the tools beside the API: the same answers to strangers, and the same headers."""

import time
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient, Response

from laconic.stores.keyring.keyring import Keyring, keyring_beside
from tests.unit.web.tokens import OWNER, READER, bearer, personal

ABOUT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
}
SENT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28"}


def asking(method: str, **params: Any) -> dict[str, Any]:
    """What is sent with a request of the modern revision."""
    name = {"Mcp-Name": params["name"]} if "name" in params else {}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": ABOUT}}
    return {"json": body, "headers": {**SENT, "Mcp-Method": method, **name}}


def is_protected(answer: Response) -> bool:
    """True if an answer has the headers that protect a page."""
    frames = "frame-ancestors 'none'" in answer.headers.get("content-security-policy", "")
    return frames and (answer.headers["x-frame-options"], answer.headers["x-content-type-options"]) == (
        "DENY",
        "nosniff",
    )


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_the_address_of_the_tools_refuses_strangers(
    guarded: AsyncClient, folder: Path, method: str
) -> None:
    ended, gone = await personal(guarded), await personal(guarded)
    await guarded.request("DELETE", f"/api/tokens/{gone['id']}", headers=bearer(OWNER))
    keyring = Keyring(keyring_beside(str(folder / "library.db")))
    await keyring._run(lambda tokens: tokens.update().values(expires_at=time.time() - 1))
    await keyring.close()
    asked, own = asking("tools/list"), bearer(OWNER)
    for headers, status in (
        ({}, 401),
        ({"Authorization": "Basic eA=="}, 401),
        *((bearer(token), 401) for token in ("nonsense", ended["token"], gone["token"])),
        (own | {"Host": "evil.example"}, 421),
        (own | {"Origin": "https://evil.example"}, 403),
        (own | {"Origin": "null"}, 403),
    ):
        sent = asked if method == "POST" else {"headers": SENT}
        answer = await guarded.request(method, "/mcp", **{**sent, "headers": sent["headers"] | headers})
        assert (headers, answer.status_code) == (headers, status)
        assert is_protected(answer)


async def test_a_form_cannot_call_a_tool(guarded: AsyncClient) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    refused = await guarded.post("/mcp", headers=bearer(OWNER) | form, content=b"a=b")
    assert (refused.status_code, is_protected(refused)) == (400, True)


async def test_a_token_that_may_only_read_calls_only_tools_that_read(guarded: AsyncClient) -> None:
    own = await personal(guarded)
    for token in (READER, own["token"]):
        found = []
        for name, arguments in (("search_items", {}), ("create_note", {"title": "x"})):
            asked = asking("tools/call", name=name, arguments=arguments)
            answer = await guarded.post("/mcp", **{**asked, "headers": asked["headers"] | bearer(token)})
            assert (answer.status_code, is_protected(answer)) == (200, True)
            found.append(bool(answer.json()["result"].get("isError")))
        assert found == [False, True]


async def test_what_tells_about_tokens_is_for_all_and_cannot_be_framed(guarded: AsyncClient) -> None:
    told = await guarded.get("/.well-known/oauth-protected-resource/mcp", headers={"Host": "proxy.example"})
    assert (told.status_code, is_protected(told)) == (200, True)


@pytest.mark.parametrize("value", [None, True, ["v"], {"a": "v"}], ids=str)
async def test_a_value_for_a_prompt_that_cannot_be_a_text_is_an_invalid_parameter(
    guarded: AsyncClient, value: Any
) -> None:
    made = {"name": "greeting", "content": "{{ x }}"}
    await guarded.post("/api/prompts/", json=made, headers=bearer(OWNER))
    answers = []
    for given in (value, "v"):
        asked = asking("prompts/get", name="greeting", arguments={"x": given})
        answer = await guarded.post("/mcp", **{**asked, "headers": asked["headers"] | bearer(OWNER)})
        answers.append(answer.json())
    refused, filled = answers
    assert refused["error"]["code"] == -32602
    assert filled["result"]["messages"][0]["content"]["text"] == "v"
