"""`laconic serve --http`: both eras, access, and several workers."""

import json
import re
import signal
import socket
import time
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest

from tests.process.speaking import (
    CLIENT,
    ERAS,
    LEGACY,
    MODERN,
    PATIENCE,
    Web,
    listening,
    own_file,
    result_of,
    run,
    text_of,
)

TOKEN = "a-token-for-the-tests"
KEY = "a shared key that is long enough to sign"
JWT = f"""
[http.jwt]
issuer = "https://issuer.example"
key = "{KEY}"

[http.tokens]
ci = "token-of-ci-which-reads"

[http]
readers = ["ci"]
"""


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def signed(audience: str, **claims: object) -> str:
    usual = {"iss": "https://issuer.example", "sub": "ada", "scope": "read write", "exp": time.time() + 60}
    return jwt.encode(usual | {"aud": audience} | claims, KEY, "HS256")


def test_a_modern_client_calls_without_a_session(workspace: Path) -> None:
    with listening(folder=workspace) as server:
        names = [tool["name"] for tool in result_of(server.post("tools/list"))["tools"]]

        assert "memo_list" in names
        assert server.call("memo_list") == "There are no memos."
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert server.process.stdout is not None and server.process.stdout.read() == b""
        assert "Traceback" not in server.stderr


def test_a_legacy_client_calls_within_its_session(workspace: Path) -> None:
    with listening(folder=workspace) as server:
        hello: dict[str, Any] = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": CLIENT}
        greeted = server.post("initialize", LEGACY, **hello)
        session = {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
        called = server.post("tools/call", LEGACY, session, name="memo_list", arguments={})

        assert result_of(greeted)["protocolVersion"] == LEGACY
        assert text_of(result_of(called)) == "There are no memos."


def test_it_does_not_listen_to_the_network_without_a_token(workspace: Path) -> None:
    done = run("serve", "--http", "0.0.0.0:0", "--public-url", "https://mcp.example.org", folder=workspace)

    assert (done.returncode, done.stdout) == (2, "")
    assert "without tokens would let anyone on the network in. Set LACONIC_TOKEN" in done.stderr


def test_a_port_that_is_taken_is_reported(workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--http", f"127.0.0.1:{taken.getsockname()[1]}", folder=workspace)

    assert done.returncode == 2
    assert re.match(r"laconic: Cannot listen on 127.0.0.1:\d+: Address already in use\. Choose", done.stderr)


@pytest.mark.parametrize("headers", [{}, bearer("another-token")], ids=["missing", "wrong"])
def test_without_the_token_a_client_is_told_where_to_get_one(
    workspace: Path, headers: dict[str, str]
) -> None:
    with listening(folder=workspace, LACONIC_TOKEN=TOKEN) as server:
        refused = server.post("tools/list", headers=headers)
        said = re.search(r'resource_metadata="([^"]+)"', refused.headers["www-authenticate"])
        assert said is not None
        metadata = httpx2.get(said[1]).json()

        assert (refused.status_code, metadata["resource"]) == (401, server.url)
        assert metadata["scopes_supported"] == ["read", "write"]
        assert server.call("memo_list", headers=bearer(TOKEN)) == "There are no memos."
        assert TOKEN not in server.stderr


def test_a_signed_token_is_good_for_this_server_only(workspace: Path) -> None:
    own_file(workspace, JWT)
    with listening(folder=workspace) as server:

        def status(token: str) -> int:
            return server.post("tools/list", headers=bearer(token)).status_code

        assert status(signed(server.url)) == 200
        assert status(signed("https://another.example/mcp")) == 401
        assert status(signed(server.url, iss="https://another.example")) == 401
        assert status(signed(server.url, exp=time.time() - 3600)) == 401


def test_a_reader_s_token_does_not_write(workspace: Path) -> None:
    own_file(workspace, JWT)
    with listening(folder=workspace) as server:
        ci, ada = bearer("token-of-ci-which-reads"), bearer(signed(server.url))

        assert "may only read" in server.call("memo_create", headers=ci, name="x", title="x", body="x")
        assert "x" in server.call("memo_create", headers=ada, name="x", title="x", body="x")
        assert "x" in server.call("memo_list", headers=ci)


def test_keys_belong_to_the_issuer_and_subject_of_a_token(workspace: Path) -> None:
    own_file(workspace, JWT)
    with listening(folder=workspace) as server:

        def make(name: str, **claims: object) -> str:
            words = {"name": name, "title": "x", "body": "x", "idempotency_key": "k"}
            return server.call("memo_create", headers=bearer(signed(server.url, **claims)), **words)

        assert "first answer again" not in make("x")
        assert "first answer again" in make("x", jti="another token of the same person")
        assert "first answer again" not in make("y", sub="bob")


@pytest.mark.parametrize("era", ERAS)
def test_a_reader_is_not_listed_what_it_may_not_call(workspace: Path, era: str) -> None:
    own_file(workspace, JWT)
    with listening(folder=workspace) as server:

        def listed(token: str) -> tuple[set[str], object]:
            session = {}
            if era == LEGACY:
                hello: dict[str, Any] = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": CLIENT}
                greeted = server.post("initialize", LEGACY, bearer(token), **hello)
                session = {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
            result = result_of(server.post("tools/list", era, session | bearer(token)))
            return {tool["name"] for tool in result["tools"]}, result.get("cacheScope")

        reads, writes = {"memo_list", "memo_get", "read_on"}, {"memo_create", "memo_update", "memo_delete"}
        scope = "private" if era == MODERN else None  # no cache may give one caller's list to another
        assert listed("token-of-ci-which-reads") == (reads, scope)
        assert listed(signed(server.url)) == (reads | writes, scope)
        assert listed(signed(server.url, scope="read")) == (reads, scope)


def test_a_reader_finds_only_what_it_may_call(workspace: Path) -> None:
    own_file(workspace, JWT)
    with listening("--long-list", folder=workspace) as server:
        ci, ada = bearer("token-of-ci-which-reads"), bearer(signed(server.url))
        names = {tool["name"] for tool in result_of(server.post("tools/list", headers=ci))["tools"]}
        described = server.call("tools_describe", headers=ci, names=["memo_create", "memo_get"])
        refused = server.call("tools_describe", headers=ci, names=["memo_create"])

        assert names == {"tools_find", "tools_describe", "tools_read", "read_on"}
        assert "memo_create" in server.call("tools_find", headers=ada, query="create a memo", limit=50)
        found = server.call("tools_find", headers=ci, query="create a memo", limit=50)
        assert "memo_list (read)" in found
        assert not any(f"({effect})" in found for effect in ("create", "update", "delete"))
        assert "memo_create needs the scope 'write'." in described and "memo_get(" in described
        assert refused.startswith("Error [ACCESS_DENIED]: Your token may only read: memo_create needs")


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}], ids=["host", "origin"]
)
def test_a_page_of_another_site_is_refused(workspace: Path, headers: dict[str, str]) -> None:
    with listening(folder=workspace) as server:
        assert server.post("tools/list", headers=headers).status_code in (403, 421)


def workers_heard(server: Web) -> set[int]:
    lines = [json.loads(line) for line in server.stderr.splitlines()]
    return {line["pid"] for line in lines if line.get("tool") == "memo_list"}


def test_any_worker_accepts_the_cursor_of_another(workspace: Path) -> None:
    with listening("--workers", "2", folder=workspace) as server:
        for number in range(3):
            server.call("memo_create", name=f"memo-{number}", title="One", body="x")
        page = server.call("memo_list", limit=2)
        cursor = page.split("cursor '")[1].split("'")[0]
        answers, until = set(), time.monotonic() + PATIENCE
        while len(workers_heard(server)) < 2 and time.monotonic() < until:
            answers.add(server.call("memo_list", cursor=cursor))  # any free worker takes it

        assert len(workers_heard(server)) == 2
        assert len(answers) == 1 and "memo-0" in answers.pop()
        server.signal(signal.SIGTERM)
        assert server.wait() == 0


def test_a_legacy_client_calls_any_of_several_workers(workspace: Path) -> None:
    with listening("--workers", "2", folder=workspace) as server:
        answers = {
            text_of(result_of(server.post("tools/call", LEGACY, name="memo_list", arguments={})))
            for _ in range(12)
        }

        assert answers == {"There are no memos."}


def test_workers_cannot_share_a_memory(workspace: Path) -> None:
    done = run("serve", "--http", "127.0.0.1:0", "--workers", "2", "--state", "memory:", folder=workspace)

    assert done.returncode == 2
    assert "2 workers cannot share memory: as their state" in done.stderr


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_workers_end_with_a_server_that_was_killed(workspace: Path) -> None:
    with listening("--workers", "2", folder=workspace) as server:
        children = _children(server.process.pid)
        server.signal(signal.SIGKILL)
        server.wait()
        until = time.monotonic() + 20
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < until, "a worker outlived its server"
            time.sleep(0.1)
    assert len(children) >= 2


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
