"""Laconic installed in two ways, once for all tests of the pages."""

from pathlib import Path

import pytest

from tests.installations import Installation, from_clone, from_wheel, wheel


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the present tree."""
    return wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A person who installed the wheel."""
    return from_wheel(tmp_path_factory.mktemp("wheel"), built)


@pytest.fixture(scope="session")
def cloned(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A person who has a clone."""
    return from_clone(tmp_path_factory.mktemp("clone"))
