"""Taiga: one instance, as one account."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from laconic.kit import BadConfiguration, Home, Page, Window, learn_secrets, time_left
from laconic.servers.taiga.api.account import SIGN_IN_PATHS, Account, claims_of, credential_of
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import Kind
from laconic.servers.taiga.models.projects import Member, Project
from laconic.servers.taiga.service.items import Items
from laconic.servers.taiga.service.metadata import members_of
from laconic.servers.taiga.service.projects import ActiveProject, Projects, no_project
from laconic.servers.taiga.settings import TaigaSettings
from laconic.upstream import ApiSession, Clash, Credential, OnceAtATime, Policy, Rejected, Retrying

_NO_ADDRESS = (
    "Set LACONIC_TAIGA_URL, or url under [taiga] in your own config.toml. Try it without one: --sandbox."
)


@dataclass
class Taiga:
    """Everything that tools ask for."""

    client: Client
    projects: Projects
    instance: str
    settings: TaigaSettings
    token: Callable[[], Any]

    def items(self, kind: Kind, project: ActiveProject) -> Items:
        """Return the items of a kind in a project."""

        async def fresh() -> ActiveProject:
            return await self.projects.get(project.id, fresh=True)

        return Items(self.client, kind, project, fresh, self.settings.priorities)

    async def list_projects(self, window: Window, *, include_public: bool) -> Page[Project]:
        """List the account's projects, or all that it can see."""
        return await self.projects.find(window, None if include_public else await self.me())

    async def read_project(self, chosen: int | str | None, active: int | None) -> Project:
        """Return a project, by default the active one.

        Raises:
            BadArguments: there is neither.
        """
        if chosen is None and active is None:
            raise no_project()
        found = await self.projects.get(chosen or active or 0)
        return self.projects.record(found, is_active=found.id == active)

    async def members(self, project: ActiveProject, window: Window) -> Page[Member]:
        """List the members of a project."""
        rows = await self.client.every("memberships", {"project": project.id})
        return members_of(project, rows, window)

    async def me(self) -> int:
        """Return the id of the account's user, which its token names."""
        known = claims_of(await self.token()).get("user_id")
        return int(known if known is not None else (await self.client.get("users", "me"))["id"])


def root_of(url: str) -> str:
    """Return the root of the API of an address that people write.

    Raises:
        BadConfiguration: there is no address.
    """
    address = url.strip().rstrip("/")
    if not address:
        raise BadConfiguration("No Taiga address is set.", advice=_NO_ADDRESS)
    return address if address.endswith("/api/v1") else f"{address}/api/v1"


@asynccontextmanager
async def opened(settings: TaigaSettings, home: Home) -> AsyncIterator[Taiga]:
    """Open an instance; nothing is sent before the first request."""
    practice = home.sandbox
    root = "https://taiga.sandbox/api/v1" if practice is not None else root_of(settings.url)
    host = root.partition("://")[2].partition("/")[0]
    username, password = settings.username, settings.password.get_secret_value()
    if practice is not None:
        username, password = practice.account
    account = Account(host, username, password, _given(settings))
    auth = OnceAtATime(home.credential(root, username), account.renew, learn=learn_secrets)
    async with ApiSession(root, auth, _policy(settings), app=practice) as session:
        account.session = session
        client = Client(session)
        yield Taiga(client, Projects(client, root, home.now), root, settings, auth.token)


def _given(settings: TaigaSettings) -> Credential | None:
    token, refresh = settings.token.get_secret_value(), settings.refresh.get_secret_value()
    return credential_of(token, refresh) if token or refresh else None


def _policy(settings: TaigaSettings) -> Policy:
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
