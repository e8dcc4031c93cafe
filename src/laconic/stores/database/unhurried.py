"""Unhurried work: its statements may take as long as they need, such as those that put a copy back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from sqlalchemy import Connection, text

__all__ = ["unhurried"]


@contextmanager
def unhurried(connection: Connection) -> Iterator[None]:
    """Give the statements of this block all the time they need, there and here; SQLite always does."""
    if connection.dialect.name != "postgresql":
        yield
        return
    driver: Any = connection.connection.driver_connection
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    with driver.waiting(inf):
        yield
