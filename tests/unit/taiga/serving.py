"""The taiga server, connected to a Taiga on loopback as one of its users."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from laconic.kit import Settings
from laconic.kit.testing import TestClient, connect
from laconic.servers.taiga.tools import taiga
from tests.taiga_server import TaigaServer


def settings(site: TaigaServer, user: str = "alice", **more: Any) -> Settings:
    account = {"url": site.url, "username": user, "password": "practice"}
    own = {name: value for name, value in more.items() if name in Settings.__dataclass_fields__}
    section = account | {name: value for name, value in more.items() if name not in own}
    return Settings(sections={"taiga": section}, **own)


@asynccontextmanager
async def serving(
    site: TaigaServer, user: str = "alice", *, project: int | None = 1, **more: Any
) -> AsyncIterator[TestClient]:
    """Connect a client, with an active project unless it is None."""
    async with connect(taiga, settings=settings(site, user, **more)) as client:
        if project is not None:
            await client.call("taiga_set_active_project", projectId=project)
            site.app.seen.clear()
        yield client
