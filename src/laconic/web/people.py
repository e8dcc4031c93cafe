"""People: who makes a request, and what only somebody who signed in may do."""

from __future__ import annotations

from laconic.kit import Caller, Refused, SilentPeer
from laconic.library.authors import is_personal

__all__ = ["peer_of", "refuse_tokens", "source_of"]


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


def peer_of(caller: Caller) -> SilentPeer:
    """Return the other side of a request, which can be asked nothing."""
    peer = SilentPeer(caller)
    peer.client = source_of(caller)
    return peer


def source_of(caller: Caller) -> str:
    """Return the program that makes a request, as it calls itself."""
    given = caller.headers.get("x-request-source", "").strip().lower()[:20]
    return given if given.isprintable() and given else "api"
