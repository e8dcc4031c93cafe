"""A practice Google for each test."""

from collections.abc import Iterator

import pytest

from tests.google_server import GoogleServer, google_server


@pytest.fixture
def site() -> Iterator[GoogleServer]:
    with google_server() as served:
        yield served
