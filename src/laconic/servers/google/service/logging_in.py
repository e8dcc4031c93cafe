"""Logging in and out: a person agrees once, and the servers of this user go on with the tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from laconic.kit import Home, Refused, learn_secrets
from laconic.servers.google.accounts.consent import Consent, Loopback
from laconic.servers.google.accounts.keys import OAuthClient
from laconic.servers.google.accounts.known import KnownAccount, LoginEntry, Logins, logins_file, logins_of
from laconic.servers.google.accounts.scopes import scopes_for
from laconic.servers.google.accounts.tokens import TokenMaker, short_scopes, token_policy
from laconic.servers.google.api.explaining import signed_out
from laconic.servers.google.service.asking import email_of
from laconic.servers.google.service.opening import credential_of, open_account
from laconic.servers.google.settings import GoogleSettings
from laconic.upstream import ApiSession, Credential, Unauthorised, UpstreamError, held

_PATIENCE: Final = 300.0  # seconds for a person to answer
_LOCK: Final = 30.0


@dataclass(frozen=True)
class Asking:
    """How a person is asked: shows an address, and perhaps takes the one that the browser ended at."""

    show: Callable[[str], None]
    paste: Callable[[], str] | None = None  # None: the browser comes to this machine


async def log_in(
    settings: GoogleSettings, home: Home, alias: str, client: OAuthClient, asking: Asking
) -> LoginEntry:
    """Ask a person, and keep the tokens under an alias.

    Raises:
        Failure: the person said no, or Google cannot be reached.
    """
    scopes = scopes_for(settings.services, settings.scopes, read_only=home.read_only)
    async with Loopback() as loopback:
        consent = Consent(client, scopes, loopback.redirect)
        loopback.state = consent.state
        asking.show(consent.address(settings.consent))
        came = asking.paste() if asking.paste else await loopback.came(_PATIENCE)
    async with ApiSession(settings.oauth, policy=token_policy(settings.timeout)) as session:
        tokens = TokenMaker(session, home.now)
        try:
            new = await tokens.from_code(client, consent.code(came), consent.verifier, consent.redirect)
        except Unauthorised as error:
            raise signed_out(error, KnownAccount(alias, "login")) from error
    if not new.refresh:
        raise Refused(
            "Google sent no token that lasts.", advice="Remove the app's access at Google, and log in again."
        )
    learn_secrets(new.secrets)
    return await _kept(settings, home, KnownAccount(alias, "login"), new)


async def _kept(settings: GoogleSettings, home: Home, account: KnownAccount, new: Credential) -> LoginEntry:
    kept = credential_of(account, settings, home)
    async with held(kept.record, _LOCK) as is_ours:
        if not is_ours:
            raise Refused("Another process is signing in. Try again.", category="server")
        kept.write(new)
    opened = open_account(account, settings, home)
    try:
        email = await email_of(opened.access, settings.services)
    finally:
        await opened.close()
    entry = LoginEntry(email=email, scopes=short_scopes(new.more["scopes"]))
    _note(home, account.alias, entry)
    return entry


def _note(home: Home, alias: str, entry: LoginEntry | None) -> None:
    own = replace(home, caller=None)
    file = logins_file(own)
    with file.lock():
        known = logins_of(own)
        known.pop(alias, None)
        if entry is not None:
            known[alias] = entry
        file.write(Logins(logins=known).model_dump_json().encode())


async def log_out(settings: GoogleSettings, home: Home, alias: str) -> bool:
    """End an account's tokens at Google and forget them; True if Google confirmed it.

    Raises:
        Refused: nobody signed in under this alias.
    """
    known = logins_of(replace(home, caller=None))
    if alias not in known:
        listed = f" Known: {', '.join(known)}." if known else ""
        raise Refused(f"Nobody signed in as '{alias[:80]}'.{listed}", advice="")
    kept = credential_of(KnownAccount(alias, "login"), settings, home)
    last = kept.read()
    async with held(kept.record, _LOCK):
        kept.forget()
    _note(home, alias, None)
    if last is None:
        return False
    async with ApiSession(settings.oauth, policy=token_policy(settings.timeout)) as session:
        try:
            await TokenMaker(session, home.now).revoke(last.refresh or last.token)
        except UpstreamError:  # forgotten here all the same
            return False
    return True
