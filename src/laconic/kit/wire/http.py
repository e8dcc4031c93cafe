"""Serving over streamable HTTP: every revision at one address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, Literal

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import BadConfiguration
from laconic.kit.redaction import Redactor
from laconic.kit.wire import access
from laconic.kit.wire.door import Admission, Door, Guarded, Names, Shared, Translated, answer_to
from laconic.kit.wire.headed import RawHeaders, protecting
from laconic.kit.wire.lifespans import Lifespan
from laconic.kit.wire.posts.answering import Answering
from laconic.kit.wire.posts.entrance import Entrance, Failed
from laconic.kit.wire.posts.heads import Heads
from laconic.kit.wire.server import build
from laconic.kit.wire.sessions import IDLE, SessionEvents, SessionManager
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
    sites: Collection[str] = (),
    tokens: Tokens | None = None,
    beside: Sequence[BaseRoute] = (),
    door: Door | None = None,
    layers: Sequence[Middleware] = (),
    sessions: bool = True,
    closes: bool = True,
    grace: float | None = None,
    opened: Callable[[], None] = _nothing,
    wire: Wire = "lean",
) -> Starlette:
    """Return the web application of an endpoint; with several workers there can be no `sessions`.

    It opens the services of all toolsets when it starts, then calls `opened`; with `closes`, it closes the
    endpoint when it ends. With a `grace`, calls in progress have these seconds to finish after a signal,
    before the web server hears of it. The routes `beside` are protected as `door` says; requests reach the
    `layers` after these checks, and before a route is looked for. The `lean` wire answers requests of the
    modern revision, and the SDK's the others; `sdk` leaves all to the SDK. Pages of the `sites`, each
    `https://app.example.org`, may call it from browsers; those of all others may not.

    Raises:
        BadConfiguration: it would listen beyond this machine without tokens.
    """
    _refuse_strangers(host, tokens)
    endpoint.is_http = True
    security = access.security(host, port, public_url, sites)
    names = access.names(security, public_url, sites)
    app = _sdk_app(endpoint, host, security, tokens, sessions=sessions)
    door = door or Door()
    app.user_middleware.insert(0, Middleware(Translated, endpoint.redactor, door.envelope))
    if beside:
        _open_beside(app, beside, door, names, tokens, endpoint.redactor)
        app.user_middleware.extend(layers)
    always = protecting(door.headers) if beside else []
    failed = partial(answer_to, redactor=endpoint.redactor, envelope=door.envelope)
    last = _answer_posts(app, endpoint, security, tokens, always, failed) if wire == "lean" else _nothing
    if sites:
        app.user_middleware.insert(0, Middleware(Shared, names.sites, names))
    inner = app.router.lifespan_context
    app.router.lifespan_context = Lifespan(endpoint, inner, beside, opened, last, grace, closes)
    return app


def _refuse_strangers(host: str, tokens: Tokens | None) -> None:
    if host not in access.LOOPBACK and tokens is None:
        raise BadConfiguration(
            f"Listening on {host} without tokens would let anyone on the network in.",
            advice="Set LACONIC_TOKEN or [http.tokens] in your own config.toml, or listen on 127.0.0.1.",
        )


def _sdk_app(
    endpoint: Endpoint,
    host: str,
    security: TransportSecuritySettings,
    tokens: Tokens | None,
    *,
    sessions: bool,
) -> Starlette:
    """Return the SDK's application, with what this server says of its scopes and sessions."""
    server = build(endpoint, has_tokens=tokens is not None)
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
    server.session_manager.__class__ = SessionManager
    if tokens is not None:
        access.name_scopes(app, tokens)
    return app


def _answer_posts(
    app: Starlette,
    endpoint: Endpoint,
    security: TransportSecuritySettings,
    tokens: Tokens | None,
    always: RawHeaders,
    failed: Failed,
) -> Callable[[], None]:
    """Answer requests of the modern revision before the SDK sees them; return what ends subscriptions."""
    answering = Answering(endpoint, has_tokens=tokens is not None)
    schemas = {tool["name"]: tool["inputSchema"] for tool in endpoint.listing.tools}
    heads = Heads(PATH, security.allowed_hosts, security.allowed_origins, LONGEST, schemas)
    app.user_middleware.insert(0, Middleware(Entrance, answering, heads, tokens, always, failed))
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
