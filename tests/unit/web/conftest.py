"""A client of the API, with an empty library on each kind of database in turn."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient

from laconic.kit import Endpoint, HomeFolders, Settings, Tokens, http_app
from laconic.servers.notes.tools import notes
from laconic.servers.prompts.tools import prompts
from laconic.web.app import door, layers, routes
from laconic.web.opened import OpenLibrary
from tests.library import KINDS, address_of, emptied, in_own_task
from tests.unit.web.tokens import OTHER, OWNER, READER

ORIGIN = "http://127.0.0.1:8321"


@asynccontextmanager
async def serving(
    address: str,
    folder: Path,
    *,
    tokens: Tokens | None = None,
    sites: Sequence[str] = (),
    **settings: Any,
) -> AsyncIterator[AsyncClient]:
    """Serve the library over HTTP."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[AsyncClient]:
        chosen = Settings(database=address, **settings)
        endpoint = Endpoint([prompts, notes], settings=chosen, folders=HomeFolders.below(folder))
        library = OpenLibrary(endpoint)
        also = replace(tokens, also=[library.tokens]) if tokens else None
        beside: Any = {"beside": routes(library), "door": door(), "layers": layers(library)}
        app = http_app(endpoint, tokens=also, sites=sites, **beside)
        async with (
            app.router.lifespan_context(app),
            AsyncClient(transport=ASGITransport(app), base_url=ORIGIN, timeout=60) as client,
        ):
            client.app = app  # type: ignore[attr-defined]  # for tests that look at its routes
            client.library = library  # type: ignore[attr-defined]  # and at what it keeps
            yield client

    async with in_own_task(opened()) as client:
        yield client


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the library and everything else is."""
    return tmp_path_factory.mktemp("guarded")


@pytest.fixture(scope="module")
async def guarded(folder: Path) -> AsyncIterator[AsyncClient]:
    """A server with tokens."""
    tokens = Tokens(f"{ORIGIN}/mcp", {"owner": OWNER, "other": OTHER, "reader": READER}, read_only=["reader"])
    async with serving(str(folder / "library.db"), folder / "home", tokens=tokens) as client:
        yield client
