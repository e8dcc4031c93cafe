"""The google server, connected to a Google on loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from laconic.kit import Endpoint, HomeFolders, Settings
from laconic.kit.testing import TestClient, connect
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer


def settings(site: GoogleServer, folder: Path, **more: Any) -> Settings:
    """Settings with one account, `work`, unless others are given."""
    own = {name: value for name, value in more.items() if name in Settings.__dataclass_fields__}
    rest = {name: value for name, value in more.items() if name not in own}
    accounts = rest.pop("accounts", None)
    if accounts is None:
        accounts = {"work": {"key": site.key_file(folder)}}
    workspace = folder / "workspace"
    workspace.mkdir(exist_ok=True)
    section = {**site.roots, "accounts": accounts, "workspace": str(workspace), "patience": 0, **rest}
    return Settings(sections={"google": section}, **own)


@asynccontextmanager
async def serving(site: GoogleServer, folder: Path, **more: Any) -> AsyncIterator[TestClient]:
    """Connect a client; its state is in memory, unless `state` is a store that it shares."""
    folders = HomeFolders.below(folder / "home")
    more_of = {name: more.pop(name, None) for name in ("journal", "state")}
    endpoint = Endpoint([google], settings=settings(site, folder, **more), folders=folders, **more_of)
    try:
        async with connect(endpoint=endpoint) as client:
            yield client
    finally:
        await endpoint.close()
