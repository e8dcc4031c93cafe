"""People: who makes a request, and what only somebody who signed in may do."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from laconic.kit import Caller, Refused, caller_of
from laconic.library.tokens import ISSUER, shown_prefix
from laconic.stores import By

__all__ = ["author_of", "is_personal", "refuse_tokens"]


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
    given = caller.headers.get("x-request-source", "").strip().lower()[:20]
    source = given if given.isprintable() and given else "api"
    if not is_personal(caller):
        return By(caller.name, source, {"auth_type": "session"})
    token: str = scope["user"].access_token.token
    return By(caller.name, source, {"auth_type": "pat", "token_prefix": shown_prefix(token)})
