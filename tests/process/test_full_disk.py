"""A disk that is full: the answer says so, nothing is lost, and all goes on once there is room."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.needs("own mounts")
def test_a_library_on_a_full_disk_is_read_and_loses_nothing(tmp_path: Path) -> None:
    alone = ["unshare", "--map-root-user", "--mount"]
    done = subprocess.run(
        [*alone, sys.executable, "-m", "tests.process.full_disk", tmp_path / "disk"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
