"""Web routes beside /mcp, over real sockets: what each kind of bad request is answered with."""

import asyncio
import hashlib
import json
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import jwt
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route

from laconic.kit import (
    BadConfiguration,
    Caller,
    Door,
    Endpoint,
    Holder,
    NotFound,
    RateLimited,
    Tokens,
    Toolset,
    caller_of,
    http_app,
)
from laconic.kit.peer import COUNTED_AS
from laconic.kit.wire import connections
from laconic.kit.wire.peer import caller_from
from laconic.stores import StoreDown
from tests.wire import posting

MOST = 1000
tools = Toolset("tools")


@tools.read
async def whoami(caller: Caller) -> dict[str, Any]:
    """Say who calls."""
    return {"name": caller.name, "claims": dict(caller.claims), "headers": dict(caller.headers)}


class Guest(uvicorn.Server):
    """Leaves the signals of the process alone."""

    capture_signals = nullcontext  # type: ignore[assignment]  # a method of no arguments there


class Kept:
    """Tokens that people made."""

    name = "people"

    def __init__(self) -> None:
        self.holders = {"a-token": Holder("ann", ["read", "write"]), "old": Holder("bob", ["read"], 5.0)}
        self.uses: list[float] = []

    async def verify(self, token: str) -> Holder | None:
        return self.holders.get(token)

    async def used(self, token: str, at: float) -> None:
        self.uses.append(at)
        raise StoreDown("The notes cannot be written.")


class Web:
    """A server on a real port, and what its routes were asked."""

    def __init__(self, port: int, asked: list[str]) -> None:
        self.port = port
        self.asked = asked

    async def send(self, raw: bytes, *, then: bytes = b"", wait: float = 0.0) -> "Answer":
        """Send bytes, perhaps more bytes later, and read until the server closes or the answer is whole."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(raw)
            if then:
                await asyncio.sleep(wait)
                writer.write(then)
            async with asyncio.timeout(20):
                head = await reader.readuntil(b"\r\n\r\n")
                answer = Answer(head)
                answer.body = await reader.readexactly(int(answer.headers.get("content-length", "0")))
                return answer
        finally:
            writer.close()

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> "Answer":
        """Send one request, with the Host of this server unless another is given."""
        given = {"host": f"127.0.0.1:{self.port}", "content-length": str(len(body)), **(headers or {})}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items() if value)]
        return await self.send("\r\n".join([*lines, "", ""]).encode() + body)


class Answer(posting.Answer):
    """An answer over HTTP that may be a failure."""

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)["error"]
        return found


@asynccontextmanager
async def web(
    *,
    tokens: Tokens | None = None,
    door: Door | None = None,
    public_url: str | None = None,
    sites: Sequence[str] = (),
    rest: str | None = None,
) -> AsyncIterator[Web]:
    """Serve the routes; those below `rest`, if it is given, are all answered by one application."""
    asked: list[str] = []

    async def note(request: Request) -> JSONResponse:
        body = await request.body()
        asked.append(f"{request.method} {len(body)}")
        caller = caller_of(request.scope)
        return JSONResponse(
            {"caller": caller.name, "may_write": caller.may_write, "headers": dict(caller.headers)}
        )

    async def broken(request: Request) -> PlainTextResponse:
        raise {
            "lost": NotFound("Note", "x"),
            "busy": RateLimited("Too many.", retry_after=6.2),
            "down": StoreDown("The notes are gone."),
        }.get(request.path_params["how"], ZeroDivisionError("a secret place"))

    @asynccontextmanager
    async def opened(app: Starlette) -> AsyncIterator[dict[str, str]]:
        asked.append("opened")
        yield {"word": "kept in the state"}
        asked.append("closed")

    async def state(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.word)

    inner = Starlette(routes=[Route("/state", state)], lifespan=opened)
    beside: list[BaseRoute] = [
        Route("/notes", note, methods=["GET", "POST", "DELETE"]),
        Route("/broken/{how}", broken),
        Mount("/inner", inner),
    ]
    if rest is not None:
        everything = Route("/{path:path}", note, methods=["GET", "POST", "DELETE"])
        beside.append(Mount(rest, Starlette(routes=[everything])))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        app = http_app(
            Endpoint([tools]),
            port=port,
            beside=beside,
            tokens=tokens,
            public_url=public_url,
            sites=sites,
            door=door or Door(most_body=MOST),
        )
        config = uvicorn.Config(
            app, http=connections.Connection, log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        server = Guest(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110  # it has no event for this
            await asyncio.sleep(0.001)
        try:
            yield Web(port, asked)
        finally:
            server.should_exit = True
            await task


JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


async def test_a_program_and_a_page_of_this_server_may_read_and_change() -> None:
    async with web() as server:
        own = {"origin": f"http://127.0.0.1:{server.port}"}
        answers = [
            await server.ask("GET", "/notes"),
            await server.ask("GET", "/notes", headers={"origin": "https://evil.example"}),
            await server.ask("POST", "/notes", b"{}", JSON),
            await server.ask("POST", "/notes", b"{}", {**JSON, **own}),
            await server.ask("POST", "/notes", b"a=1", {**FORM, **own}),
            await server.ask("GET", "/notes", headers={"host": f"localhost:{server.port}"}),
        ]
    assert [answer.status for answer in answers] == [200] * 6
    assert json.loads(answers[0].body)["caller"] == "local"
    assert "access-control-allow-origin" not in answers[1].headers


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
async def test_a_name_of_this_server_without_its_port_is_its_own_as_on_port_80(name: str) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}
    async with web() as server:
        page = await server.ask("POST", "/notes", b"{}", {**JSON, "host": name, "origin": f"http://{name}"})
        tool = await server.ask("POST", "/mcp", json.dumps(ping).encode(), {**JSON, "host": name})
        strange = await server.ask("POST", "/mcp", b"{}", {**JSON, "host": f"x.{name}"})
    assert page.status == 200
    assert tool.status not in (403, 421) and strange.status == 421


@pytest.mark.parametrize(
    ("headers", "status", "said"),
    [
        ({"host": "evil.example"}, 421, "another name"),
        ({"host": "127.0.0.1.evil.example:80"}, 421, "another name"),
        ({"host": ""}, 421, "another name"),
        ({**JSON, "origin": "https://evil.example"}, 403, "another site"),
        ({**JSON, "origin": "http://127.0.0.1:1"}, 403, "another site"),
        ({**JSON, "origin": "null"}, 403, "another site"),
        ({**JSON, "sec-fetch-site": "cross-site"}, 403, "another site"),
        (FORM, 403, "a form of any site"),
        ({"content-type": "text/plain"}, 403, "a form of any site"),
        ({**JSON, "content-length": "999999999"}, 413, "longer than 1,000 bytes"),
        ({**JSON, "content-length": "x"}, 400, ""),
    ],
)
async def test_a_bad_request_never_reaches_a_route(headers: dict[str, str], status: int, said: str) -> None:
    async with web() as server:
        answer = await server.ask("POST", "/notes", b"{}", headers)
        fine = await server.ask("GET", "/notes")
        asked = server.asked[1:]
    assert answer.status == status
    assert not said or said in answer.error["message"]
    assert (fine.status, asked) == (200, ["GET 0"])


async def test_a_body_that_turns_out_too_long_is_refused_while_it_arrives() -> None:
    chunk = b"%x\r\n%s\r\n" % (600, b"x" * 600)
    async with web() as server:
        head = f"POST /notes HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        long = await server.send(head.encode() + chunk, then=chunk, wait=0.05)
        short = await server.send(head.encode() + chunk, then=b"0\r\n\r\n", wait=0.05)
        asked = server.asked[1:]
    assert (long.status, short.status, asked) == (413, 200, ["POST 600"])


@pytest.mark.parametrize(
    "raw",
    [
        "POST /notes HTTP/1.1\r\nHost: 127.0.0.1",
        "POST /notes HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 10\r\n\r\nhalf",
    ],
)
async def test_half_a_request_and_a_slow_body_are_given_up(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    async with web() as server:
        answer = await server.send(raw.format(port=server.port).encode())
        fine = await server.ask("GET", "/notes")
    assert (answer.status, fine.status) == (408, 200)


async def test_answers_have_the_headers_that_protect_pages_and_a_route_may_set_its_own() -> None:
    async with web(door=Door(headers={"referrer-policy": "no-referrer"})) as server:
        good = await server.ask("GET", "/notes")
        bad = await server.ask("POST", "/notes", b"{}", {"origin": "https://evil.example"})
    for answer in (good, bad):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_what_a_route_raises_is_translated_like_what_a_tool_raises(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with web() as server:
        lost, busy, down, bug = [
            await server.ask("GET", f"/broken/{how}") for how in ("lost", "busy", "down", "bug")
        ]
    assert [answer.status for answer in (lost, busy, down, bug)] == [404, 429, 502, 500]
    assert lost.error["message"] == "Note x not found."
    assert busy.headers["retry-after"] == "7"
    assert "secret" not in bug.body.decode() and bug.error["trace"] in caplog.text


async def test_the_lifespan_of_a_mounted_application_runs_and_its_state_is_there() -> None:
    async with web() as server:
        answer = await server.ask("GET", "/inner/state")
        asked = server.asked
    assert answer.body == b"kept in the state"
    assert asked == ["opened", "closed"]


def _tokens(**more: Any) -> Tokens:
    return Tokens(
        resource="http://127.0.0.1/mcp",
        static={"owner": "owner-token", "eve": "eve-token"},
        read_only=["eve"],
        **more,
    )


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("", "is empty"),
        (" ", "is empty"),
        ("sha256:" + hashlib.sha256(b"").hexdigest(), "is empty"),
        ("sha256:", "64 hexadecimal digits"),
        ("sha256:00ff", "64 hexadecimal digits"),
        ("sha256:" + "é" * 64, "64 hexadecimal digits"),
    ],
)
def test_a_token_that_anybody_or_nobody_could_send_is_refused_at_the_start(kept: str, said: str) -> None:
    with pytest.raises(BadConfiguration, match=f"The token of 'ann' .*{said}"):
        Tokens(resource="http://127.0.0.1/mcp", static={"bob": "b-token", "ann": kept})


@pytest.mark.parametrize("write", [str.lower, str.upper])
async def test_a_digest_may_have_small_and_large_letters(write: Callable[[str], str]) -> None:
    digest = write(hashlib.sha256(b"t-token").hexdigest())
    tokens = Tokens(resource="http://127.0.0.1/mcp", static={"ann": f"sha256:{digest}"})
    found, other = await tokens.verify_token("t-token"), await tokens.verify_token("")
    assert (found and found.subject, other) == ("ann", None)


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def test_routes_are_behind_the_same_tokens_as_the_tools() -> None:
    async with web(tokens=_tokens(), door=Door(open=["/broken/"])) as server:
        without = await server.ask("GET", "/notes")
        wrong = await server.ask("GET", "/notes", headers=_bearer("wrong"))
        owner = await server.ask("POST", "/notes", b"{}", {**JSON, **_bearer("owner-token")})
        reads = await server.ask("GET", "/notes", headers=_bearer("eve-token"))
        writes = await server.ask("DELETE", "/notes", headers=_bearer("eve-token"))
        opened = await server.ask("GET", "/broken/lost")
        inner = await server.ask("GET", "/inner/state")
        metadata = await server.ask(
            "GET", "/.well-known/oauth-protected-resource/mcp", headers={"host": "proxy.example"}
        )
    assert [without.status, wrong.status, inner.status] == [401, 401, 401]
    assert "oauth-protected-resource" in without.headers["www-authenticate"]
    assert json.loads(owner.body)["caller"] == "token|owner"
    assert "authorization" not in json.loads(owner.body)["headers"]
    assert (reads.status, writes.status, opened.status, metadata.status) == (200, 403, 404, 200)
    assert "scope 'write'" in writes.error["message"]


@pytest.mark.parametrize(
    "path", ["/open/../x", "/open/%2e%2e/x", "/open/..%5Cx", "/open/./x", "/open//../../x"]
)
async def test_an_open_path_does_not_open_what_dots_lead_to(path: str) -> None:
    async with web(tokens=_tokens(), rest="/", door=Door(open=["/open/"])) as server:
        fine = await server.ask("GET", "/open/..x/y")
        tried = await server.ask("GET", path)
    assert (fine.status, tried.status) == (200, 401)


@pytest.mark.parametrize("name", ["token", "", "a|b", "https://login.example", "people"])
def test_a_verifier_cannot_pass_its_people_off_as_those_of_another(name: str) -> None:
    people, other = Kept(), Kept()
    other.name = name
    with pytest.raises(BadConfiguration, match="name"):
        _tokens(also=[people, other], issuer="https://login.example", key="k" * 32)


async def test_a_token_shares_the_limits_of_whom_its_verifier_names_and_not_of_whom_it_names_itself() -> None:
    people, key, issuer = Kept(), "k" * 32, "https://login.example"
    people.holders["of-eve"] = Holder("eve", counted_as="token|eve")
    tokens = _tokens(also=[people], issuer=issuer, key=key)
    claims = {"iss": issuer, "sub": "mallory", "aud": tokens.resource, "exp": time.time() + 60}
    signed = jwt.encode({**claims, COUNTED_AS: "token|owner"}, key, "HS256")
    found = [caller_from(await tokens.verify_token(one), ()) for one in ("of-eve", "a-token", signed)]
    assert [(one.name, one.counted_as) for one in found] == [
        ("people|eve", "token|eve"),
        ("people|ann", "people|ann"),
        (f"{issuer}|mallory", f"{issuer}|mallory"),
    ]


async def test_a_path_adds_no_line_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with web() as server:
        await server.ask("GET", "/broken/x%0Derror:%20all%20is%20lost")
    (said,) = [one.getMessage() for one in caplog.records if "bug in" in one.getMessage()]
    assert "\r" not in said


async def test_a_mounted_application_gets_nothing_unchecked_at_the_addresses_of_the_sdk() -> None:
    metadata = "/.well-known/oauth-protected-resource/mcp"
    async with web(tokens=_tokens(), rest="/", door=Door(most_body=MOST)) as server:
        told = await server.ask("GET", metadata, headers={"host": "proxy.example"})
        evil = await server.ask("DELETE", metadata, headers={"host": "evil.example"})
        page = await server.ask("POST", metadata, b"{}", {**JSON, "origin": "https://evil.example"})
        long = await server.ask("POST", metadata, b"x" * (MOST + 1), JSON)
        without = await server.ask("POST", metadata, b"{}", JSON)
        reads = await server.ask("DELETE", metadata, headers=_bearer("eve-token"))
        owner = await server.ask("POST", metadata, b"{}", {**JSON, **_bearer("owner-token")})
        asked = server.asked[1:]
    assert (told.status, "resource" in json.loads(told.body)) == (200, True)
    statuses = [answer.status for answer in (evil, page, long, without, reads, owner)]
    assert statuses == [421, 403, 413, 401, 403, 200]
    assert asked == ["POST 2"]


async def test_a_cookie_carries_a_token_for_pages_of_this_server_only() -> None:
    async with web(tokens=_tokens(), door=Door(cookie="session")) as server:
        cookie = {"cookie": "other=1; session=owner-token"}
        own = {"origin": f"http://127.0.0.1:{server.port}"}
        reads = await server.ask("GET", "/notes", headers=cookie)
        page = await server.ask("POST", "/notes", b"a=1", {**FORM, **cookie, **own})
        program = await server.ask("POST", "/notes", b"{}", {**JSON, **cookie})
        evil = await server.ask("POST", "/notes", b"{}", {**JSON, **cookie, "origin": "https://evil.example"})
    assert [reads.status, page.status, program.status, evil.status] == [200, 200, 403, 403]


async def test_a_page_of_another_site_that_is_let_in_sends_a_token_and_never_a_cookie() -> None:
    site = "https://app.example"
    async with web(tokens=_tokens(), door=Door(cookie="session"), sites=[site]) as server:
        from_site, cookie = {**JSON, "origin": site}, {"cookie": "session=owner-token"}
        answers = [
            await server.ask("POST", "/notes", b"{}", {**from_site, **_bearer("owner-token")}),
            await server.ask("POST", "/notes", b"{}", {**from_site, **_bearer("owner-token"), **cookie}),
            await server.ask("POST", "/notes", b"{}", {**from_site, **cookie}),
            await server.ask("POST", "/notes", b"a=b", {**FORM, **cookie, "origin": site}),
            await server.ask("POST", "/notes", b"{}", from_site),
        ]
    assert [one.status for one in answers] == [200, 200, 403, 403, 401]
    assert all(one.headers["access-control-allow-origin"] == site for one in answers)
    assert not any("access-control-allow-credentials" in one.headers for one in answers)


async def test_behind_a_proxy_the_public_address_is_this_servers_own() -> None:
    async with web(public_url="https://mcp.example.org/") as server:
        own = {"host": "mcp.example.org", "origin": "https://mcp.example.org"}
        good = await server.ask("POST", "/notes", b"{}", {**JSON, **own})
        plain = await server.ask("POST", "/notes", b"{}", {**JSON, **own, "origin": "ftp://mcp.example.org"})
    assert (good.status, plain.status) == (200, 403)


async def test_a_server_brings_its_own_tokens_with_subject_scopes_and_expiry() -> None:
    kept, clock = Kept(), [1000.0]
    async with web(tokens=_tokens(also=[kept], now=lambda: clock[0])) as server:
        people = [await server.ask("GET", "/notes", headers=_bearer("a-token")) for _ in range(3)]
        expired = await server.ask("GET", "/notes", headers=_bearer("old"))
        static = await server.ask("GET", "/notes", headers=_bearer("owner-token"))
        clock[0] += 61
        await server.ask("GET", "/notes", headers=_bearer("a-token"))
    assert [json.loads(answer.body)["caller"] for answer in people] == ["people|ann"] * 3
    assert (expired.status, static.status) == (401, 200)
    assert kept.uses == [1000.0, 1061.0]


async def test_a_tool_sees_the_claims_and_headers_of_its_caller_but_no_secret() -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "whoami",
            "arguments": {},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
    headers = {
        **JSON,
        **_bearer("a-token"),
        "accept": "application/json, text/event-stream",
        "x-team": "red",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "whoami",
        "cookie": "session=secret",
        "connection": "close",
    }
    async with web(tokens=_tokens(also=[Kept()])) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        body = json.dumps(call).encode()
        lines = [
            "POST /mcp HTTP/1.1",
            f"host: 127.0.0.1:{server.port}",
            f"content-length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        said = (await asyncio.wait_for(reader.read(), 20)).decode()
        writer.close()
    assert "people|ann" in said and "x-team" in said and '\\"sub\\":\\"ann\\"' in said, said
    assert "secret" not in said and "a-token" not in said


class Broken(Kept):
    """Tokens in a database that cannot be read."""

    async def verify(self, token: str) -> Holder | None:
        raise StoreDown("The tokens are damaged.")


class Slow(Kept):
    """Tokens whose use is never noted."""

    async def used(self, token: str, at: float) -> None:
        await asyncio.sleep(60)


MODERN = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
}
LEGACY = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


@pytest.mark.parametrize("headers", [MODERN, LEGACY, None], ids=["modern", "legacy", "a route"])
async def test_whoever_cannot_be_asked_about_a_token_is_told_in_words(headers: dict[str, str] | None) -> None:
    about = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"} if headers is MODERN else {}
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": about}}
    ).encode()
    async with web(tokens=_tokens(also=[Broken()])) as server:
        given = {**JSON, **(headers or {}), **_bearer("a-token")}
        answer = await server.ask("POST", "/notes" if headers is None else "/mcp", body, given)
        owner = await server.ask("GET", "/notes", headers=_bearer("owner-token"))
    assert (answer.status, owner.status) == (502, 200)
    assert "damaged" in answer.error["message"]
    assert answer.headers["x-frame-options"] == "DENY"


async def test_nobody_waits_for_long_until_the_use_of_a_token_is_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("laconic.kit.wire.tokens._PATIENCE", 0.05)
    async with web(tokens=_tokens(also=[Slow()])) as server, asyncio.timeout(20):
        answer = await server.ask("GET", "/notes", headers=_bearer("a-token"))
    assert answer.status == 200
