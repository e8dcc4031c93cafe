"""A practice Google that the tests of a file share."""

from collections.abc import Iterator

import pytest

from tests.google_server import GoogleServer, google_server


@pytest.fixture(scope="module")
def served() -> Iterator[GoogleServer]:
    with google_server() as site:
        yield site
