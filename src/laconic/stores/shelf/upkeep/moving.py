"""Moving a shelf: all its rows, from one kind of database to the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, text, update

from laconic.stores.shelf.tables import ITEMS, REVISIONS, TABLES, TAGS, VERSIONS

__all__ = ["Rows", "last_revision", "pass_revisions", "read_rows", "replace_rows"]

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""The rows of each table, by its name."""

_AT_ONCE: Final = 500  # rows in one statement
_NUMBERED: Final = (ITEMS, TAGS, VERSIONS)  # their next number comes from a sequence of the server


def read_rows(connection: Connection) -> Rows:
    """Return everything that a shelf has, at one moment."""
    return {
        table.name: [dict(row._mapping) for row in connection.execute(select(table))]
        for table in TABLES.sorted_tables
    }


def replace_rows(connection: Connection, rows: Rows) -> None:
    """Put these rows in the place of everything that a shelf has."""
    for table in reversed(TABLES.sorted_tables):
        connection.execute(delete(table))
    for table in TABLES.sorted_tables:
        found = rows.get(table.name, ())
        for start in range(0, len(found), _AT_ONCE):
            connection.execute(insert(table), list(found[start : start + _AT_ONCE]))
    if connection.dialect.name == "postgresql":
        for table in _NUMBERED:
            last = connection.scalar(select(func.max(table.c.n))) or 0
            named = {"table": table.name, "last": max(last, 1), "used": last > 0}
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence(:table, 'n'), :last, :used)"), named
            )


def last_revision(connection: Connection) -> int:
    """Return the highest revision of any kind of item."""
    return int(connection.scalar(select(func.max(REVISIONS.c.number))) or 0)


def pass_revisions(last: int) -> Callable[[Connection], None]:
    """Return work that makes all revisions higher than one that others know, so that nobody mistakes them."""

    def work(connection: Connection) -> None:
        connection.execute(update(REVISIONS).values(number=REVISIONS.c.number + last))

    return work
