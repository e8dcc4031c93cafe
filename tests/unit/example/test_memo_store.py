"""Memos as files: written byte for byte, and read even where somebody else wrote the header."""

from pathlib import Path

import pytest

from laconic.servers.example.store import MemoStore
from laconic.stores import Folder


def test_a_memo_is_written_byte_for_byte(tmp_path: Path) -> None:
    memo = MemoStore(Folder(tmp_path)).write("m", "Grüße: yes", ["a, b"], "Text.", is_new=True)

    text = "---\ntitle: 'Grüße: yes'\ntags:\n  - 'a, b'\n---\nText.\n"
    assert (tmp_path / "m.md").read_bytes() == text.encode()
    assert (memo.title, memo.tags, memo.body) == ("Grüße: yes", ["a, b"], "Text.")


@pytest.mark.parametrize(
    "title", ["Party 🎉", "x\u2028y", "del\x7f", "-- # not: a comment", 'say "so"', "yes", "1e3"]
)
def test_any_title_and_tag_is_read_back(tmp_path: Path, title: str) -> None:
    memo = MemoStore(Folder(tmp_path)).write("m", title, [title, "b"], "Text.", is_new=True)

    assert (memo.title, memo.tags, memo.body) == (title, [title, "b"], "Text.")


@pytest.mark.parametrize(
    ("text", "title", "tags", "body"),
    [
        ("---\r\ntitle: 2025-01-01\r\ntags: [a]\r\n---\r\nText.", "2025-01-01", ["a"], "Text."),
        ("---\ntitle: A: b\ntags: [a]\n---\nText.\n", "m", [], "Text."),
        ("---\ntitle: Never closed\n", "m", [], "---\ntitle: Never closed"),
        ("---\ntags: a\n---\n", "m", [], ""),
        ("Text.\n", "m", [], "Text."),
    ],
)
def test_a_memo_without_a_proper_header_is_named_after_its_file(
    tmp_path: Path, text: str, title: str, tags: list[str], body: str
) -> None:
    (tmp_path / "m.md").write_bytes(text.encode())

    memo = MemoStore(Folder(tmp_path)).read("m")

    assert (memo.title, memo.tags, memo.body) == (title, tags, body)
