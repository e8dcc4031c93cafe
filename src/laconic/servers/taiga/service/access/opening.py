"""Opening an instance: the session, signed in as an account, with its limits and waits."""

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from laconic.kit import Home, learn_secrets, time_left
from laconic.servers.taiga.api.account import SIGN_IN_PATHS, Account
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.service.access.accounts import UsedAccount, is_exposed, used_account
from laconic.servers.taiga.service.projects import Projects
from laconic.servers.taiga.service.taiga import Taiga
from laconic.servers.taiga.settings import TaigaSettings
from laconic.stores import SharedFile
from laconic.upstream import (
    ApiSession,
    Clash,
    OnceAtATime,
    Pace,
    Policy,
    Quota,
    Rejected,
    Retrying,
    credential_name,
)

log = logging.getLogger("laconic.taiga")


@asynccontextmanager
async def opened(settings: TaigaSettings, home: Home) -> AsyncIterator[Taiga]:
    """Open an instance for a caller; nothing is sent before the first request."""
    used = used_account(settings, home)
    if is_exposed(used.root):
        log.warning("%s is not encrypted: others on the way can read the password. Use https.", used.root)
    signing_in = Account(used.host, used.username, used.password, used.given)
    kept_projects: list[Projects] = []

    def learn(secrets: Iterable[str]) -> None:
        learn_secrets(secrets)
        for one in kept_projects:  # with another token the account may see other things
            one.forget()

    auth = OnceAtATime(used.credential, signing_in.renew, learn=learn)
    async with ApiSession(
        used.root, auth, policy_of(settings), pace=_pace(settings, used), app=home.sandbox
    ) as session:
        signing_in.session = session
        client = Client(session)
        kept_projects.append(Projects(client, used.root, home.now))
        yield Taiga(client, kept_projects[0], used.root, settings, auth.token)


def _pace(settings: TaigaSettings, used: UsedAccount) -> Pace:
    """Return how long to wait, which all processes of the user know together: a 429 that one got is for all.

    A limit of our own is kept only if there is one; those of an instance cannot be asked for.
    """
    limit = settings.requests_per_minute
    quotas = {} if limit is None else dict.fromkeys(("reads", "writes"), Quota(limit))
    name = f"pace-{credential_name(used.root, used.name)}"
    return Pace(SharedFile(used.home.cache / name, durable=False), quotas)


def policy_of(settings: TaigaSettings) -> Policy:
    """Return how an instance is asked."""
    return Policy(
        timeout=settings.timeout,
        concurrency=4,
        waits=("X-Throttle-Wait-Seconds",),
        unsigned=SIGN_IN_PATHS,
        retrying=Retrying(patience=settings.patience),
        kind=_kind,
        time_left=time_left,
    )


def _kind(status: int, body: Any) -> type[Rejected] | None:
    """Tell a version that does not fit from other mistakes: it is a plain text, the others are lists."""
    is_version = status == 400 and isinstance(body, dict) and isinstance(body.get("version"), str)
    return Clash if is_version else None
