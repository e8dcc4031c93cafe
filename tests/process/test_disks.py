"""A disk that is full or read-only: the answer says so, nothing is lost, and all goes on when it can."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.needs("own mounts")
@pytest.mark.parametrize("disk", ["full", "read-only"])
def test_a_library_on_such_a_disk_is_read_and_loses_nothing(tmp_path: Path, disk: str) -> None:
    alone = ["unshare", "--map-root-user", "--mount"]
    done = subprocess.run(
        [*alone, sys.executable, "-m", "tests.process.disks", disk, tmp_path / "disk"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
