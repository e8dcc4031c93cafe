"""A practice Google on a loopback port, as it was in the beginning for each test."""

from collections.abc import Iterator

import pytest

from laconic.servers.google.kept import texts
from tests.google_server import GoogleServer, google_server


@pytest.fixture(scope="session")
def google_site() -> Iterator[GoogleServer]:
    with google_server() as served:
        yield served


@pytest.fixture
def site(google_site: GoogleServer) -> GoogleServer:
    google_site.reset()
    return google_site


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Revisions are asked for again at once."""
    monkeypatch.setattr(texts, "_FRESH", 0.0)
