"""Remedies: what a person must do if an account has ended, or has not allowed something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from laconic.servers.google.accounts.known import KnownAccount

_GCLOUD: Final = "gcloud auth application-default login"
_AUTH: Final = "https://www.googleapis.com/auth/"
_ASKED: Final = ("drive", "documents", "spreadsheets", "presentations")  # by a login, unless it only reads


def how_to_sign_in(account: KnownAccount) -> str:
    """Return what a person must do to sign in."""
    match account.kind:
        case "practice":
            return "Start the practice Google again."
        case "machine":
            return f"A person must run '{_GCLOUD}', or 'laconic google login'."
        case "service":
            return "A person must make a new key file for it."
    return f"A person must sign in: {_login(account)}."


def how_to_allow(account: KnownAccount, scopes: Sequence[str]) -> str:
    """Return what a person must do so that an account allows one of some scopes."""
    wanted = scope_to_ask(scopes)
    match account.kind:
        case "practice":
            return "The practice account has no other scopes."
        case "machine":
            both = f"{_AUTH}{wanted},{_AUTH}cloud-platform"
            return f"A person must run '{_GCLOUD} --scopes={both}', or 'laconic google login'."
        case "service":
            return f"A person must set LACONIC_GOOGLE_SCOPES to {wanted}, or make a key file that allows it."
    setting = "" if wanted in _ASKED else f"set LACONIC_GOOGLE_SCOPES to {wanted} and "
    return f"A person must {setting}sign in: {_login(account)}."


def scope_to_ask(scopes: Sequence[str]) -> str:
    """Return the scope to name, of several that are enough: one that a login asks for, if there is one."""
    return next((one for one in scopes if one in _ASKED), scopes[0] if scopes else "")


def _login(account: KnownAccount) -> str:
    return f"'laconic google login --account {account.alias}'"
