"""A client of the notes server, with an empty library on each kind of database in turn."""

import pytest

from laconic.kit import Toolset
from laconic.servers.notes.tools import notes
from tests.library_fixtures import client, connected, library

__all__ = ["client", "connected", "library"]


@pytest.fixture(scope="session")
def toolset() -> Toolset:
    """The server."""
    return notes
