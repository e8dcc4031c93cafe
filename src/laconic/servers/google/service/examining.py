"""Examining: whether each account can sign in."""

from __future__ import annotations

from laconic.kit import Diagnosis, Failure
from laconic.servers.google.service.asking import email_of
from laconic.servers.google.service.google import Google


async def examined(google: Google) -> list[Diagnosis]:
    """Return what is right or wrong with each account."""
    known = google.accounts()
    if not known:
        return [Diagnosis("accounts", "none; run 'laconic google login', or try --sandbox.", ok=False)]
    return [await _examined(google, alias) for alias in known]


async def _examined(google: Google, alias: str) -> Diagnosis:
    what = f"account {alias}"
    try:
        email = await email_of(google.access(alias), google.settings.services)
    except Failure as failure:
        return Diagnosis(what, failure.words, ok=False)
    return Diagnosis(what, f"signed in as {email}." if email else "signed in.")
