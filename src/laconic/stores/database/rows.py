"""Rows: read and written by the cursor of the driver itself.

What SQLAlchemy does around a statement takes longer than most of these take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

__all__ = ["read_rows", "run_plain", "write_rows"]


def read_rows(
    connection: Connection, sql: str, values: Sequence[object] | Mapping[str, object] = ()
) -> list[tuple[Any, ...]]:
    """Return all rows of a query; its caller has made sure that every database can keep its texts.

    Raises:
        DBAPIError: as SQLAlchemy raises it.
    """
    with _cursor(connection, sql) as cursor:
        cursor.execute(sql, values)
        return [*cursor.fetchall()]


def write_rows(connection: Connection, sql: str, rows: Sequence[Sequence[object]]) -> None:
    """Run a statement once for each row; its caller has made sure that the values can be kept.

    Raises:
        DBAPIError: as SQLAlchemy raises it.
    """
    with _cursor(connection, sql) as cursor:
        cursor.executemany(sql, rows)


def run_plain(connection: Connection, sql: str) -> None:
    """Run a statement without values that returns nothing.

    Raises:
        DBAPIError: as SQLAlchemy raises it.
    """
    with _cursor(connection, sql) as cursor:
        cursor.execute(sql)


@contextmanager
def _cursor(connection: Connection, sql: str) -> Iterator[DBAPICursor]:
    driver, dialect = connection.connection, connection.dialect
    try:
        cursor = driver.cursor()
        try:
            yield cursor
        finally:
            cursor.close()
    except dialect.loaded_dbapi.Error as error:
        is_lost = dialect.is_disconnect(error, driver, None)
        told = DBAPIError.instance(
            sql,
            None,
            error,
            dialect.loaded_dbapi.Error,
            hide_parameters=True,
            connection_invalidated=is_lost,
            dialect=dialect,
        )
        if is_lost:
            connection.invalidate(error)
        raise told from error
