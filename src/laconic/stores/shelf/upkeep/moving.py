"""Moving a shelf: all its rows, from one kind of database to the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from anyio import from_thread
from sqlalchemy import Connection, case, delete, func, insert, select, text, update

from laconic.stores.database.database import Database
from laconic.stores.database.unhurried import unhurried
from laconic.stores.shelf.tables import ITEMS, REVISIONS, TABLES, TAGS, VERSIONS

__all__ = ["continue_numbers", "last_revision", "move_rows", "pass_revisions"]

_AT_ONCE: Final = 500  # rows in one statement, and in memory
_NUMBERED: Final = (ITEMS, TAGS, VERSIONS)  # their next number comes from a sequence of the server


async def move_rows(source: Database, target: Database) -> None:
    """Put all that one shelf has at one moment in the place of all that another has, in one transaction."""

    def work(here: Connection) -> None:
        def replace(there: Connection) -> None:
            with unhurried(there):
                _replace_rows(there, here)

        from_thread.run(target.run, replace)

    await source.read(work)


def _replace_rows(connection: Connection, source: Connection) -> None:
    is_server = connection.dialect.name == "postgresql"
    if is_server:
        _keep_others_out(connection)
    for table in reversed(TABLES.sorted_tables):
        connection.execute(delete(table))
    for table in TABLES.sorted_tables:
        found = source.execution_options(yield_per=_AT_ONCE).execute(select(table))
        for rows in found.mappings().partitions():
            connection.execute(insert(table), [dict(row) for row in rows])
    continue_numbers(connection)


def _keep_others_out(connection: Connection) -> None:
    """Let others read what there was, and write only when all is there: what they add is not among it."""
    names = ", ".join(table.name for table in TABLES.sorted_tables)
    connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def continue_numbers(connection: Connection) -> None:
    """Let the next row of each table have the number after the last one; SQLite does so by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in _NUMBERED:
        last = connection.scalar(select(func.max(table.c.n))) or 0
        named = {"table": table.name, "last": max(last, 1), "used": last > 0}
        connection.execute(text("SELECT setval(pg_get_serial_sequence(:table, 'n'), :last, :used)"), named)


def last_revision(connection: Connection) -> int:
    """Return the highest revision of any kind of item."""
    return int(connection.scalar(select(func.max(REVISIONS.c.number))) or 0)


def pass_revisions(last: int) -> Callable[[Connection], None]:
    """Return work that makes all revisions higher than one that others know, so that nobody mistakes them."""

    def work(connection: Connection) -> None:
        highest = case((REVISIONS.c.number > last, REVISIONS.c.number), else_=last)
        connection.execute(update(REVISIONS).values(number=highest + 1))

    return work
