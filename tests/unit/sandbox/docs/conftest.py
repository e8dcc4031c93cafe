"""The practice Docs: the tests of a file share one site, and make documents of their own."""

import pytest

from tests.google_server import GoogleServer


@pytest.fixture(scope="module")
def site(served: GoogleServer) -> GoogleServer:
    return served
