"""A client of the API, with an empty library on each kind of database in turn."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient

from laconic.kit import Endpoint, HomeFolders, Settings, Tokens, http_app
from laconic.servers.notes.tools import notes
from laconic.servers.prompts.tools import prompts
from laconic.web.app import door, routes
from laconic.web.opened import OpenLibrary
from tests.library import KINDS, address_of, emptied

ORIGIN = "http://127.0.0.1:8321"


@asynccontextmanager
async def serving(
    address: str, folder: Path, *, tokens: Tokens | None = None, **settings: Any
) -> AsyncIterator[AsyncClient]:
    """Serve the library over HTTP, in a task of its own: fixtures of a session may end in any order."""
    ready, over = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def hold() -> None:
        chosen = Settings(database=address, **settings)
        endpoint = Endpoint([prompts, notes], settings=chosen, folders=HomeFolders.below(folder))
        opened = OpenLibrary(endpoint)
        also = replace(tokens, also=[opened.tokens]) if tokens else None
        app = http_app(endpoint, beside=routes(opened), door=door(), tokens=also)
        async with (
            app.router.lifespan_context(app),
            AsyncClient(transport=ASGITransport(app), base_url=ORIGIN, timeout=60) as client,
        ):
            client.app = app  # type: ignore[attr-defined]  # for tests that look at its routes
            ready.set_result(client)
            await over.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
    if not ready.done():
        await task  # it failed
    try:
        yield ready.result()
    finally:
        over.set()
        await task


@pytest.fixture(scope="session", params=KINDS)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a library."""
    return address_of(request.param, request, tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
async def served(library: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncClient]:
    """One server for all tests."""
    async with serving(library, tmp_path_factory.mktemp("home")) as client:
        yield client


@pytest.fixture
async def api(served: AsyncClient, library: str) -> AsyncClient:
    """A client whose library is empty."""
    await emptied(library)
    return served
