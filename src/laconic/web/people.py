"""People: who makes a request, and what only somebody who signed in may do."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from laconic.kit import Caller, Refused, caller_of
from laconic.kit.peer import SilentPeer
from laconic.library.tokens import ISSUER, shown_prefix
from laconic.stores import By

__all__ = ["author_of", "is_personal", "peer_of", "refuse_tokens"]


def is_personal(caller: Caller) -> bool:
    """True if a caller has a personal token."""
    return caller.name.startswith(f"{ISSUER}|")


def refuse_tokens(caller: Caller, what: str) -> None:
    """Refuse a caller with a personal token.

    Raises:
        Refused: it has one.
    """
    if is_personal(caller):
        raise Refused(
            f"A personal token is not enough for {what}.",
            code="ACCESS_DENIED",
            advice="A person who signed in may do it, or the command line.",
        )


def author_of(scope: MutableMapping[str, Any]) -> By:
    """Say who makes a request, through which program, and with what kind of token."""
    caller = caller_of(scope)
    source = _source(caller)
    if not is_personal(caller):
        return By(caller.name, source, {"auth_type": "session"})
    token: str = scope["user"].access_token.token
    return By(caller.name, source, {"auth_type": "pat", "token_prefix": shown_prefix(token)})


def peer_of(caller: Caller) -> SilentPeer:
    """Return the other side of a request, which can be asked nothing."""
    peer = SilentPeer(caller)
    peer.client = _source(caller)
    return peer


def _source(caller: Caller) -> str:
    """Return the program that makes a request, as it calls itself."""
    given = caller.headers.get("x-request-source", "").strip().lower()[:20]
    return given if given.isprintable() and given else "api"
