"""Fixtures of the tests that start processes."""

from pathlib import Path

import pytest


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder to serve; the home of whoever serves it lies beside it."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
