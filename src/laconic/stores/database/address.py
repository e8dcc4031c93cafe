"""Addresses of databases: a file's name, `sqlite:///FILE`, or `postgresql://USER@HOST/NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic.stores.errors import BadValue

if TYPE_CHECKING:
    from laconic.stores.database.backend import Backend

__all__ = ["file_of", "open_backend"]

_SQLITE: Final = "sqlite:///"
_POSTGRES: Final = ("postgresql://", "postgres://")


def file_of(address: str | Path) -> Path | None:
    """Return the file of a SQLite database; None for a PostgreSQL.

    Raises:
        BadValue: it is neither.
    """
    if isinstance(address, Path):
        return address
    if address.startswith(_SQLITE):
        return Path(address.removeprefix(_SQLITE))
    if address.startswith(_POSTGRES):
        return None
    if "://" in address or not address.strip():
        raise BadValue("Expected a database as a file's name or postgresql://USER@HOST/NAME.", "database")
    return Path(address)


def open_backend(address: str | Path, patience: float) -> Backend:
    """Return the backend for an address; nothing is opened yet."""
    file = file_of(address)
    if file is not None:
        from laconic.stores.database.sqlite.backend import SqliteBackend  # here: it imports SQLAlchemy

        return SqliteBackend(file)
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from laconic.stores.database.postgres.backend import PostgresBackend

    try:
        url = make_url(str(address))
    except (ArgumentError, ValueError):  # its message has the address, and the address may have a password
        raise BadValue("Expected a database as postgresql://USER@HOST/NAME.", "database") from None
    return PostgresBackend(url, patience)
