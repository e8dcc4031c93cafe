"""What only the SQLite store promises: restarts, several processes, a damaged or locked file."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from anyio import create_task_group, sleep

from laconic.stores import SqliteStore, StoreDown
from laconic.stores.keyvalue.sqlitefile import _MOST_LOG
from tests.unit.stores.keepers import RUNNERS, FakeClock, race

STEPS = 25


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "state.db"


def put_new(path: Path, number: int) -> bool:
    async def run() -> bool:
        store = SqliteStore(path, patience=30)
        won = await store.put_new("key", b"%d" % number, 60)
        await store.close()
        return won

    return asyncio.run(run())


def add_one_often(path: Path, number: int) -> None:
    async def run() -> None:
        store = SqliteStore(path, patience=30)
        done = 0
        while done < STEPS:
            old = await store.get("sum") or b""
            done += await store.replace("sum", old, b"%d" % (int(old) + 1))
        await store.close()

    asyncio.run(run())


def count_often(path: Path, number: int) -> list[int]:
    async def run() -> list[int]:
        store = SqliteStore(path, patience=30)
        sums = [(await store.count("sum", 600)).number for _ in range(STEPS)]
        await store.close()
        return sums

    return asyncio.run(run())


async def put_and_close(path: Path, key: str, value: bytes) -> None:
    store = SqliteStore(path)
    await store.put(key, value)
    await store.close()


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def damage(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xaa" * (len(content) - 4096))


def move_away(path: Path) -> None:
    path.rename(path.with_name("damaged.db"))


@pytest.mark.slow
def test_of_eight_processes_that_create_the_file_and_put_new_one_wins(path: Path) -> None:
    won = race(put_new, path)
    assert won.count(True) == 1
    value = asyncio.run(SqliteStore(path).get("key"))
    assert value == b"%d" % won.index(True)


@pytest.mark.slow
def test_replace_from_eight_processes_loses_no_increment(path: Path) -> None:
    asyncio.run(put_and_close(path, "sum", b"0"))
    race(add_one_often, path)
    assert asyncio.run(SqliteStore(path).get("sum")) == b"%d" % (RUNNERS * STEPS)


@pytest.mark.slow
def test_count_from_eight_processes_gives_each_number_once(path: Path) -> None:
    sums = race(count_often, path)
    assert sorted(chain(*sums)) == list(range(1, RUNNERS * STEPS + 1))


async def test_a_restart_keeps_values_and_times_to_live(path: Path) -> None:
    clock = FakeClock()
    before = SqliteStore(path, now=clock)
    await before.put("a", b"1")
    await before.put("b", b"2", ttl=10)
    await before.close()
    await clock.turn(9)
    after = SqliteStore(path, now=clock)
    assert (await after.get("a"), await after.get("b")) == (b"1", b"2")
    await clock.turn(1)
    assert (await after.get("a"), await after.get("b")) == (b"1", None)
    await after.close()


def test_a_killed_process_loses_no_confirmed_write(path: Path) -> None:
    program = (
        "import asyncio, os, signal, sys; from laconic.stores import SqliteStore\n"
        "async def run(store):\n"
        "    await store.put('a', b'1'); await store.put('b', b'2' * 1_000_000)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(run(SqliteStore(sys.argv[1])))"
    )
    killed = subprocess.run([sys.executable, "-c", program, path], timeout=30)
    assert killed.returncode == -9
    store = SqliteStore(path)
    assert asyncio.run(store.get("a")) == b"1"
    assert asyncio.run(store.get("b")) == b"2" * 1_000_000
    asyncio.run(store.close())


async def test_two_stores_on_one_file_see_each_other(path: Path) -> None:
    one, other = SqliteStore(path), SqliteStore(path)
    await one.put("a", b"1")
    assert await other.get("a") == b"1"
    assert await other.delete("a")
    assert await one.get("a") is None
    await one.close()
    await other.close()


async def test_nothing_is_created_before_the_first_use(path: Path) -> None:
    await SqliteStore(path).close()
    assert not path.parent.exists()


async def test_the_file_is_for_its_owner_only(path: Path) -> None:
    store = SqliteStore(path)
    await store.put("a", b"1")
    assert modes(path.parent) == {0o600}
    await store.close()


async def test_expired_rows_leave_the_file(path: Path) -> None:
    clock = FakeClock()
    store = SqliteStore(path, now=clock)
    for number in range(50):
        await store.put(str(number), b"x", ttl=10)
    await clock.turn(10)
    await store.put("a", b"1")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    db.close()
    await store.close()


async def test_the_log_beside_the_file_stays_small(path: Path) -> None:
    store = SqliteStore(path)
    for number in range(60):
        await store.put(str(number % 5), b"x" * 1_000_000)
    log = path.with_name(f"{path.name}-wal").stat().st_size
    await store.close()
    assert log < 2 * _MOST_LOG


async def test_the_log_that_several_processes_share_stays_small_under_many_writes(path: Path) -> None:
    stores = [SqliteStore(path) for _ in range(4)]
    log, largest = path.with_name(f"{path.name}-wal"), 0
    for number in range(3000):
        await stores[number % 4].put(f"key {number % 700}", b"x" * 3000, 60)
        largest = max(largest, log.stat().st_size)
    for store in stores:
        await store.close()

    assert 4 << 20 < largest < 14 << 20  # 8 MiB, and what each of them writes between two looks


async def test_a_held_file_does_not_hold_up_the_loop(path: Path) -> None:
    await put_and_close(path, "a", b"1")
    store = SqliteStore(path, patience=30)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    async def let_go() -> None:  # never runs if the waiting put blocks the loop
        await sleep(0.02)
        assert await store.get("a") == b"1"
        holder.execute("COMMIT")

    async with create_task_group() as tasks:
        tasks.start_soon(store.put, "a", b"2")
        tasks.start_soon(store.put, "large", b"x" * 1_000_000)
        tasks.start_soon(let_go)
    assert await store.get("a") == b"2"
    holder.close()
    await store.close()


@pytest.mark.parametrize("size", [1, 1_000_000])
async def test_a_file_held_too_long_is_down_and_up_again(path: Path, size: int) -> None:
    await put_and_close(path, "a", b"1")
    store = SqliteStore(path, patience=0.02)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreDown, match="held by another process"):
        await store.put("a", b"2" * size)
    holder.execute("COMMIT")
    holder.close()
    await store.put("a", b"3" * size)
    assert await store.get("a") == b"3" * size
    await store.close()


@pytest.mark.parametrize("size", [1, 1_000_000])
async def test_a_file_that_is_no_database_is_down_in_one_sentence(tmp_path: Path, size: int) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(b"this is no database " * 100)
    with pytest.raises(StoreDown, match=r"state\.db is damaged") as caught:
        await SqliteStore(path).put("a", b"1" * size)
    assert str(tmp_path) not in str(caught.value)


async def test_a_damaged_file_is_down_until_it_is_moved_away(path: Path) -> None:
    store = SqliteStore(path)
    for number in range(100):
        await store.put(str(number), b"x" * 1000)
    await store.close()
    damage(path)
    with pytest.raises(StoreDown, match="is damaged"):
        await store.put("a", b"1")
    move_away(path)
    await store.put("a", b"1")
    assert await store.keys() == ["a"]
    await store.close()


async def test_a_path_that_cannot_be_a_file_is_down(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path, tmp_path / "file" / "state.db"):
        with pytest.raises(StoreDown, match="cannot be opened") as caught:
            await SqliteStore(path).get("a")
        assert f"{tmp_path}/" not in str(caught.value)


async def test_a_file_of_another_version_is_left_alone(path: Path) -> None:
    await put_and_close(path, "a", b"1")
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreDown, match=r"another version of Laconic; move it away and try again\.$"):
        await SqliteStore(path).get("a")


def test_importing_stores_does_not_import_its_drivers() -> None:
    program = (
        "import sys; before = {*sys.modules}; import laconic.stores\n"  # coverage itself imports sqlite3
        "print([m for m in ('sqlite3', 'redis', 'yaml') if m in {*sys.modules} - before])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert said.stdout == "[]\n"
