"""The index: the next call sees every change made outside; a restart parses nothing."""

import gc
import json
import os
import shutil
import time
import tracemalloc
import zlib
from collections.abc import Callable
from itertools import islice
from mmap import mmap
from pathlib import Path

import pytest

from laconic.servers.issues.index.contents import Content, Contents
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.store import IssueStore
from laconic.stores import StoreDown
from tests.unit.issues import messy
from tests.unit.issues.conftest import Open


def write(root: Path, name: str = "ISS-000001-a.md", title: str = "One", body: str = "Text.") -> Path:
    path = root / ".wrangler/issues" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    id = "-".join(path.stem.split("-")[:2])
    path.write_text(f"---\nid: {id}\ntitle: {title}\n---\n{body}\n", encoding="utf-8")
    return path


def titles(store: IssueStore) -> list[str]:
    return sorted(entry.title for entry in store.entries())


def test_a_new_a_changed_and_a_deleted_file_are_seen_at_once(root: Path, store: IssueStore) -> None:
    one = write(root)
    assert titles(store) == ["One"]

    two = write(root, "ISS-000002-b.md", "Two")
    assert titles(store) == ["One", "Two"]

    write(root, title="Uno")
    assert titles(store) == ["Two", "Uno"]

    one.unlink()
    assert titles(store) == ["Two"]

    two.rename(two.with_name("ISS-000003-c.md"))
    assert [entry.path for entry in store.entries()] == [".wrangler/issues/ISS-000003-c.md"]


def test_a_change_of_the_same_size_and_time_is_seen(root: Path, store: IssueStore) -> None:
    path = write(root)
    found = path.stat()
    assert titles(store) == ["One"]

    for title in ("Two", "Ten", "Six"):
        with path.open("r+b") as file:  # in place, so that it stays the same file
            file.write(path.read_bytes().replace(titles(store)[0].encode(), title.encode()))
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
        assert titles(store) == [title]


def test_a_change_right_after_another_is_seen_without_a_new_time(root: Path, store: IssueStore) -> None:
    with write(root).open("r+b") as file, mmap(file.fileno(), 0) as memory:
        for before, after in ((b"One", b"Two"), (b"Two", b"Ten"), (b"Ten", b"Six")):
            assert titles(store) == [before.decode()]
            at = memory.find(before)
            memory[at : at + 3] = after  # the system notes the time of the first such change only

        assert titles(store) == ["Six"]


def test_a_new_and_a_deleted_folder_are_seen(root: Path, store: IssueStore) -> None:
    write(root)
    write(root, "team/deep/ISS-000002-b.md", "Two")
    assert titles(store) == ["One", "Two"]

    shutil.move(root / ".wrangler/issues/team", root / ".wrangler/issues/other")
    assert sorted(entry.path for entry in store.entries())[1] == ".wrangler/issues/other/deep/ISS-000002-b.md"

    shutil.rmtree(root / ".wrangler")
    assert titles(store) == []


def test_a_checkout_is_seen_by_the_next_call(root: Path, store: IssueStore) -> None:
    write(root, title="Old")
    kept = root.parent / "kept"
    shutil.copytree(root / ".wrangler", kept)
    write(root, title="New")
    write(root, "ISS-000002-b.md", "Two")
    assert titles(store) == ["New", "Two"]

    shutil.rmtree(root / ".wrangler")
    shutil.copytree(kept, root / ".wrangler")

    assert titles(store) == ["Old"]


def test_a_file_behind_a_link_is_seen_to_change(root: Path, store: IssueStore) -> None:
    messy.build(root)
    assert store.find("ISS-000060").title == "Linked"

    (root / "docs/linked.md").write_text("---\nid: ISS-000060\ntitle: Changed\n---\n", encoding="utf-8")

    assert store.find("ISS-000060").title == "Changed"


def test_only_what_changed_is_parsed_again(root: Path, store: IssueStore) -> None:
    messy.build(root)
    count = len(store.entries())
    assert store.parses == count

    write(root, title="Another")
    store.entries()
    store.entries()

    assert store.parses == count + 1


def test_a_touched_file_is_read_and_not_parsed(root: Path, store: IssueStore) -> None:
    path = write(root)
    store.entries()

    os.utime(path, (1, 1))
    (entry,) = store.entries()

    assert store.parses == 1
    assert entry.stamp[2] == 1_000_000_000


def test_a_restart_with_a_kept_index_parses_no_file(root: Path, open_store: Open) -> None:
    messy.build(root)
    first = open_store()
    before = sorted((entry.issue() for entry in first.entries()), key=lambda issue: issue.path)
    first.close()

    second = open_store()
    after = sorted((entry.issue() for entry in second.entries()), key=lambda issue: issue.path)

    assert second.parses == 0
    assert after == before


def test_a_restart_sees_what_changed_in_between(root: Path, open_store: Open) -> None:
    write(root, title="Old")
    write(root, "ISS-000002-b.md", "Gone")
    write(root, "ISS-000003-c.md", "Same")
    first = open_store()
    first.entries()
    first.close()
    write(root, title="New")
    (root / ".wrangler/issues/ISS-000002-b.md").unlink()

    second = open_store()

    assert titles(second) == ["New", "Same"]
    assert second.parses == 1


@pytest.mark.parametrize("damage", [b"", b"junk", b"00000000\n[]", b"zz\n", b"\xff" * 100])
def test_a_damaged_index_is_ignored(root: Path, tmp_path: Path, open_store: Open, damage: bytes) -> None:
    write(root)
    first = open_store()
    first.entries()
    first.close()
    (kept,) = (tmp_path / "cache").rglob("entries.json")
    kept.write_bytes(damage)

    assert titles(open_store()) == ["One"]


def test_an_index_with_a_flipped_bit_is_ignored(root: Path, tmp_path: Path, open_store: Open) -> None:
    write(root)
    first = open_store()
    first.entries()
    first.close()
    (kept,) = (tmp_path / "cache").rglob("entries.json")
    kept.write_bytes(kept.read_bytes().replace(b"One", b"Two"))

    second = open_store()

    assert titles(second) == ["One"]
    assert second.parses == 1


def test_a_cache_that_cannot_be_written_is_skipped(root: Path, tmp_path: Path, open_store: Open) -> None:
    write(root)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    store = open_store(cache=tmp_path / "file")

    assert titles(store) == ["One"]
    assert [hit.entry.title for hit in store.search("text")] == ["One"]
    store.close()


def test_nothing_is_kept_in_the_work_tree(root: Path, store: IssueStore) -> None:
    messy.build(root)
    before = messy.state(root)

    store.entries()
    store.search("text")
    store.close()

    assert messy.state(root) == before


def test_entries_are_trusted_without_a_scan_for_the_ttl(root: Path, open_store: Open) -> None:
    store = open_store(ttl=3600.0)
    write(root)
    assert titles(store) == ["One"]

    write(root, title="Two")

    assert titles(store) == ["One"]


def test_our_own_changes_are_seen_in_spite_of_a_ttl(root: Path, open_store: Open) -> None:
    store = open_store(ttl=3600.0)
    write(root)
    store.entries()

    store.edit("ISS-000001", lambda header, _: header.set("title", "Two"))
    store.create({"title": "Three"}, "Text.")

    assert titles(store) == ["Three", "Two"]


def test_one_scan_serves_several_reads(root: Path, store: IssueStore) -> None:
    write(root)

    with store.one_scan():
        write(root, title="Two")
        assert titles(store) == ["One"]

    assert titles(store) == ["Two"]


def test_the_variable_switches_the_index_off(root: Path, tmp_path: Path, open_store: Open) -> None:
    store = open_store(environ={"WRANGLER_MCP_CACHE": "false"})
    write(root)

    store.entries()
    store.entries()
    found = store.search("text")
    store.close()

    assert store.parses == 3
    assert len(found) == 1
    assert not (tmp_path / "cache").exists()


def test_a_file_with_two_names_is_one_issue_at_the_name_where_it_belongs(
    root: Path, store: IssueStore
) -> None:
    path = write(root)
    path.write_text(path.read_text("utf-8").replace("title", "status: closed\ntitle"), encoding="utf-8")
    archived = root / ".wrangler/issues/archived" / path.name
    archived.parent.mkdir()
    archived.hardlink_to(path)  # as a killed move leaves it

    (entry,) = store.entries()

    assert entry.path == ".wrangler/issues/archived/ISS-000001-a.md"
    assert store.find(".wrangler/issues/ISS-000001-a.md") is entry
    assert store.twins() == {".wrangler/issues/ISS-000001-a.md": entry.path}


def test_the_fingerprint_changes_with_any_write_and_no_read(root: Path, open_store: Open) -> None:
    path = write(root)
    store = open_store()
    before = store.fingerprint()

    store.read(store.find("1"))
    store.search("text")
    assert store.fingerprint() == open_store().fingerprint() == before

    path.write_text(path.read_text("utf-8") + " ", encoding="utf-8")
    assert store.fingerprint() != before


def test_entries_come_last_changed_first_and_those_without_a_date_last(root: Path, store: IssueStore) -> None:
    for number, at in enumerate(("2025-01-02", "2025-03-01T00:00:00Z", "", "2025-03-01T01:00:00+02:00")):
        path = write(root, f"ISS-00000{number}-x.md", body="")
        path.write_text(f"---\nid: {number}\nupdatedAt: '{at}'\n---\n", encoding="utf-8")

    assert [entry.id for entry in store.entries()] == ["1", "3", "0", "2"]


def test_an_entry_takes_little_memory(root: Path, open_store: Open) -> None:
    header = "id: ISS-{0:06d}\ntitle: A title of usual length number {0}\nlabels:\n  - bug\n  - label-{1}\n"
    header += "createdAt: '2025-01-01T00:00:00.000Z'\nupdatedAt: '2025-01-01T00:00:00.000Z'\nproject: p{1}\n"
    folder = root / ".wrangler/issues"
    folder.mkdir(parents=True)
    for number in range(1000):
        name = f"ISS-{number:06d}-a-title-of-usual-length-number-{number}.md"
        text = f"---\n{header.format(number, number % 20)}---\nBody.\n"
        (folder / name).write_text(text, encoding="utf-8")
    open_store().entries()  # everything imported and cached on first use is loaded now

    # of two runs, since in one of them Python may enlarge its own table of strings
    assert min(_memory(open_store()) for _ in range(2)) / 1000 < 2048


def _memory(store: IssueStore) -> int:
    tracemalloc.start()
    try:
        store.entries()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_a_file_that_cannot_be_read_is_listed_with_the_reason(
    root: Path, store: IssueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root)
    write(root, "ISS-000002-b.md", "Two")
    real = Contents.read

    def refuse(self: Contents, path: str) -> Content:
        if "000001" in path:
            raise PermissionError(13, "Permission denied")
        return real(self, path)

    monkeypatch.setattr(Contents, "read", refuse)

    assert [store.find(name).warnings for name in ("ISS-000001-a", "2")] == [
        ("The file cannot be read: Permission denied.",),
        (),
    ]
    assert store.read(store.find("ISS-000001-a")).warnings == ["The file cannot be read: Permission denied."]
    assert len(store.search("text")) == 1
    with pytest.raises(StoreDown, match="cannot be read: Permission denied"):
        store.edit("ISS-000001-a", lambda header, _: header.set("title", "New"))


def test_an_interrupted_scan_is_repeated(
    root: Path, store: IssueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root)
    with monkeypatch.context() as patch:
        patch.setattr(Index, "_read", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.entries()

    assert titles(store) == ["One"]


def test_a_collection_may_be_a_link_within_the_workspace(root: Path, store: IssueStore) -> None:
    (root / "tickets").mkdir()
    (root / ".wrangler").mkdir()
    (root / ".wrangler/issues").symlink_to("../tickets")

    made = store.create({"title": "T"}, "B")
    _, closed = store.edit(made.id, lambda header, _: header.set("status", "closed"))

    assert (made.path, closed.path) == (
        ".wrangler/issues/ISS-000001-t.md",
        ".wrangler/issues/archived/ISS-000001-t.md",
    )
    assert [entry.path for entry in store.entries()] == [closed.path]


def test_the_workspace_itself_may_be_a_collection(root: Path, open_store: Open) -> None:
    store = open_store(folders={"issue": "."})

    made = store.create({"title": "T"}, "B")
    store.create({"title": "T", "type": "idea"}, "B")

    assert made.path == "ISS-000001-t.md"
    assert sorted(entry.path for entry in store.entries()) == [
        ".wrangler/ideas/IDEA-000001-t.md",
        "ISS-000001-t.md",
    ]


@pytest.fixture
def reopened(root: Path, tmp_path: Path) -> Callable[[], Index]:
    """Opens the index like a new process, long after every file was changed."""
    return lambda: Index(
        Layout.of(root), tmp_path / "entries.json", clock=lambda: time.time_ns() + 3_600_000_000_000
    )


def test_what_was_read_since_the_start_is_not_read_again(root: Path, reopened: Callable[[], Index]) -> None:
    index = reopened()
    write(root)
    index.refresh()
    write(root, title="Two")
    index.refresh()
    write(root, "ISS-000002-b.md")

    for _ in range(2):
        index.refresh()
        assert index.parses == 3


def test_a_restart_finds_files_with_two_names(root: Path, reopened: Callable[[], Index]) -> None:
    path = write(root)
    path.with_name("other.md").hardlink_to(path)
    first, second = reopened(), reopened()
    first.refresh()
    first.close()

    second.refresh()

    assert second.parses == 0
    assert second.twins == first.twins == {".wrangler/issues/other.md": ".wrangler/issues/ISS-000001-a.md"}


def test_an_index_of_another_format_is_ignored(
    root: Path, tmp_path: Path, reopened: Callable[[], Index]
) -> None:
    write(root)
    first, second = reopened(), reopened()
    first.refresh()
    first.close()
    kept = tmp_path / "entries.json"
    content = kept.read_bytes().partition(b"\n")[2].replace(b"[[3,", b"[[2,", 1)
    kept.write_bytes(b"%08x\n" % zlib.crc32(content) + content)

    second.refresh()

    assert second.parses == 1


def test_garbage_is_not_collected_during_the_first_scan_only(
    root: Path, store: IssueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    real = Contents.read

    def note(self: Contents, path: str) -> Content:
        seen.append(gc.isenabled())
        return real(self, path)

    monkeypatch.setattr(Contents, "read", note)
    for number in (1, 2):
        write(root, f"ISS-00000{number}-a.md")
        store.entries()

    assert seen[0] is False
    assert seen[-1] is True


def test_a_file_in_a_folder_that_is_not_there_is_no_link(root: Path) -> None:
    assert not Index(Layout.of(root)).is_linked("nowhere/ISS-000001-a.md")


def test_a_schema_that_names_no_folder_for_ideas_ends_the_search(root: Path) -> None:
    def schema(folder: Path, content: object) -> None:
        path = folder / ".wrangler/config/workspace-schema.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")

    inner, other = root / "inner", root / "other"
    schema(root, {"mcpConfiguration": {"ideasDirectory": "thoughts"}})
    schema(inner, {"mcpConfiguration": {}})
    other.mkdir()

    assert Layout.configured(other, {}).folders["idea"] == "thoughts"
    assert Layout.configured(inner, {}).folders["idea"] == ".wrangler/ideas"


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 100])
def test_a_look_ahead_may_end_at_any_step_and_the_next_call_sees_everything(
    root: Path, open_store: Open, steps: int
) -> None:
    paths = [write(root, f"ISS-{number:06}-a.md", f"Number {number}") for number in range(4)]
    first = open_store()
    assert len(titles(first)) == 4
    first.close()
    write(root, paths[1].name, "Changed before")
    write(root, "ISS-000009-new.md", "New")
    store = open_store()

    ahead = store.ahead()
    for _ in islice(ahead, steps):
        pass
    ahead.close()
    write(root, paths[2].name, "Changed after")
    paths[3].unlink()

    assert titles(store) == ["Changed after", "Changed before", "New", "Number 0"]


def test_a_whole_look_ahead_leaves_nothing_to_parse(root: Path, open_store: Open) -> None:
    for number in range(4):
        write(root, f"ISS-{number:06}-a.md", f"Number {number}")
    store = open_store()
    for _ in store.ahead():
        pass
    assert store.parses == 4

    assert len(titles(store)) == 4
    assert store.parses == 4


def test_files_that_were_too_new_to_be_trusted_are_read_once_more_and_not_at_every_start(
    root: Path, reopened: Callable[[], Index], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root)
    first = Index(Layout.of(root), tmp_path / "entries.json")  # right after the file was written
    first.refresh()
    first.close()
    reads: list[str] = []
    tried = Contents.tried

    def counted(self: Contents, path: str) -> Content | None:
        reads.append(path)
        return tried(self, path)

    monkeypatch.setattr(Contents, "tried", counted)
    for _ in range(3):
        index = reopened()
        index.refresh()
        index.close()

    assert reads == [".wrangler/issues/ISS-000001-a.md"]
