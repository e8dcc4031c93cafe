"""Serving over streamable HTTP: every revision at one address."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from typing import Any, Final, Literal

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Host, Mount

from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import BadConfiguration
from laconic.kit.redaction import Redactor
from laconic.kit.wire import access
from laconic.kit.wire.connections import LOOP, Connection
from laconic.kit.wire.door import Admission, Door, Guarded, Names
from laconic.kit.wire.posts.answering import Answering
from laconic.kit.wire.posts.entrance import Entrance
from laconic.kit.wire.posts.heads import Heads
from laconic.kit.wire.server import build
from laconic.kit.wire.sessions import IDLE, SessionEvents, SessionManager
from laconic.kit.wire.signals import drained_on_signals
from laconic.kit.wire.tokens import Tokens

Wire = Literal["lean", "sdk"]

PATH = "/mcp"
LONGEST: Final = 4 * 2**20  # bytes of a request


def _nothing() -> None:
    pass


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
    opened: Callable[[], None] = _nothing,
    wire: Wire = "lean",
) -> Starlette:
    """Return the web application of an endpoint; with several workers there can be no `sessions`.

    It opens the services of all toolsets when it starts, then calls `opened`; with `closes`, it closes the
    endpoint when it ends. With a `grace`, calls in progress have these seconds to finish after a signal,
    before the web server hears of it. The routes `beside` are protected as `door` says. The `lean` wire
    answers requests of the modern revision, and the SDK's the others; `sdk` leaves all to the SDK.

    Raises:
        BadConfiguration: it would listen beyond this machine without tokens.
    """
    if host not in access.LOOPBACK and tokens is None:
        raise BadConfiguration(
            f"Listening on {host} without tokens would let anyone on the network in.",
            advice="Set LACONIC_TOKEN or [http.tokens] in your own config.toml, or listen on 127.0.0.1.",
        )
    endpoint.is_http = True
    server = build(endpoint, has_tokens=tokens is not None)
    security = access.security(host, port, public_url)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=not sessions,  # legacy clients are asked in theirs; modern ones are stateless anyway
        json_response=False,  # true would lose progress, and the notice that a client disconnected
        event_store=SessionEvents(),
        retry_interval=500,
        max_request_body_size=LONGEST,
        session_idle_timeout=IDLE,
        host=host,
        transport_security=security,
        auth=access.auth(tokens),
        token_verifier=tokens,
    )
    if tokens is not None:
        access.name_scopes(app, tokens)
    if beside:
        names = access.names(security, public_url)
        _open_beside(app, beside, door or Door(), names, tokens, endpoint.redactor)
    last = _answer_posts(app, endpoint, security, tokens) if wire == "lean" else _nothing
    server.session_manager.__class__ = SessionManager
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: Starlette) -> AsyncIterator[Any]:
        async with inner(of) as state, lifespans(beside) as states:
            opening = asyncio.create_task(endpoint.open())  # meanwhile clients can connect
            opening.add_done_callback(lambda task: opened())
            try:
                endpoint.follow()
                with nullcontext() if grace is None else drained_on_signals(endpoint.stop, grace, last):
                    yield {**states, **(state or {})} if states else state
            finally:
                opening.cancel()
                await asyncio.wait([opening])
                if closes:
                    await endpoint.close()

    app.router.lifespan_context = lifespan
    return app


def _answer_posts(
    app: Starlette, endpoint: Endpoint, security: TransportSecuritySettings, tokens: Tokens | None
) -> Callable[[], None]:
    """Answer requests of the modern revision before the SDK sees them; return what ends subscriptions."""
    answering = Answering(endpoint, has_tokens=tokens is not None)
    schemas = {tool["name"]: tool["inputSchema"] for tool in endpoint.listing.tools}
    heads = Heads(PATH, security.allowed_hosts, security.allowed_origins, LONGEST, schemas)
    app.user_middleware.insert(0, Middleware(Entrance, answering, heads, tokens))
    return answering.subscriptions.end


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
        app.user_middleware.append(Middleware(Admission, door, own, access.challenge(tokens)))


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


def serve(
    app: Starlette | str, host: str, port: int, *, workers: int = 1, ready: Callable[[], None] = _nothing
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
