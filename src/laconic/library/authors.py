"""Authors: who makes a change, for the history, and whether with a personal token."""

from __future__ import annotations

from typing import Final

from laconic.kit import Caller
from laconic.stores import By

__all__ = ["ISSUER", "PREFIX_CLAIM", "author_of", "is_personal"]

ISSUER: Final = "personal"  # names the callers with a personal token: `personal|OWNER`
PREFIX_CLAIM: Final = "prefix"  # the claim that tells by which token


def is_personal(caller: Caller) -> bool:
    """True if a caller has a personal token."""
    return caller.name.startswith(f"{ISSUER}|")


def author_of(caller: Caller, source: str) -> By:
    """Say who makes a change, through which program, and with what kind of token."""
    if not is_personal(caller):
        return By(caller.name, source, {"auth_type": "session"})
    prefix = caller.claims[PREFIX_CLAIM]
    return By(caller.name, source, {"auth_type": "pat", "token_prefix": prefix})
