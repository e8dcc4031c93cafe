"""A small file of one user that all processes of this user change, one at a time."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from laconic.stores import SharedFile, StoreDown

HOLDER = """
import sys
from pathlib import Path
from laconic.stores import SharedFile
with SharedFile(Path(sys.argv[1])).lock() as is_ours:
    print(is_ours, flush=True)
    sys.stdin.read()
"""

ADDER = """
import sys, time
from pathlib import Path
from laconic.stores import SharedFile
file = SharedFile(Path(sys.argv[1]), durable=sys.argv[2] == "durable")
done = 0
while done < 50:
    with file.lock() as is_ours:
        if is_ours:
            file.write(str(int(file.read() or b"0") + 1).encode())
            done += 1
    time.sleep(0.0005)
"""


@pytest.mark.parametrize("durable", [True, False])
def test_it_is_the_users_alone_in_a_folder_of_the_users(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "new" / "file"
    file = SharedFile(path, durable=durable)
    assert file.read() == b""
    file.write(b"long content")
    file.write(b"short")

    assert file.read() == b"short"
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent)] == [0o600, 0o700]


def test_what_a_killed_writer_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    old, new = tmp_path / ".laconic-0123.tmp", tmp_path / ".laconic-4567.tmp"
    for draft in (old, new):
        draft.write_text("a token", encoding="utf-8")
    os.utime(old, (1, 1))
    SharedFile(tmp_path / "file").write(b"x")

    assert (old.exists(), new.exists()) == (False, True)


def test_another_process_sees_that_it_is_locked_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with SharedFile(path).lock() as is_ours:
            assert not is_ours
        other.kill()
    with SharedFile(path).lock() as is_ours:
        assert is_ours


@pytest.mark.parametrize("kind", ["durable", "fast"])
def test_no_change_of_several_processes_is_lost(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    running = [subprocess.Popen([sys.executable, "-c", ADDER, str(path), kind]) for _ in range(3)]

    assert [process.wait(50) for process in running] == [0, 0, 0]
    assert path.read_bytes() == b"150"


@pytest.mark.parametrize("durable", [True, False])
def test_what_is_in_the_way_is_reported_by_name_only(tmp_path: Path, durable: bool) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    below, itself = (SharedFile(tmp_path / name, durable=durable) for name in ("taken/file", "folder"))
    for work in (below.lock, lambda: below.write(b""), below.read, lambda: itself.write(b""), itself.read):
        with pytest.raises(StoreDown) as caught:
            work()
        assert str(tmp_path) not in str(caught.value)
