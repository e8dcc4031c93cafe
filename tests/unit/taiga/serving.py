"""The taiga server, connected to a Taiga on loopback as one of its users."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from laconic.kit import Endpoint, HomeFolders, Settings
from laconic.kit.testing import Reply, TestClient, connect
from laconic.sandbox.taiga.site.samples import PASSWORD
from laconic.servers.taiga.tools import taiga
from laconic.servers.taiga.tools.more import taiga_more
from tests.taiga_server import TaigaServer

FORMS = ("text", "structured", "both")


def settings(site: TaigaServer, user: str = "alice", **more: Any) -> Settings:
    account = {"url": site.url, "username": user, "password": PASSWORD}
    own = {name: value for name, value in more.items() if name in Settings.__dataclass_fields__}
    section = account | {name: value for name, value in more.items() if name not in own}
    return Settings(sections={"taiga": section}, **own)


@asynccontextmanager
async def serving(
    site: TaigaServer,
    user: str = "alice",
    *,
    project: int | None = 1,
    folders: HomeFolders | None = None,
    **more: Any,
) -> AsyncIterator[TestClient]:
    """Connect a client to both toolsets, with an active project unless it is None."""
    endpoint = Endpoint([taiga, taiga_more], settings=settings(site, user, **more), folders=folders)
    try:
        async with connect(endpoint=endpoint) as client:
            if project is not None:
                await client.call("taiga_set_active_project", projectId=project)
                site.app.seen.clear()
            yield client
    finally:
        await endpoint.close()


def error_of(reply: Reply) -> dict[str, Any]:
    """The error of an answer in its envelope."""
    assert reply.failed and reply.structured["ok"] is False, reply.text
    error: dict[str, Any] = reply.structured["error"]
    return error


def data_of(reply: Reply) -> Any:
    """The data of an answer in its envelope."""
    assert not reply.failed and reply.structured["ok"] is True, reply.text
    return reply.structured["data"]


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that happens soon, or after a while on a busy machine."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, "it did not happen within a minute"
        await asyncio.sleep(0.01)
