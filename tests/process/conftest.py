"""Fixtures of the tests that start processes."""

from pathlib import Path

import pytest


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder to serve, next to the home folder of its server."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
