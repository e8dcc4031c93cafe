"""Databases: an edit of three statements in one thread hop, beside an async driver."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from benchmarks.harness import Measured, Subject, interleaved, timed
from benchmarks.report import Result, Table, figures, times
from laconic.stores import Database

__all__ = ["run"]

_ITEMS = 100
_OURS, _ASYNC = "work in a thread", "async driver (aiosqlite)"
_BASELINE = {f"{what}: {_ASYNC}": f"{what}: {_OURS}" for what in ("edit", "read")}
_READ = text("SELECT body, version FROM items WHERE id = :id")
_WRITE = text("UPDATE items SET body = :body, version = :version WHERE id = :id")
_NOTE = text("INSERT INTO versions (id, version, body) VALUES (:id, :version, :body)")


async def run(quick: bool) -> Result:
    """Measure the same edit, and the same read, in both ways."""
    rounds, calls = (3, 20) if quick else (21, 60)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = Database(folder / "ours.db")
        stack.push_async_callback(ours.close)
        await ours.run(_prepare)
        engine = _async_engine(folder / "async.db")
        stack.push_async_callback(engine.dispose)
        async with engine.begin() as connection:
            await connection.run_sync(_prepare)
        works: dict[str, Callable[[], Awaitable[object]]] = {
            f"edit: {_OURS}": partial(ours.run, _edit),
            f"edit: {_ASYNC}": partial(_edit_async, engine),
            f"read: {_OURS}": partial(ours.read, _read),
            f"read: {_ASYNC}": partial(_read_async, engine),
        }
        subjects: dict[str, Subject] = {name: partial(timed, work, calls) for name, work in works.items()}
        return _result(await interleaved(subjects, rounds))


def _prepare(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT, version INTEGER)"))
    connection.execute(text("CREATE TABLE versions (id INTEGER, version INTEGER, body TEXT)"))
    rows = [{"id": number, "body": "x" * 1000} for number in range(_ITEMS)]
    connection.execute(text("INSERT INTO items VALUES (:id, :body, 1)"), rows)


def _edit(connection: Connection) -> None:
    body, version = connection.execute(_READ, {"id": 7}).one()
    new = {"id": 7, "version": version + 1, "body": body[1:] + "y"}
    connection.execute(_WRITE, new)
    connection.execute(_NOTE, new)


def _read(connection: Connection) -> object:
    return connection.execute(_READ, {"id": 7}).one()


async def _edit_async(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        body, version = (await connection.execute(_READ, {"id": 7})).one()
        new = {"id": 7, "version": version + 1, "body": body[1:] + "y"}
        await connection.execute(_WRITE, new)
        await connection.execute(_NOTE, new)


async def _read_async(engine: AsyncEngine) -> object:
    async with engine.connect() as connection:
        return (await connection.execute(_READ, {"id": 7})).one()


def _async_engine(path: Path) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}")

    @event.listens_for(engine.sync_engine, "connect")
    def _(connection: Any, record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = NORMAL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _result(found: dict[str, Measured]) -> Result:
    rows = []
    for what in ("edit", "read"):
        ours, other = found[f"{what}: {_OURS}"], found[f"{what}: {_ASYNC}"]
        rows.append([what, _in_us(ours), _in_us(other), times(other.over(ours))])
    caption = (
        "An edit is one transaction of three statements (read, update, insert) in a SQLite file; both ways"
        " use SQLAlchemy, WAL and an immediate transaction. The last column: how much longer the async driver"
        " takes."
    )
    return Result(
        "databases", [Table(caption, ["", _OURS, _ASYNC, "ratio"], rows)], figures=figures(found, _BASELINE)
    )


def _in_us(measured: Measured) -> str:
    return f"{measured.median * 1e6:,.0f} µs"
