"""Known accounts: from a login, the configuration, or the machine; each by its alias, none by surprise."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, Field, ValidationError

from laconic.kit import BadArguments, Home, Problem, Refused
from laconic.servers.google.settings import GoogleSettings
from laconic.stores import SharedFile
from laconic.text import did_you_mean, nearest

Kind = Literal["login", "service", "machine", "practice"]
LOCAL: Final = "local"  # the caller on this machine
MACHINE: Final = "default"  # the alias of the machine's own credentials
VARIABLE: Final = "GOOGLE_APPLICATION_CREDENTIALS"
_HOW: Final = (
    "Run 'laconic google login', or name a service account's key. Try it without an account: --sandbox."
)


@dataclass(frozen=True)
class KnownAccount:
    """An account that can be used."""

    alias: str
    kind: Kind
    key: str = field(default="", repr=False)  # the file with a service account's key, or the machine's
    subject: str = ""
    callers: tuple[str, ...] = ()
    email: str = ""
    project: str = ""  # whose quota counts, if the key file names one, as gcloud's do
    mark: str = ""  # of the key in the file: another key is another account, whatever its alias


class LoginEntry(BaseModel):
    """Somebody who signed in with `laconic google login`."""

    email: str = ""
    scopes: list[str] = Field(default_factory=list)


class Logins(BaseModel):
    """Everybody who signed in, by alias."""

    logins: dict[str, LoginEntry] = Field(default_factory=dict)


def logins_file(home: Home) -> SharedFile:
    """Return the file that says who signed in."""
    return SharedFile(home.credentials / "logins.json")


def logins_of(home: Home) -> dict[str, LoginEntry]:
    """Return who signed in, by alias."""
    return _logins(home) or {}


def _logins(home: Home) -> dict[str, LoginEntry] | None:
    """Return who signed in; None if the file was damaged, so that nobody knows."""
    written = logins_file(home).read()
    try:
        return Logins.model_validate_json(written).logins if written else {}
    except ValidationError:
        return None


def accounts_of(settings: GoogleSettings, home: Home) -> dict[str, KnownAccount]:
    """Return the accounts that a caller may use, by alias."""
    if home.sandbox is not None:
        return {"practice": KnownAccount("practice", "practice", email=home.sandbox.account[0])}
    found = _all_accounts(settings, replace(home, caller=None))
    caller = home.caller.name if home.caller else LOCAL
    return {alias: one for alias, one in found.items() if caller == LOCAL or caller in one.callers}


def _all_accounts(settings: GoogleSettings, home: Home) -> dict[str, KnownAccount]:
    found: dict[str, KnownAccount] = {}
    logins = _logins(home)
    for alias, login in (logins or {}).items():
        found[alias] = KnownAccount(alias, "login", email=login.email)
    for alias, given in settings.accounts.items():
        known = found.get(alias)
        callers = tuple(given.callers)
        if given.key:
            found[alias] = _by_key(KnownAccount(alias, "service", given.key, given.subject, callers))
        elif known is not None:
            found[alias] = replace(known, callers=callers)
    machine = "" if found or logins is None else machine_key()  # never in place of a login that is lost
    if machine:
        found[MACHINE] = _by_key(KnownAccount(MACHINE, "machine", machine))
    return found


def _by_key(account: KnownAccount) -> KnownAccount:
    try:
        content = Path(account.key).expanduser().read_bytes()
    except OSError:  # who uses the account is told
        return account
    try:
        found = json.loads(content)
    except ValueError:
        found = None
    project = found.get("quota_project_id") if isinstance(found, dict) else None
    mark = sha256(content).hexdigest()[:12]
    return replace(account, mark=mark, project=project if isinstance(project, str) else "")


def machine_key() -> str:
    """Return the file with the machine's own credentials; empty if there is none."""
    named = os.environ.get(VARIABLE, "")
    folder = os.environ.get("CLOUDSDK_CONFIG") or Path.home() / ".config" / "gcloud"
    usual = Path(folder) / "application_default_credentials.json"
    return named or (str(usual) if usual.is_file() else "")


def chosen_account(
    accounts: Mapping[str, KnownAccount], alias: str | None, default: str, caller: str
) -> KnownAccount:
    """Return the account of a call: the one it names, the default one, or the only one.

    Raises:
        Refused: there is none for this caller.
        BadArguments: there is no such account, or several and none was named.
    """
    if not accounts:
        if caller != LOCAL:
            raise Refused(
                "No Google account of this server is for you.",
                advice=f'A person can name you: callers = ["{caller}"] under [google.accounts.ALIAS].',
            )
        raise Refused("No Google account is signed in.", advice=_HOW)
    name = alias or default or (next(iter(accounts)) if len(accounts) == 1 else "")
    if name in accounts:
        return accounts[name]
    known = ", ".join(sorted(accounts))
    if not name:
        message = f"Several accounts are signed in: {known}. Say which with account."
        raise BadArguments([Problem("account", message)])
    if not alias:
        message = (
            f"The usual account, '{name[:80]}', is not signed in. Known: {known}. Say which with account."
        )
        raise BadArguments([Problem("account", message)])
    hint = did_you_mean(nearest(name, accounts), otherwise=f"Known: {known}.")
    raise BadArguments([Problem("account", f"There is no account '{name[:80]}'.{hint}", name)])
