"""A journal that many processes append to, and that is read while they do."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from laconic.stores import Journal, Reader, StoreDown
from laconic.stores.locks import file_lock

SMALL = 400  # bytes of a file, so that a few records fill it


def record(number: int, **more: Any) -> str:
    return json.dumps({"number": number, "fill": "x" * 50} | more)


def numbers(records: list[dict[str, Any]]) -> list[int]:
    return [record["number"] for record in records]


def writer(folder: Path, name: str, count: int, segment: int) -> "subprocess.Popen[bytes]":
    words = [str(folder), name, str(count), str(segment)]
    command = [sys.executable, "-m", "tests.unit.stores.journaling", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_records_come_back_once_each_and_in_order(tmp_path: Path) -> None:
    journal, reader = Journal(tmp_path / "j"), Reader(tmp_path / "j")
    assert reader.read() == []
    journal.append([record(1), record(2)])
    assert numbers(reader.read()) == [1, 2]
    journal.append([record(3)])
    assert numbers(reader.read()) == [3] and reader.read() == []


def test_a_position_goes_on_in_another_reader(tmp_path: Path) -> None:
    journal, first = Journal(tmp_path, segment=SMALL), Reader(tmp_path)
    for number in range(20):
        journal.append([record(number)])
        if number == 9:
            first.read()
    assert numbers(Reader(tmp_path, first.position).read()) == [*range(10, 20)]


@pytest.mark.parametrize("position", ["x", "1", "1:-2", "1:2:3 4", "9" * 99 + ":1"])
def test_a_position_that_is_none_is_the_beginning(tmp_path: Path, position: str) -> None:
    Journal(tmp_path).append([record(1)])
    assert numbers(Reader(tmp_path, position).read()) == [1]


def test_the_last_records_are_found_across_files(tmp_path: Path) -> None:
    journal = Journal(tmp_path, segment=SMALL)
    for number in range(20):
        journal.append([record(number)])
    assert numbers(Reader(tmp_path).tail(7)) == [*range(13, 20)]


def test_records_are_filtered_by_id_and_work_tree(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([record(1, ids=["A-1", "Ä"], tree="/x"), record(2, ids=["A-11"], tree="/x/A-1")])
    journal.append([record(3, ids=["A-1"], tree="/y"), record(4)])
    assert numbers(Reader(tmp_path, id="A-1").read()) == [1, 3]
    assert numbers(Reader(tmp_path, id="A-1", tree="/y").read()) == [3]


def test_its_size_is_bounded_and_a_reader_that_slept_knows_what_it_missed(tmp_path: Path) -> None:
    journal, sleeper = Journal(tmp_path, segment=SMALL, most=3), Reader(tmp_path)
    journal.append([record(0)])
    sleeper.read()
    for number in range(1, 100):
        journal.append([record(number)])
    assert len([*tmp_path.iterdir()]) == 3
    assert journal.size() < 3 * (SMALL + 100)
    assert numbers(sleeper.read())[-1] == 99 and sleeper.has_missed


def test_a_record_that_was_cut_off_is_left_out_and_the_next_is_whole(tmp_path: Path) -> None:
    journal, reader = Journal(tmp_path), Reader(tmp_path)
    journal.append([record(1)])
    with (tmp_path / "1.jsonl").open("ab") as file:
        file.write(b'\n{"number": 2, "fi')
    assert numbers(reader.read()) == [1]
    journal.append([record(3)])
    assert numbers(reader.read()) == [3]


@pytest.mark.parametrize("line", [b"[1]", b"7", b'"a"', b"\xff\xfe", b"[" * 100_000, b"{}{}"])
def test_lines_that_are_no_records_are_left_out(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "1.jsonl").write_bytes(line + b"\n")
    (tmp_path / "notes.txt").write_bytes(b"not a file of the journal")
    Journal(tmp_path).append([record(1)])
    assert numbers(Reader(tmp_path).read()) == [1]


def test_a_record_is_read_when_it_is_whole(tmp_path: Path) -> None:
    reader, path = Reader(tmp_path), tmp_path / "1.jsonl"
    path.write_bytes(b'\n{"number"')
    assert reader.read() == []
    with path.open("ab") as file:
        file.write(b": 5}\n")
    assert numbers(reader.read()) == [5]


def test_deleted_files_are_begun_anew(tmp_path: Path) -> None:
    journal, reader = Journal(tmp_path, segment=SMALL, look=0), Reader(tmp_path)
    for number in range(20):
        journal.append([record(number)])
    reader.read()
    for path in tmp_path.iterdir():
        path.unlink()
    journal.append([record(20)])
    assert reader.is_behind()
    assert numbers(reader.read()) == [20]


def test_a_truncated_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    journal, reader = Journal(tmp_path), Reader(tmp_path)
    journal.append([record(1), record(2)])
    reader.read()
    os.truncate(tmp_path / "1.jsonl", 0)
    journal.append([record(3)])
    assert numbers(reader.read()) == [3]


def test_a_lock_on_the_folder_or_its_file_stops_nobody(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([record(1)])
    with file_lock(tmp_path), file_lock(tmp_path / "1.jsonl"):
        journal.append([record(2)])
    assert numbers(Reader(tmp_path).read()) == [1, 2]


def test_a_folder_that_cannot_be_written_is_an_error_and_may_recover(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    (tmp_path / "j").write_text("a file where the folder should be")
    with pytest.raises(StoreDown, match="The journal cannot be written"):
        journal.append([record(1)])
    (tmp_path / "j").unlink()
    journal.append([record(2)])
    assert numbers(Reader(tmp_path / "j").read()) == [2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([record(1)])
    with Path("/dev/full").open("ab") as full:
        os.dup2(full.fileno(), journal._file)
    with pytest.raises(StoreDown, match="No space left"):
        journal.append([record(2)])


@pytest.mark.skipif(os.name != "posix", reason="limits a file's size")
def test_a_disk_that_fills_up_in_the_middle_of_a_record_costs_that_record_alone(tmp_path: Path) -> None:
    program = """
import resource, signal, sys
from pathlib import Path
from laconic.stores import Journal, StoreDown
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal(Path(sys.argv[1]))
journal.append(['{"number": 1}'])
resource.setrlimit(resource.RLIMIT_FSIZE, (25, resource.RLIM_INFINITY))
try:
    journal.append(['{"number": 2}'])
except StoreDown as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
journal.append(['{"number": 3}'])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "The journal cannot be written: the disk is full.\n"
    assert b'{"number"' in (tmp_path / "1.jsonl").read_bytes()
    assert numbers(Reader(tmp_path).read()) == [1, 3]


@pytest.mark.skipif(os.name != "posix", reason="making links needs rights")
def test_links_are_neither_written_nor_read(tmp_path: Path) -> None:
    (tmp_path / "j").mkdir()
    victim = tmp_path / "victim"
    victim.write_text(record(1) + "\n")
    (tmp_path / "j" / "1.jsonl").symlink_to(victim)
    with pytest.raises(StoreDown, match="The journal cannot be written"):
        Journal(tmp_path / "j").append([record(2)])
    assert victim.read_text() == record(1) + "\n"
    reader = Reader(tmp_path / "j")
    assert reader.read() == [] and not reader.is_behind()
    assert Journal(tmp_path / "j").size() == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_holds_up_neither_readers_nor_writers(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "1.jsonl")
    program = """
import os, sys
from pathlib import Path
from laconic.stores import Journal, Reader, StoreDown
folder = Path(sys.argv[1])
assert Reader(folder, "1:0").read() == []
assert not Reader(folder).is_behind()
for _ in range(2):
    try:
        Journal(folder).append(["{}"])
    except StoreDown:
        print("refused")
    held = os.open(folder / "1.jsonl", os.O_RDWR)  # now somebody reads
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "refused\nrefused\n"


@pytest.mark.parametrize("name", ["999999999999.jsonl", "1000000000.jsonl", "0005.jsonl"])
def test_a_file_whose_number_is_none_of_the_journals_hides_no_record(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x" * 2 * SMALL)
    for number in range(10):
        Journal(tmp_path, segment=SMALL).append([record(number)])
    assert numbers(Reader(tmp_path).read()) == [*range(10)]


def test_after_the_last_number_nothing_is_written_that_nobody_would_read(tmp_path: Path) -> None:
    (tmp_path / "999999999.jsonl").write_bytes(b"x" * 2 * SMALL)
    with pytest.raises(StoreDown, match="The journal cannot be written: Numerical result out of range"):
        Journal(tmp_path, segment=SMALL).append([record(1)])


def test_files_are_for_this_user_only(tmp_path: Path) -> None:
    Journal(tmp_path / "j").append([record(1)])
    assert (tmp_path / "j").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "j" / "1.jsonl").stat().st_mode & 0o777 == 0o600


async def test_a_follower_gets_records_as_they_come_and_late_ones_after_a_new_file(tmp_path: Path) -> None:
    early, late = Journal(tmp_path, segment=SMALL), Journal(tmp_path, segment=SMALL)
    late.append([record(0)])
    follower = Reader.at_end(tmp_path).follow(every=0.001)
    early.append([record(1)])
    assert numbers(await asyncio.wait_for(anext(follower), 10)) == [1]
    for number in range(2, 9):
        early.append([record(number)])
    got = numbers(await asyncio.wait_for(anext(follower), 10))
    os.write(
        late._file, f"\n{record(9)}\n".encode()
    )  # it looked at the size before the others filled the file
    got += numbers(await asyncio.wait_for(anext(follower), 10))
    assert sorted(got) == [*range(2, 10)]


@pytest.mark.parametrize("segment", [10_000_000, 4_000])
def test_killed_writers_lose_and_split_no_record_also_while_files_change(
    tmp_path: Path, segment: int
) -> None:
    writers = {name: writer(tmp_path, name, 500, segment) for name in "abcdefgh"}
    follower = Reader(tmp_path)
    followed: list[dict[str, Any]] = []
    told: dict[str, int] = {}
    for name, process in writers.items():
        assert process.stdout is not None
        if name in "aceg":  # killed somewhere in the middle
            for _ in range(200):
                process.stdout.readline()
            process.kill()
        followed += follower.read()
        told[name] = len(process.stdout.read().splitlines()) + (200 if name in "aceg" else 0)
        process.stdout.close()
        process.wait()
    followed += follower.read()

    whole = Reader(tmp_path).read()
    for name in writers:
        mine = [one["number"] for one in whole if one["name"] == name]
        assert mine == [*range(len(mine))] and len(mine) in (told[name], told[name] + 1)
    assert all(one["fill"] == one["name"] * (one["number"] % 300) for one in whole)
    assert sorted(map(str, followed)) == sorted(map(str, whole))
