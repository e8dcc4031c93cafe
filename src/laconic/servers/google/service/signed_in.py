"""Signed in: what an account has allowed, and the end of that."""

from __future__ import annotations

from laconic.effects import note_change
from laconic.kit import Refused
from laconic.servers.google.accounts.known import LOCAL
from laconic.servers.google.accounts.tokens import short_scopes
from laconic.servers.google.api.access import Access
from laconic.servers.google.service.asking import email_of
from laconic.servers.google.service.google import Google
from laconic.servers.google.service.logging_in import log_out
from laconic.servers.google.service.opening import credential_of


async def scopes_of(google: Google, access: Access) -> list[str]:
    """Return what an account has allowed, as Google says when it makes a token."""
    await email_of(access, google.settings.services)  # so that there is a token
    kept = credential_of(google.account(access.alias), google.settings, google.home).read()
    return short_scopes(kept.more.get("scopes", "")) if kept else []


async def forget_tokens(google: Google, alias: str) -> str:
    """Forget the tokens of an account; a login is ended at Google as well.

    Raises:
        Refused: the caller is not the user of this machine.
    """
    caller = google.home.caller.name if google.home.caller else LOCAL
    if caller != LOCAL:
        raise Refused("Only the user of this machine may end a sign-in.", advice="")
    account = google.account(alias)
    note_change(alias)
    await google.forget(account)
    if account.kind == "login":
        is_ended = await log_out(google.settings, google.home, alias)
        end = "Google ended them, too." if is_ended else "Google did not confirm that they ended."
        return f"Forgot the tokens of '{alias}'. {end} To sign in again: laconic google login."
    credential_of(account, google.settings, google.home).forget()
    return f"Forgot the token of '{alias}'. The next call makes another from its key."
