"""Files written whole, moved without loss, never over one another."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from laconic.stores import StoreDown, Taken
from laconic.stores.durable import clear_drafts, free_name, is_draft, move_new, write_new, write_over


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_created_and_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "new" / "x.md"

    write_over(path, b"one")
    path.chmod(0o640)
    write_over(path, b"two")

    assert path.read_bytes() == b"two"
    assert os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(path.parent) == ["x.md"]


def test_a_new_file_never_replaces_another(tmp_path: Path) -> None:
    write_new(tmp_path / "x.md", b"one")

    with pytest.raises(Taken, match=r"A file x\.md already exists"):
        write_new(tmp_path / "x.md", b"two")

    assert (tmp_path / "x.md").read_bytes() == b"one"
    assert names(tmp_path) == ["x.md"]


def test_a_move_never_replaces_another(tmp_path: Path) -> None:
    write_new(tmp_path / "a", b"a")
    write_new(tmp_path / "b", b"b")

    with pytest.raises(Taken):
        move_new(tmp_path / "a", tmp_path / "b")
    move_new(tmp_path / "a", tmp_path / "below" / "deep" / "c")

    assert (tmp_path / "b").read_bytes() == b"b"
    assert (tmp_path / "below/deep/c").read_bytes() == b"a"
    assert names(tmp_path) == ["b", "below"]


def test_a_file_is_whole_on_disk_before_it_has_its_name_and_the_name_is_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[Any] = []
    flush = os.fsync

    def note(handle: int) -> None:
        found = os.fstat(handle)
        flushed.append("folder" if stat.S_ISDIR(found.st_mode) else (found.st_size, names(tmp_path)[-1]))
        flush(handle)

    monkeypatch.setattr(os, "fsync", note)
    write_new(tmp_path / "a", b"text")
    ((size, name), folder) = flushed
    flushed.clear()
    move_new(tmp_path / "a", tmp_path / "b")

    assert (size, is_draft(name), folder) == (4, True, "folder")
    assert flushed == ["folder"]


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    def next_handle() -> int:
        handle = os.open(os.devnull, os.O_RDONLY)
        os.close(handle)
        return handle

    before = next_handle()
    write_new(tmp_path / "a", b"a")

    assert next_handle() == before


def test_without_links_moving_and_creating_still_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write_new(tmp_path / "a", b"a")
    write_new(tmp_path / "b", b"b")

    move_new(tmp_path / "a", tmp_path / "c")
    with pytest.raises(Taken):
        move_new(tmp_path / "c", tmp_path / "b")
    with pytest.raises(Taken):
        write_new(tmp_path / "b", b"x")

    assert [(tmp_path / name).read_bytes() for name in "bc"] == [b"b", b"a"]
    assert names(tmp_path) == ["b", "c"]


def test_a_file_that_cannot_be_written_is_reported_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(StoreDown, match=r"x\.md cannot be written"):
        write_over(tmp_path / "file" / "x.md", b"")
    with pytest.raises(StoreDown, match="gone cannot be moved"):
        move_new(tmp_path / "gone", tmp_path / "x")


def test_a_free_name_is_like_the_one_that_is_taken(tmp_path: Path) -> None:
    assert free_name(tmp_path / "x.md").name == "x.md"

    (tmp_path / "x.md").write_bytes(b"")
    (tmp_path / "x-2.md").symlink_to("nowhere")

    assert free_name(tmp_path / "x.md").name == "x-3.md"


def test_only_old_drafts_are_cleared(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in (".laconic-1.tmp", ".laconic-2.tmp", "x.tmp"))
    for path in (old, young, other):
        path.write_bytes(b"")
        os.utime(path, (1, 1))
    os.utime(young)

    clear_drafts(tmp_path)
    clear_drafts(tmp_path / "not there")

    assert names(tmp_path) == [".laconic-2.tmp", "x.tmp"]
    assert is_draft(young.name)
    assert not is_draft(other.name)
    assert not is_draft(".laconic-notes.md")
