"""A folder of text files: names that stay inside, writes that are whole or not at all."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from laconic.stores import Folder, Missing, OutsideFolder, Stamp, StoreDown, Taken, Unreadable
from tests.unit.stores.keepers import race

TEXT = "# Title\r\n\r\nüñí ☃\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def folder(root: Path) -> Folder:
    return Folder(root)


def write_new(root: Path, number: int) -> bool:
    try:
        Folder(root).write_new("a.md", f"{number}\n" * 1000)
    except Taken:
        return False
    return True


def drafts(root: Path) -> list[str]:
    return [path.name for path in root.rglob(".*")]


def test_what_was_written_is_read_byte_for_byte(folder: Folder, root: Path) -> None:
    folder.write_new("a.md", TEXT)
    assert folder.read("a.md") == TEXT
    assert (root / "a.md").read_bytes() == TEXT.encode()
    assert folder.names() == ["a.md"]
    assert drafts(root) == []


def test_a_folder_that_does_not_exist_yet_is_empty(folder: Folder, root: Path) -> None:
    assert folder.names() == []
    assert folder.stamps() == {}
    assert not folder.delete("a.md")
    assert not root.exists()


def test_a_second_write_new_is_refused(folder: Folder, root: Path) -> None:
    folder.write_new("a.md", "1")
    with pytest.raises(Taken, match=r"A file a\.md already exists"):
        folder.write_new("a.md", "2")
    assert folder.read("a.md") == "1"
    assert drafts(root) == []


def test_without_hard_links_a_second_write_new_is_refused_too(
    folder: Folder, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    folder.write_new("a.md", "1")
    with pytest.raises(Taken):
        folder.write_new("a.md", "2")
    assert folder.read("a.md") == "1"
    assert drafts(root) == []


@pytest.mark.slow
def test_of_eight_processes_that_write_new_one_wins(root: Path) -> None:
    won = race(write_new, root)
    assert won.count(True) == 1
    assert Folder(root).read("a.md") == f"{won.index(True)}\n" * 1000
    assert drafts(root) == []


def test_write_replaces_and_keeps_the_mode(folder: Folder, root: Path) -> None:
    folder.write("a.md", "1")
    (root / "a.md").chmod(0o640)
    folder.write("a.md", "2")
    assert folder.read("a.md") == "2"
    assert stat.S_IMODE((root / "a.md").stat().st_mode) == 0o640
    assert drafts(root) == []


def test_a_new_file_has_the_mode_that_files_of_the_user_have(folder: Folder, root: Path) -> None:
    before = os.umask(0o027)
    try:
        folder.write_new("a.md", "1")
        folder.write("b.md", "1")
    finally:
        os.umask(before)
    assert [stat.S_IMODE((root / name).stat().st_mode) for name in ("a.md", "b.md")] == [0o640, 0o640]


@pytest.mark.parametrize("last_step", ["hardlink_to", "replace"])
def test_a_process_killed_before_the_last_step_leaves_nothing_to_list(root: Path, last_step: str) -> None:
    Folder(root).write_new("old.md", "old")
    program = (
        "import os, pathlib, signal, sys; from laconic.stores import Folder\n"
        f"pathlib.Path.{last_step} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "folder = Folder(pathlib.Path(sys.argv[1]))\n"
        "folder.write('old.md', 'new') if sys.argv[2] == 'replace' else folder.write_new('new.md', 'new')"
    )
    killed = subprocess.run([sys.executable, "-c", program, root, last_step], timeout=30)
    assert killed.returncode == -9
    assert len(drafts(root)) == 1
    after = Folder(root, "*", depth=None)
    assert after.names() == ["old.md"]
    assert after.read("old.md") == "old"
    after.write_new("new.md", "new")


def test_a_failed_write_leaves_no_draft(folder: Folder, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    folder.write("a.md", "1")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreDown, match=r"a\.md cannot be written: No space left on device"):
        folder.write("a.md", "2")
    assert folder.read("a.md") == "1"
    assert drafts(root) == []


def test_half_a_character_is_not_written(folder: Folder) -> None:
    with pytest.raises(Unreadable, match="half a character at 1"):
        folder.write("a.md", "x\ud800")
    assert folder.names() == []


def test_names_are_sorted_and_only_those_that_fit(folder: Folder, root: Path) -> None:
    for name in ("b.md", "a.md", "c.txt", "D.MD", ".hidden.md", "sub/e.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")
    (root / "folder.md").mkdir()
    assert folder.names() == ["a.md", "b.md"]


def test_sub_folders_are_listed_as_deep_as_allowed(root: Path) -> None:
    deep = Folder(root, depth=None)
    for name in ("a.md", "x/b.md", "x/y/c.md", "x/y/z.md/d.md"):
        deep.write_new(name, name)
    (root / ".git").mkdir()
    (root / ".git" / "e.md").write_text("x", encoding="utf-8")
    assert deep.names() == ["a.md", "x/b.md", "x/y/c.md", "x/y/z.md/d.md"]
    assert Folder(root, depth=1).names() == ["a.md", "x/b.md"]
    with pytest.raises(OutsideFolder):
        Folder(root, depth=1).read("x/y/c.md")


@pytest.mark.parametrize(
    "name",
    [
        "../x.md",
        "..",
        ".",
        "",
        "/x.md",
        "/etc/passwd",
        "a/../../x.md",
        "a/./x.md",
        "a//x.md",
        "a/",
        "a\\x.md",
        "..\\x.md",
        "x.md\0",
        "\0.md",
        ".x.md",
        ".git/x.md",
        "x.txt",
        "x.md\n",
        "x\udc80.md",
        "~/../../x.md",
    ],
)
def test_an_invalid_name_is_refused_by_every_method(root: Path, name: str) -> None:
    folder = Folder(root, depth=None)
    for verb in (folder.read, folder.read_bytes, folder.stat, folder.delete):
        with pytest.raises(OutsideFolder):
            verb(name)
    for write in (folder.write, folder.write_new):
        with pytest.raises(OutsideFolder):
            write(name, "x")
    assert not root.exists()


def test_a_link_that_leads_out_is_neither_listed_nor_followed(folder: Folder, root: Path) -> None:
    outside = root.with_name("outside.md")
    outside.write_text("secret", encoding="utf-8")
    folder.write("a.md", "1")
    (root / "out.md").symlink_to(outside)
    (root / "dangling.md").symlink_to(root.with_name("nowhere.md"))
    assert folder.names() == ["a.md"]
    for name in ("out.md", "dangling.md"):
        with pytest.raises(OutsideFolder, match="leads out of the folder"):
            folder.read(name)
        with pytest.raises(OutsideFolder):
            folder.write(name, "x")
    assert outside.read_text(encoding="utf-8") == "secret"


def test_a_linked_folder_that_leads_out_is_neither_listed_nor_followed(root: Path) -> None:
    outside = root.with_name("outside")
    outside.mkdir()
    (outside / "a.md").write_text("secret", encoding="utf-8")
    root.mkdir()
    (root / "sub").symlink_to(outside)
    folder = Folder(root, depth=None)
    assert folder.names() == []
    for verb in (folder.read, folder.delete):
        with pytest.raises(OutsideFolder):
            verb("sub/a.md")
    with pytest.raises(OutsideFolder):
        folder.write_new("sub/b.md", "x")
    assert [path.name for path in outside.iterdir()] == ["a.md"]


def test_link_loops_end(root: Path) -> None:
    folder = Folder(root, depth=None)
    folder.write("a.md", "1")
    (root / "self.md").symlink_to(root / "self.md")
    (root / "up").symlink_to(root)
    assert folder.names() == ["a.md"]
    with pytest.raises(Missing):
        folder.read("self.md")


def test_a_link_that_stays_inside_stays_a_link(folder: Folder, root: Path) -> None:
    folder.write("a.md", "1")
    (root / "b.md").symlink_to(root / "a.md")
    folder.write("b.md", "2")
    assert (root / "b.md").is_symlink()
    assert folder.read("a.md") == "2"
    assert folder.names() == ["a.md", "b.md"]
    assert folder.delete("b.md")
    assert folder.names() == ["a.md"]


def test_the_root_may_be_a_link(folder: Folder, root: Path) -> None:
    folder.write("a.md", "1")
    root.with_name("link").symlink_to(root)
    assert Folder(root.with_name("link")).read("a.md") == "1"


def test_a_byte_order_mark_is_dropped_and_line_ends_stay(folder: Folder, root: Path) -> None:
    folder.write("a.md", "\ufeffone\r\ntwo\r\n")
    assert folder.read("a.md") == "one\r\ntwo\r\n"
    assert folder.read_bytes("a.md").startswith(b"\xef\xbb\xbf")


def test_text_that_is_not_utf_8_is_unreadable(folder: Folder, root: Path) -> None:
    folder.write("a.md", "x")
    (root / "a.md").write_bytes(b"caf\xe9")
    with pytest.raises(Unreadable, match=r"a\.md is not UTF-8 text \(byte 3\)"):
        folder.read("a.md")


def test_an_absent_file_is_missing(folder: Folder, root: Path) -> None:
    (root / "folder.md").mkdir(parents=True)
    for verb in (folder.read, folder.stat):
        with pytest.raises(Missing, match=r"There is no file a\.md") as caught:
            verb("a.md")
        assert str(root) not in str(caught.value)
    with pytest.raises(Missing):
        folder.read("folder.md")


def test_a_stamp_changes_with_the_file(folder: Folder, root: Path) -> None:
    folder.write("a.md", "1")
    os.utime(root / "a.md", ns=(5, 7))
    assert folder.stat("a.md") == Stamp(7, 1) == (7, 1)
    assert folder.stamps() == {"a.md": Stamp(7, 1)}
    folder.write("a.md", "22")
    assert folder.stat("a.md").size == 2
    assert folder.stat("a.md").mtime_ns > 7


def test_a_file_in_the_way_of_a_folder_is_reported(root: Path) -> None:
    folder = Folder(root, depth=None)
    folder.write("a.md", "1")
    with pytest.raises(StoreDown, match=r"b\.md cannot be written"):
        folder.write_new("a.md/b.md", "2")
