"""Who may reach a server over HTTP: its own names, and the SDK's settings for tokens."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from laconic.kit.peer import READ, SCOPES
from laconic.kit.wire.door import Names
from laconic.kit.wire.tokens import Tokens

__all__ = ["LOOPBACK", "auth", "challenge", "name_scopes", "names", "security"]

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def challenge(tokens: Tokens) -> str:
    """Return the header that tells a client where to get a token."""
    return f'Bearer resource_metadata="{build_resource_metadata_url(AnyHttpUrl(tokens.resource))}"'


def auth(tokens: Tokens | None) -> AuthSettings | None:
    """Return the SDK's settings for tokens."""
    if tokens is None:
        return None
    return AuthSettings(
        issuer_url=_issuer(tokens),
        resource_server_url=AnyHttpUrl(tokens.resource),
        required_scopes=[READ],
        validate_token_resource=True,
    )


def name_scopes(app: Starlette, tokens: Tokens) -> None:
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


def security(
    host: str, port: int, public_url: str | None, sites: Collection[str] = ()
) -> TransportSecuritySettings:
    """Answer only to the names of this server, so that no page in a browser can reach it by another name."""
    names = ["127.0.0.1", "localhost", "[::1]"] if host in LOOPBACK else [host]
    hosts = [f"{name}{end}" for name in names for end in ("", ":*")]  # clients leave out port 80
    origins = [*(f"http://{one}" for one in hosts), *sites]
    if public_url:
        parts = urlsplit(public_url)
        hosts += [parts.netloc, f"{parts.hostname}:*"]
        origins.append(f"{parts.scheme}://{parts.netloc}")
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins
    )


def names(security: TransportSecuritySettings, public_url: str | None, sites: Collection[str] = ()) -> Names:
    """Return the names of this server for the routes beside `/mcp`."""
    parts = urlsplit(public_url) if public_url else None
    public = f"{parts.scheme}://{parts.netloc}".lower() if parts else None
    return Names(security.allowed_hosts, public, frozenset(sites))
