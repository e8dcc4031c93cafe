"""A library on each kind of database in turn."""

from pathlib import Path

import pytest

from tests.library import KINDS, address_of


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a library that is empty."""
    (tmp_path / "data").mkdir()
    return address_of(request.param, request, tmp_path / "data")
