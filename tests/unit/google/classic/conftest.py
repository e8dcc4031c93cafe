"""The practice Google of the tests one folder up, and a classic server that the tests of a file share."""

from collections.abc import AsyncIterator

import pytest

from laconic.kit.testing import TestClient
from tests.google_server import GoogleServer
from tests.unit.google.conftest import google_site, site
from tests.unit.google.serving import serving

__all__ = ["google_site", "site"]


@pytest.fixture(scope="module")
async def connected(
    google_site: GoogleServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[TestClient, dict[str, dict[str, str]]]]:
    """A client, and the grants that let its account in."""
    google_site.reset()
    folder = tmp_path_factory.mktemp("classic")
    async with serving(google_site, folder, tools={"google": "classic"}) as client:
        yield client, dict(google_site.app.state.rows("grants"))  # type: ignore[arg-type]  # by text


@pytest.fixture
def classic(site: GoogleServer, connected: tuple[TestClient, dict[str, dict[str, str]]]) -> TestClient:
    """The client of the file; Google's files are as in the beginning."""
    client, grants = connected
    site.app.state.rows("grants").update(grants)  # type: ignore[arg-type]  # by text
    return client
