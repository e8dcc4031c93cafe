"""Files of any kind in a folder, written and read whole or piece by piece."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from laconic.stores import Folder, Missing, OutsideFolder, StoreDown, Taken

BYTES = bytes(range(256)) * 1000


def broken() -> Iterator[bytes]:
    yield b"the beginning"
    raise ConnectionResetError("the line went dead")


@pytest.mark.parametrize("content", [BYTES, [BYTES[:7], b"", BYTES[7:]], b"", []])
def test_what_was_written_comes_back_in_pieces(tmp_path: Path, content: bytes | list[bytes]) -> None:
    folder = Folder(tmp_path, "*", depth=None)
    folder.write_bytes("a/report.v2.PDF", content)
    pieces = [*folder.stream("a/report.v2.PDF", 1000)]
    assert b"".join(pieces) == b"".join(content if isinstance(content, list) else [content])
    assert all(len(piece) <= 1000 for piece in pieces)
    assert folder.names() == ["a/report.v2.PDF"]


def test_pieces_that_end_in_an_error_change_nothing_and_the_error_stays_theirs(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "*")
    folder.write_bytes("kept.bin", BYTES)
    for name in ("kept.bin", "new.bin"):
        with pytest.raises(ConnectionResetError, match="the line went dead"):
            folder.write_bytes(name, broken())
    assert folder.read_bytes("kept.bin") == BYTES
    assert [path.name for path in tmp_path.iterdir()] == ["kept.bin"]


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "*")
    folder.write_bytes("one", b"1", new=True)
    with pytest.raises(Taken):
        folder.write_bytes("one", b"2", new=True)
    assert folder.read_bytes("one") == b"1"


@pytest.mark.parametrize("name", ["../out.bin", ".hidden", "a/b", "", "x\0", "/etc/passwd"])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    folder = Folder(tmp_path / "in", "*")
    with pytest.raises(OutsideFolder):
        folder.write_bytes(name, b"x")
    with pytest.raises(OutsideFolder):
        [*folder.stream(name)]


def test_a_missing_file_and_a_place_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "*", depth=1)
    with pytest.raises(Missing):
        [*folder.stream("gone.bin")]
    folder.write_bytes("file", b"x")
    with pytest.raises(StoreDown, match="cannot be written"):
        folder.write_bytes("file/below.bin", BYTES)
