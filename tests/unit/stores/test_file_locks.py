"""Locks between processes, and the folder that work trees share."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from laconic.stores import StoreDown
from laconic.stores.locks import file_lock, git_common_dir, git_top, git_worktrees

HOLDER = "import sys; from pathlib import Path; from laconic.stores.locks import file_lock\n"
HOLDER += "with file_lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
WAITER = "import sys; sys.stdin.read()"


@pytest.fixture(params=["file", "folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What is locked: a file that does not exist yet, below a folder that does not either, or a folder."""
    return tmp_path / "new" / "file.lock" if request.param == "file" else tmp_path


def next_handle() -> int:
    handle = os.open(os.devnull, os.O_RDONLY)
    os.close(handle)
    return handle


def hold(place: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_another_process_waits_and_then_reports_the_lock(place: Path) -> None:
    with hold(place) as other:
        with (
            pytest.raises(StoreDown, match=r"held the lock on .* for 0.05 s"),
            file_lock(place, timeout=0.05),
        ):
            pytest.fail("two have it")
        other.communicate()

    with file_lock(place, timeout=0.05):
        pass


def test_a_lock_ends_with_its_holder(place: Path) -> None:
    with hold(place) as other:
        other.kill()
        other.wait()
        with file_lock(place, timeout=5):
            pass


def test_threads_exclude_each_other(place: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with file_lock(place):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most == [1]


def test_a_lock_is_free_again_after_a_failure(place: Path) -> None:
    with pytest.raises(ValueError, match="within"), file_lock(place):
        raise ValueError("within")

    with file_lock(place, timeout=0.05):
        pass


@pytest.mark.skipif(os.name != "posix", reason="handles are not inherited there")
def test_a_child_that_inherits_the_handle_does_not_keep_the_lock(place: Path) -> None:
    handle = next_handle()  # the one that the lock gets
    with file_lock(place):
        child = subprocess.Popen([sys.executable, "-c", WAITER], stdin=subprocess.PIPE, pass_fds=[handle])

    with child, file_lock(place, timeout=0.05):
        child.communicate()


@pytest.mark.skipif(os.name != "posix", reason="files have no modes there")
def test_everyone_who_may_use_the_folder_may_use_its_lock(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()

    with file_lock(tmp_path / "x.lock"):
        assert (tmp_path / "x.lock").stat().st_mode == other.stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")
def test_nothing_is_left_in_a_folder_that_was_locked(tmp_path: Path) -> None:
    with file_lock(tmp_path):
        pass

    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no flock")
def test_a_file_in_the_folder_is_locked_where_the_folder_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def flock(handle: int, how: int, real: object = fcntl.flock) -> None:
        if Path(f"/proc/self/fd/{handle}").is_dir():
            raise OSError(9, "Bad file descriptor")  # as NFS does
        assert callable(real)
        real(handle, how)

    monkeypatch.setattr("laconic.stores.locks.fcntl.flock", flock)
    before = next_handle()

    with file_lock(tmp_path):
        assert (tmp_path / "laconic.lock").is_file()
    assert next_handle() == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the mode of a folder does not stop root")
def test_a_read_only_place_is_reported(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(StoreDown, match="Cannot lock"), file_lock(tmp_path / "x.lock"):
        pass


def test_a_lock_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreDown, match=r"Cannot lock x\.lock: "), file_lock(tmp_path / "file" / "x.lock"):
        pass


def git(at: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
    return subprocess.run(command, cwd=at, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = (tmp_path / "main").resolve()
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "First")
    return folder


def common_dir_of_git(at: Path) -> Path:
    return Path(git(at, "rev-parse", "--path-format=absolute", "--git-common-dir"))


def test_the_common_folder_is_the_one_that_git_reports(repository: Path, tmp_path: Path) -> None:
    added, inner = tmp_path / "added", repository / "a/b"
    git(repository, "worktree", "add", "--quiet", str(added))
    inner.mkdir(parents=True)

    for place in (repository, inner, added):
        assert git_common_dir(place) == common_dir_of_git(place) == repository / ".git"
    assert [git_top(place) for place in (inner, added)] == [repository, added]


def test_existing_work_trees_are_returned(repository: Path, tmp_path: Path) -> None:
    names = [tmp_path / "one", tmp_path / "two"]
    for name in names:
        git(repository, "worktree", "add", "--quiet", str(name))
    names[1].rename(tmp_path / "away")

    assert git_worktrees(repository / ".git") == [repository, names[0].resolve()]


def test_a_submodule_is_a_separate_repository(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    git(other, "commit", "--quiet", "--allow-empty", "--message", "First")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")

    assert git_common_dir(repository / "sub") == common_dir_of_git(repository / "sub")


def test_a_bare_repository_with_work_trees_is_followed(repository: Path, tmp_path: Path) -> None:
    bare, tree = (tmp_path / "x.bare").resolve(), tmp_path / "tree"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(bare))
    git(bare, "worktree", "add", "--quiet", str(tree))

    assert git_common_dir(tree) == bare
    assert git_worktrees(bare) == [tree.resolve()]


@pytest.mark.parametrize("content", [None, "", "nonsense", "gitdir: nowhere"])
def test_a_folder_that_only_looks_like_a_repository_is_none(tmp_path: Path, content: str | None) -> None:
    if content is None:
        (tmp_path / ".git").mkdir()
    else:
        (tmp_path / ".git").write_text(content, encoding="utf-8")

    assert git_common_dir(tmp_path) is None or git_top(tmp_path) != tmp_path


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes with a name elsewhere")
@pytest.mark.parametrize("name", ["HEAD", "commondir", "worktrees/one/gitdir"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_pipe_or_a_device_in_a_repository_is_not_read(tmp_path: Path, name: str, kind: str) -> None:
    common = tmp_path / ".git"
    (common / "worktrees" / "one").mkdir(parents=True)
    (common / "HEAD").write_text("ref: refs/heads/main", encoding="utf-8")
    (common / name).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(common / name)
    else:
        (common / name).symlink_to("/dev/zero")

    assert git_common_dir(tmp_path) in (None, common.resolve())
    assert git_worktrees(common) == [tmp_path]


def test_of_a_huge_file_that_names_a_repository_only_the_beginning_is_read(tmp_path: Path) -> None:
    with (tmp_path / ".git").open("wb") as file:
        file.write(b"gitdir: ")
        file.truncate(1 << 40)  # takes no room on the disk

    assert git_top(tmp_path) != tmp_path


@pytest.mark.parametrize("name", ["commondir", "worktrees/one/gitdir"])
def test_a_path_that_no_system_has_leads_nowhere(tmp_path: Path, name: str) -> None:
    common = tmp_path / ".git"
    (common / "worktrees" / "one").mkdir(parents=True)
    (common / "HEAD").write_text("ref: refs/heads/main", encoding="utf-8")
    (common / name).write_bytes(b"a\0b")

    assert git_common_dir(tmp_path) == common.resolve()
    assert git_worktrees(common) == [tmp_path]
