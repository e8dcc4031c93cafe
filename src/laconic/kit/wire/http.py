"""Serving over streamable HTTP: every revision at one address."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.auth.settings import AuthSettings
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import JSONRPCMessage
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Host, Mount

from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import BadConfiguration
from laconic.kit.peer import READ, SCOPES
from laconic.kit.redaction import Redactor
from laconic.kit.wire.connections import LOOP, Connection
from laconic.kit.wire.door import Admission, Door, Guarded, Names
from laconic.kit.wire.server import build
from laconic.kit.wire.signals import drained_on_signals
from laconic.kit.wire.tokens import Tokens

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def http_app(
    endpoint: Endpoint,
    *,
    host: str = "127.0.0.1",
    port: int = 8321,
    public_url: str | None = None,
    tokens: Tokens | None = None,
    beside: Sequence[BaseRoute] = (),
    door: Door | None = None,
    sessions: bool = True,
    closes: bool = True,
    grace: float | None = None,
) -> Starlette:
    """Return the web application of an endpoint; with several workers there can be no `sessions`.

    It opens the services of all toolsets when it starts; with `closes`, it closes the endpoint when it ends.
    With a `grace`, calls in progress have these seconds to finish after a signal, before the web server
    hears of it. The routes `beside` are protected as `door` says.

    Raises:
        BadConfiguration: it would listen beyond this machine without tokens.
    """
    if host not in LOOPBACK and tokens is None:
        raise BadConfiguration(
            f"Listening on {host} without tokens would let anyone on the network in.",
            advice="Set LACONIC_TOKEN or [http.tokens] in your own config.toml, or listen on 127.0.0.1.",
        )
    endpoint.is_http = True
    server = build(endpoint, has_tokens=tokens is not None)
    security = _security(host, port, public_url)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=not sessions,  # legacy clients are asked in theirs; modern ones are stateless anyway
        json_response=False,  # true would lose progress, and the notice that a client disconnected
        event_store=_SessionEvents(),
        retry_interval=500,
        host=host,
        transport_security=security,
        auth=_auth(tokens),
        token_verifier=tokens,
    )
    if tokens is not None:
        _name_scopes(app, tokens)
    if beside:
        _open_beside(app, beside, door or Door(), _names(security, public_url), tokens, endpoint.redactor)
    server.session_manager.__class__ = _SessionManager
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: Starlette) -> AsyncIterator[Any]:
        async with inner(of) as state, lifespans(beside) as states:
            opening = asyncio.create_task(endpoint.open())  # meanwhile clients can connect
            try:
                endpoint.follow()
                with nullcontext() if grace is None else drained_on_signals(endpoint.stop, grace):
                    yield {**states, **(state or {})} if states else state
            finally:
                opening.cancel()
                await asyncio.wait([opening])
                if closes:
                    await endpoint.close()

    app.router.lifespan_context = lifespan
    return app


def _open_beside(
    app: Starlette,
    beside: Sequence[BaseRoute],
    door: Door,
    names: Names,
    tokens: Tokens | None,
    redactor: Redactor,
) -> None:
    """Add routes, with the outermost check before the SDK reads the token, and the innermost after it."""
    own = tuple(app.router.routes)
    app.router.routes.extend(beside)
    app.user_middleware.insert(0, Middleware(Guarded, door, names, own, redactor))
    if tokens is not None:
        app.user_middleware.append(Middleware(Admission, door, own, _challenge(tokens)))


def _challenge(tokens: Tokens) -> str:
    return f'Bearer resource_metadata="{build_resource_metadata_url(AnyHttpUrl(tokens.resource))}"'


@asynccontextmanager
async def lifespans(routes: Sequence[BaseRoute]) -> AsyncIterator[dict[str, Any]]:
    """Open the applications that are mounted, and return the state that they share with their requests.

    Starlette opens only the outermost one.
    """
    states: dict[str, Any] = {}
    async with AsyncExitStack() as stack:
        for route in routes:
            app = getattr(route, "app", None) if isinstance(route, Mount | Host) else None
            while app is not None and not isinstance(app, Starlette) and hasattr(app, "app"):
                app = app.app  # a middleware around it
            if isinstance(app, Starlette):
                opened: Any = app.router.lifespan_context(app)
                states |= await stack.enter_async_context(opened) or {}
                states |= await stack.enter_async_context(lifespans(app.routes))
        yield states


def _auth(tokens: Tokens | None) -> AuthSettings | None:
    if tokens is None:
        return None
    return AuthSettings(
        issuer_url=_issuer(tokens),
        resource_server_url=AnyHttpUrl(tokens.resource),
        required_scopes=[READ],
        validate_token_resource=True,
    )


def _name_scopes(app: Starlette, tokens: Tokens) -> None:
    """Name all scopes in the metadata of the resource; the SDK names only those that every call needs."""
    complete = create_protected_resource_routes(
        AnyHttpUrl(tokens.resource), [_issuer(tokens)], scopes_supported=list(SCOPES)
    )
    paths = {route.path for route in complete}
    app.router.routes[:] = [
        *(route for route in app.router.routes if getattr(route, "path", None) not in paths),
        *complete,
    ]


def _issuer(tokens: Tokens) -> AnyHttpUrl:
    return AnyHttpUrl(tokens.issuer or tokens.resource)


def _security(host: str, port: int, public_url: str | None) -> TransportSecuritySettings:
    """Answer only to the names of this server, so that no page in a browser can reach it by another name."""
    names = ["127.0.0.1", "localhost", "[::1]"] if host in LOOPBACK else [host]
    hosts = [f"{name}:*" for name in names]
    origins = [f"http://{name}:*" for name in names]
    if public_url:
        parts = urlsplit(public_url)
        hosts += [parts.netloc, f"{parts.hostname}:*"]
        origins.append(f"{parts.scheme}://{parts.netloc}")
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins
    )


def _names(security: TransportSecuritySettings, public_url: str | None) -> Names:
    parts = urlsplit(public_url) if public_url else None
    return Names(security.allowed_hosts, f"{parts.scheme}://{parts.netloc}".lower() if parts else None)


class _SessionEvents(EventStore):
    """The last messages of one session, for a client that lost its stream."""

    def __init__(self) -> None:
        self._events: deque[tuple[int, str, JSONRPCMessage | None]] = deque(maxlen=256)
        self._count = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self._count += 1
        self._events.append((self._count, stream_id, message))
        return str(self._count)

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        if not last_event_id.isdecimal():
            return None
        last = int(last_event_id)
        stream = next((stream for number, stream, _ in self._events if number == last), None)
        if stream is None:
            return None
        for number, of, message in list(self._events):
            if number > last and of == stream and message is not None:  # None opens a stream: nothing to send
                await send_callback(EventMessage(message, str(number)))
        return stream


class _SessionManager(StreamableHTTPSessionManager):
    """Gives each session its own events.

    The SDK shares one store among all sessions and names streams by the request id alone, so a client
    that comes back could get the answer of another session.
    """

    @property
    def event_store(self) -> EventStore | None:
        return _SessionEvents()

    @event_store.setter
    def event_store(self, value: EventStore | None) -> None: ...


def serve(
    app: Starlette | str, host: str, port: int, *, workers: int = 1, ready: Callable[[], None] = lambda: None
) -> None:
    """Listen until stopped; several workers need the app by name, `module:function`.

    `ready` is called once, when clients can connect or, with several workers, just before.
    """
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "workers": workers,
        "factory": isinstance(app, str),
        "http": Connection,
        "ws": "none",
        "loop": LOOP,
        "log_config": None,
        "access_log": False,
        "timeout_graceful_shutdown": 5,
        "timeout_worker_healthcheck": 30,  # a busy machine takes longer than the default of 5 s to start one
    }
    if workers > 1:
        ready()
        uvicorn.run(app, **options)
        return
    config = uvicorn.Config(app, **options)
    listening = config.bind_socket()
    listening.listen(config.backlog)
    ready()
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        sys.exit(1)  # the log has the reason
