"""Opening an account: the sessions of its APIs, which share a token and the limits of the person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from laconic.kit import Home, learn_secrets, time_left
from laconic.servers.google.accounts.known import KnownAccount
from laconic.servers.google.accounts.renewing import Renewing
from laconic.servers.google.accounts.scopes import scopes_for
from laconic.servers.google.accounts.tokens import TokenMaker, token_policy
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.quotas import QUOTAS
from laconic.servers.google.api.reasons import kind_of_refusal
from laconic.servers.google.catalogue.index import APIS
from laconic.servers.google.kept import Kept
from laconic.servers.google.settings import GoogleSettings
from laconic.stores import SharedFile
from laconic.upstream import ApiSession, KeptCredential, OnceAtATime, Pace, Policy, Retrying, credential_name

PRACTICE: Final = "https://google.sandbox"


@dataclass(frozen=True)
class Opened:
    """An account that is open."""

    access: Access
    tokens: ApiSession

    async def close(self) -> None:
        """Close the connections."""
        for session in (*self.access.sessions.values(), self.tokens):
            await session.close()


def settings_for(settings: GoogleSettings, home: Home) -> GoogleSettings:
    """Return the settings with the addresses of the practice instance, if that is used."""
    if home.sandbox is None:
        return settings
    return settings.model_copy(update=dict.fromkeys((*APIS, "oauth", "consent"), PRACTICE))


def credential_of(account: KnownAccount, settings: GoogleSettings, home: Home) -> KeptCredential:
    """Return where an account's credential is kept, bound to the hosts of the APIs."""
    settings = settings_for(settings, home)
    scopes = _scopes(settings, home)
    parts = (account.alias, account.subject, *scopes, account.mark)
    name = account.alias if account.kind == "login" else " ".join(parts)
    others = [settings.root_of(api) for api in APIS]
    return replace(home, caller=None).credential(settings.oauth, name, others)


def open_account(account: KnownAccount, settings: GoogleSettings, home: Home) -> Opened:
    """Open an account; nothing is sent before the first request."""
    settings = settings_for(settings, home)
    tokens = ApiSession(settings.oauth, policy=token_policy(settings.timeout), app=home.sandbox)
    practice = home.sandbox.account[1] if home.sandbox is not None else ""
    renewing = Renewing(account, TokenMaker(tokens, home.now), _scopes(settings, home), practice)
    auth = OnceAtATime(credential_of(account, settings, home), renewing.renew, learn=learn_secrets)
    pace_file = home.cache / f"pace-{credential_name(settings.oauth, account.alias)}"
    pace = Pace(SharedFile(pace_file, durable=False), QUOTAS if home.sandbox is None else {})
    sessions = {
        api: ApiSession(
            settings.root_of(api), auth, _policy(settings, account.project), pace=pace, app=home.sandbox
        )
        for api in APIS
    }
    who = " ".join((account.alias, account.email, account.key, account.mark, account.subject))
    kept = Kept(home.store, who, home.now, home.caller.name if home.caller else "")
    return Opened(Access(account, sessions, kept, home.profile), tokens)


def _scopes(settings: GoogleSettings, home: Home) -> list[str]:
    return scopes_for(settings.services, settings.scopes, read_only=home.read_only)


def _policy(settings: GoogleSettings, project: str) -> Policy:
    return Policy(
        headers={"x-goog-user-project": project} if project else {},
        timeout=settings.timeout,
        most=20_000_000,
        retrying=Retrying(patience=settings.patience, throttled_creates=True),
        kind=kind_of_refusal,
        time_left=time_left,
    )
