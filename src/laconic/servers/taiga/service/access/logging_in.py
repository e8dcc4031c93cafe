"""Logging in and out: a person signs in once, and the servers of this user go on with the tokens."""

from dataclasses import dataclass, replace
from typing import Any

from laconic.kit import Caller, Home, Refused, learn_secrets
from laconic.servers.taiga.api.account import Account
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.service.access.accounts import Login, UsedAccount, login_file, login_of, root_of
from laconic.servers.taiga.service.access.opening import policy_of
from laconic.servers.taiga.service.failures import telling
from laconic.servers.taiga.settings import TaigaSettings
from laconic.upstream import ApiSession, KeptCredential, OnceAtATime, held


@dataclass(frozen=True)
class SignedIn:
    """Who signed in, and where."""

    root: str
    username: str
    full_name: str


def home_of(home: Home, caller: str) -> Home:
    """Return the home of a caller over HTTP, or that of the user for an empty name."""
    return replace(home, caller=Caller(caller) if caller else None)


async def log_in(settings: TaigaSettings, home: Home, url: str, username: str, password: str) -> SignedIn:
    """Sign in with a password, which is not kept, and keep the tokens.

    Raises:
        Failure: Taiga cannot be reached, or does not accept the password.
    """
    learn_secrets([password])
    used = UsedAccount(root_of(url), username, home, username, password)
    account = Account(used.host, used.username, used.password)
    async with ApiSession(used.root, policy=policy_of(settings)) as session:
        account.session = session
        with telling():
            new = await account.renew(None)
    kept = used.credential
    async with held(kept.record, 30) as is_ours:
        if not is_ours:
            raise Refused("Another process is signing in. Try again.", category="server")
        kept.write(new)
    _write(home, Login(root=used.root, name=used.name))
    used.beside("caller").write(b"")  # whoever calls first may have it
    me = await who_am_i(settings, used)
    return SignedIn(used.root, str(me["username"]), str(me.get("full_name_display") or me["username"]))


async def who_am_i(settings: TaigaSettings, used: UsedAccount) -> dict[str, Any]:
    """Return what Taiga says about an account."""
    account = Account(used.host, used.username, used.password, used.given)
    auth = OnceAtATime(used.credential, account.renew, learn=learn_secrets)
    async with ApiSession(used.root, auth, policy_of(settings)) as session:
        account.session = session
        with telling():
            return await Client(session).get("users", "me")


async def log_out(home: Home) -> str:
    """Forget the tokens of the last login; return where it was, or nothing if there was none."""
    login = login_of(home)
    if login is None:
        return ""
    kept: KeptCredential = home.credential(login.root, login.name)
    async with held(kept.record, 30):
        kept.forget()
    _write(home, None)
    return login.root


def _write(home: Home, login: Login | None) -> None:
    file = login_file(home)
    with file.lock():
        file.write(login.model_dump_json().encode() if login else b"")
