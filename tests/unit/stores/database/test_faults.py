"""What can go wrong with a database, and what the caller sees: a clear error, and nothing half done."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import textwrap
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from anyio import create_task_group, fail_after, from_thread, move_on_after, to_thread
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from laconic.effects import watched
from laconic.stores import Database, StoreDown
from laconic.stores.database.postgres import backend
from laconic.stores.database.rows import read_rows, write_rows
from laconic.stores.errors import Full, Gone, Locked, ReadOnly, Unusable
from tests.postgres_server import PostgresServer
from tests.unit.stores.database.samples import add, increase, schema, values


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "library.db"


@pytest.fixture
def postgres_address(postgres: PostgresServer) -> str:
    return postgres.new_database()


def fill(connection: Connection) -> None:
    for number in range(2000):
        add(connection, f"{number} {'x' * 1000}")


def put_there(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)


def is_still(path: Path, content: bytes) -> bool:
    return path.read_bytes() == content


def run_child(program: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program that has `Database`, `schema`, `add`, `values` and `asyncio`."""
    head = (
        "import asyncio, os, resource, signal, sys\nfrom pathlib import Path\n"
        "from laconic.stores import Database\n"
        "from tests.unit.stores.database.samples import add, schema, values\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(program), *words],
        capture_output=True,
        text=True,
        timeout=50,
        cwd=Path(__file__).parents[4],
    )


# both databases


async def test_a_process_killed_in_the_middle_leaves_nothing_half_done(address: str, tmp_path: Path) -> None:
    database = Database(address, [schema(tmp_path, 1)])
    await database.run(partial(add, name="before"))
    killed = run_child(
        """
        def work(connection):
            for number in range(500):
                add(connection, f"{number} " + "x" * 1000)
            os.kill(os.getpid(), signal.SIGKILL)
        asyncio.run(Database(sys.argv[1]).run(work))
        """,
        address,
    )
    assert killed.returncode == -signal.SIGKILL
    with fail_after(20):
        await database.run(partial(add, name="after"))
    assert set(await database.read(values)) == {"made", "before", "after"}
    await database.close()


async def test_a_process_killed_while_it_migrates_leaves_the_database_as_it_was(
    address: str, tmp_path: Path
) -> None:
    first = Database(address, [schema(tmp_path, 1)])
    await first.read(values)
    await first.close()
    kill = schema(tmp_path, 2)
    script = kill.folder / "m0002_step.py"
    script.write_text(
        f"{script.read_text()}\n    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = run_child(
        "asyncio.run(Database(sys.argv[1], [__import__('laconic.stores').stores.Schema('counters',"
        " Path(sys.argv[2]))]).read(values))",
        address,
        kill.folder,
    )
    assert killed.returncode == -signal.SIGKILL
    again = Database(address, [schema(tmp_path, 2)])
    assert await again.read(values) == {"made": 2}
    await again.close()


async def test_two_that_wait_for_each_other_both_finish(address: str, tmp_path: Path) -> None:
    database = Database(address, [schema(tmp_path, 1)])
    await database.run(partial(add, name="other"))

    def both(connection: Connection, names: tuple[str, str]) -> None:
        increase(connection, names[0])
        connection.execute(text("SELECT pg_sleep(0.3)" if "://" in address else "SELECT 1"))
        increase(connection, names[1])

    async with create_task_group() as tasks:
        tasks.start_soon(database.run, partial(both, names=("made", "other")))
        tasks.start_soon(database.run, partial(both, names=("other", "made")))
    assert await database.read(values) == {"made": 3, "other": 2}
    await database.close()


async def test_a_cancelled_call_ends_its_transaction_before_the_next_begins(
    address: str, tmp_path: Path
) -> None:
    database = Database(address, [schema(tmp_path, 1)])
    await database.read(values)
    entered, leave = Event(), Event()

    def work(connection: Connection) -> None:
        add(connection, "a")
        entered.set()
        leave.wait(20)
        from_thread.check_cancelled()

    async with create_task_group() as tasks:
        tasks.start_soon(database.run, work)
        await to_thread.run_sync(entered.wait, 20)
        tasks.cancel_scope.cancel()
        leave.set()
    assert await database.run(values) == {"made": 1}
    await database.close()


async def test_a_lock_that_others_hold_too_long_is_told_and_changes_nothing(
    address: str, tmp_path: Path
) -> None:
    database = Database(address, [schema(tmp_path, 1)], patience=0.2)
    holder = Database(address)
    await database.read(values)
    entered, leave = Event(), Event()

    def hold(connection: Connection) -> None:
        increase(connection, "made")
        entered.set()
        leave.wait(20)

    async with create_task_group() as tasks:
        tasks.start_soon(holder.run, hold)
        await to_thread.run_sync(entered.wait, 20)
        with watched() as effects, pytest.raises(Locked, match="held by") as locked:
            await database.run(partial(increase, name="made"))
        assert locked.value.harmless
        assert not effects.any
        assert await database.read(values) == {"made": 1}  # reading goes on
        leave.set()
    assert await database.run(partial(increase, name="made")) == 3
    await holder.close()
    await database.close()


# SQLite


async def test_a_lock_that_is_released_in_time_is_only_waited_for(path: Path, tmp_path: Path) -> None:
    database = Database(path, [schema(tmp_path, 1)])
    await database.read(values)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    async with create_task_group() as tasks:
        tasks.start_soon(database.run, partial(increase, name="made"))
        with move_on_after(0.3):
            await to_thread.run_sync(Event().wait, 0.3)
        other.execute("COMMIT")
    assert await database.read(values) == {"made": 2}
    other.close()
    await database.close()


async def test_a_full_disk_is_told_and_changes_nothing(path: Path, tmp_path: Path) -> None:
    database = Database(path, [schema(tmp_path, 1)])
    await database.run(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 50"))
    with (
        watched() as effects,
        pytest.raises(Full, match=r"^There is no space left for library\.db\.$") as full,
    ):
        await database.run(fill)
    assert full.value.harmless
    assert not effects.any
    assert await database.read(values) == {"made": 1}
    await database.run(partial(add, name="small"))  # what fits is kept
    await database.close()


def test_a_file_that_may_not_grow_is_told_and_keeps_what_it_has(path: Path, tmp_path: Path) -> None:
    told = run_child(
        """
        async def run(path, folder):
            database = Database(path, [schema(folder, 1)])
            await database.read(values)
            sys.dont_write_bytecode = True  # Python would keep half a file
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
            def fill(connection):
                for number in range(2000):
                    add(connection, f"{number} " + "x" * 1000)
            try:
                await database.run(fill)
            except Exception as error:
                print(type(error).__name__, error.harmless, error)
            print(await database.read(values))
        asyncio.run(run(sys.argv[1], Path(sys.argv[2])))
        """,
        path,
        tmp_path,
    )
    assert told.stdout.splitlines() == [
        "StoreDown True library.db cannot be used: disk I/O error.",
        "{'made': 1}",
    ], told.stderr


@pytest.mark.parametrize("damage", [b"no database at all" * 500, b"SQLite format 3\0" + b"\xaa" * 8000])
async def test_a_damaged_file_is_told_and_not_touched(path: Path, tmp_path: Path, damage: bytes) -> None:
    put_there(path, damage)
    database = Database(path, [schema(tmp_path, 1)])
    with pytest.raises(
        Unusable, match=r"^library\.db is damaged \(.+\); put a copy in its place\.$"
    ) as damaged:
        await database.run(partial(add, name="a"))
    assert damaged.value.harmless
    assert is_still(path, damage)
    await database.close()


async def test_a_file_that_was_deleted_is_told_before_anything_is_lost_with_it(
    path: Path, tmp_path: Path
) -> None:
    database = Database(path, [schema(tmp_path, 1)])
    await database.run(partial(add, name="a"))
    for file in path.parent.iterdir():
        file.unlink()
    with pytest.raises(Gone, match="moved, deleted or replaced") as gone:
        await database.run(partial(add, name="b"))
    assert gone.value.harmless
    await database.run(partial(add, name="c"))
    assert set(await database.read(values)) == {"made", "c"}
    await database.close()


async def test_a_file_put_in_its_place_is_used_from_then_on(path: Path, tmp_path: Path) -> None:
    copy = Database(tmp_path / "copy.db", [schema(tmp_path, 1)])
    await copy.run(partial(add, name="of the copy"))
    await copy.close()
    database = Database(path, [schema(tmp_path, 1)])
    await database.run(partial(add, name="a"))
    (tmp_path / "copy.db").replace(path)
    for rest in ("-wal", "-shm"):
        path.with_name(path.name + rest).unlink()
    with pytest.raises(Gone):
        await database.read(values)
    assert set(await database.read(values)) == {"made", "of the copy"}
    await database.close()


def test_a_folder_that_may_not_be_written_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        told = _told_without_rights(folder)
    assert told.stdout.splitlines() == [
        "ReadOnly True library.db can be read, but not written.",
        "ReadOnly True new.db cannot be opened or created: Permission denied.",
    ], told.stderr


def _told_without_rights(folder: str) -> subprocess.CompletedProcess[str]:
    return run_child(
        """
        async def run(folder):
            database = Database(folder / "library.db", [schema(folder, 1)])
            await database.run(lambda connection: add(connection, "a"))
            await database.close()
            again, new = Database(folder / "library.db"), Database(folder / "new.db")
            await Database(folder / "other.db", [schema(folder, 1)]).read(values)  # imports what is needed
            folder.chmod(0o555)
            (folder / "library.db").chmod(0o444)
            if os.geteuid() == 0:
                os.seteuid(65534)
            for database in (again, new):
                try:
                    await database.run(lambda connection: add(connection, "b"))
                except Exception as error:
                    print(type(error).__name__, error.harmless, error)
        asyncio.run(run(Path(sys.argv[1])))
        """,
        folder,
    )


async def test_the_file_is_copied_before_a_migration(path: Path, tmp_path: Path) -> None:
    first = Database(path, [schema(tmp_path, 1)])
    await first.run(partial(add, name="a"))
    second = Database(path, [schema(tmp_path, 2)])
    assert (await second.read(values))["made"] == 2
    copy = path.with_name("library-before-counters-0002.db")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    kept = Database(copy)
    assert await kept.read(values) == {"made": 1, "a": 0}
    assert sorted(file.name for file in path.parent.iterdir() if file.suffix == ".db") == [
        copy.name,
        path.name,
    ]
    for database in (first, second, kept):
        await database.close()


async def test_without_a_copy_nothing_is_migrated(path: Path, tmp_path: Path) -> None:
    first = Database(path, [schema(tmp_path, 1)])
    await first.run(partial(add, name="a"))
    copy = path.with_name("library-before-counters-0002.db")
    copy.mkdir()  # nothing can be put in its place
    second = Database(path, [schema(tmp_path, 2)])
    with pytest.raises(StoreDown, match=r"library-before-counters-0002\.db cannot be written") as caught:
        await second.run(partial(add, name="b"))
    assert caught.value.harmless
    assert await first.read(values) == {"made": 1, "a": 0}
    assert sorted(file.name for file in path.parent.iterdir() if file.suffix in (".db", ".tmp")) == [
        copy.name,
        path.name,
    ]
    copy.rmdir()
    await second.run(partial(add, name="b"))
    assert await second.read(values) == {"made": 2, "a": 0, "b": 0}
    for database in (first, second):
        await database.close()


async def test_a_new_file_is_for_its_owner_only_and_has_no_copy(path: Path, tmp_path: Path) -> None:
    database = Database(path, [schema(tmp_path, 1)])
    await database.run(partial(add, name="a"))
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    await database.close()
    assert [file.name for file in path.parent.iterdir()] == ["library.db"]


# PostgreSQL


@pytest.mark.needs("postgres")
async def test_a_server_that_was_killed_is_told_and_used_again_when_it_is_back(
    postgres: PostgresServer, postgres_address: str, tmp_path: Path
) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)])
    await database.run(partial(add, name="a"))
    postgres.kill()
    try:
        with (
            watched() as effects,
            pytest.raises(Gone, match=r"^The database test\d+ cannot be reached\.$") as gone,
        ):
            await database.run(partial(add, name="b"))
        assert gone.value.harmless
        assert not effects.any
    finally:
        postgres.start()
    await database.run(partial(add, name="c"))
    assert set(await database.read(values)) == {"made", "a", "c"}
    await database.close()


@pytest.mark.needs("postgres")
@pytest.mark.parametrize(
    "code, kind, words",
    [
        ("53100", Full, "has no space left"),
        ("25006", ReadOnly, "can be read, but not written"),
        ("57014", Locked, "took too long"),
        ("53300", Locked, "has no free connection"),
        ("40P01", Locked, "was busy with a conflicting change for too long"),
        ("XX001", Unusable, "is damaged; put a copy in its place"),
        ("58030", StoreDown, "cannot be used now: no word of mine"),
    ],
)
async def test_what_a_server_refuses_for_a_reason_of_its_own_is_told_and_changes_nothing(
    postgres_address: str, tmp_path: Path, code: str, kind: type[StoreDown], words: str
) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)], patience=0.2)

    def work(connection: Connection) -> None:
        add(connection, "a")
        connection.exec_driver_sql(
            f"DO $$ BEGIN RAISE EXCEPTION 'no word of mine' USING ERRCODE = '{code}'; END $$"
        )

    with watched() as effects, pytest.raises(kind, match=rf"^The database test\d+ {words}\.$") as refused:
        await database.run(work)
    assert type(refused.value) is kind and refused.value.harmless
    assert not effects.any
    assert await database.read(values) == {"made": 1}
    await database.close()


@pytest.mark.needs("postgres")
async def test_a_server_that_says_nothing_is_given_up_and_used_again_when_it_speaks(
    postgres_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)], patience=0.2)
    await database.read(values)
    await database.close()
    monkeypatch.setattr(backend, "_SILENT", 0.5)
    (process,) = await database.run(
        lambda connection: connection.execute(text("SELECT pg_backend_pid()")).one()
    )
    os.kill(process, signal.SIGSTOP)
    try:
        with watched() as effects, pytest.raises(Gone, match=r"^The database test\d+ has not") as gone:
            await database.run(partial(add, name="a"))
        assert gone.value.harmless
        assert not effects.any
        assert await database.read(values) == {"made": 1}  # on another connection
    finally:
        os.kill(process, signal.SIGCONT)
    await database.run(partial(add, name="b"))
    assert set(await database.read(values)) == {"made", "b"}
    await database.close()


@pytest.mark.needs("postgres")
async def test_a_migration_may_take_its_time(
    postgres_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "_SILENT", 0.2)
    slow = schema(tmp_path, 1)
    script = slow.folder / "m0001_step.py"
    script.write_text(f"{script.read_text()}\n    op.execute('SELECT pg_sleep(0.6)')\n")
    database = Database(postgres_address, [slow], patience=1.0)
    assert await database.read(values) == {"made": 1}
    with pytest.raises(Gone):
        await database.read(lambda connection: connection.execute(text("SELECT pg_sleep(20)")))
    await database.close()


@pytest.mark.needs("postgres")
async def test_work_whose_connection_breaks_is_done_again(postgres_address: str, tmp_path: Path) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)])
    tries = 0

    def work(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        add(connection, "a")
        if tries == 1:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    await database.run(work)
    assert tries == 2
    assert set(await database.read(values)) == {"made", "a"}
    await database.close()


@pytest.mark.needs("postgres")
async def test_a_read_by_the_driver_itself_whose_connection_breaks_is_done_again(
    postgres_address: str, tmp_path: Path
) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)])
    tries = 0

    def work(connection: Connection) -> list[tuple[str]]:
        nonlocal tries
        tries += 1
        if tries == 1:
            read_rows(connection, "SELECT pg_terminate_backend(pg_backend_pid())")
        return read_rows(connection, "SELECT name FROM counters WHERE name = %s", ("made",))

    assert await database.read(work) == [("made",)]
    assert tries == 2
    await database.close()


async def test_a_mistake_in_a_read_by_the_driver_is_raised_as_any_other(address: str, tmp_path: Path) -> None:
    database = Database(address, [schema(tmp_path, 1)])
    query = "SELECT * FROM nowhere"
    for run in (partial(read_rows, sql=query), partial(write_rows, sql=query, rows=[()])):
        with pytest.raises(DBAPIError) as wrong:
            await database.run(run)
        assert "nowhere" in str(wrong.value.orig)
    assert set(await database.read(values)) == {"made"}  # the connection is as good as new
    await database.close()


@pytest.mark.needs("postgres")
async def test_a_connection_that_breaks_in_the_commit_leaves_open_whether_it_was_kept(
    postgres_address: str, tmp_path: Path
) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)])
    tries = 0

    def prepare(connection: Connection) -> None:
        connection.execute(
            text(
                "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS"
                " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'"
            )
        )
        connection.execute(
            text(
                "CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON counters DEFERRABLE INITIALLY DEFERRED"
                " FOR EACH ROW EXECUTE FUNCTION leave()"
            )
        )

    def work(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        add(connection, "a")

    await database.run(prepare)
    with watched() as effects, pytest.raises(Gone) as gone:
        await database.run(work)
    assert not gone.value.harmless
    assert effects.any
    assert tries == 1
    await database.close()


@pytest.mark.needs("postgres")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("?host=", "?connect_timeout=1&host=/nowhere"), "cannot be reached"),
        (("@/", "@/no_"), 'cannot be used: database "no_test.*" does not exist'),
        (("laconic@", "stranger:secret@"), 'cannot be used: role "stranger" does not exist'),
    ],
)
async def test_a_server_that_lets_nobody_in_is_told_without_the_password(
    postgres_address: str, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(StoreDown, match=said) as down:
        await Database(postgres_address.replace(*change), patience=0.5).read(values)
    assert down.value.harmless
    assert "secret" not in str(down.value)
    assert "/" not in str(down.value)


@pytest.mark.needs("postgres")
async def test_a_server_that_only_answers_readers_is_told(postgres_address: str, tmp_path: Path) -> None:
    database = Database(postgres_address, [schema(tmp_path, 1)])

    def work(connection: Connection) -> None:
        connection.execute(text("SET TRANSACTION READ ONLY"))
        add(connection, "a")

    with pytest.raises(ReadOnly, match="can be read, but not written") as read_only:
        await database.run(work)
    assert read_only.value.harmless
    await database.close()
