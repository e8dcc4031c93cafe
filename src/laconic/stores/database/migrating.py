"""Migrations: one row tells whether any is due; alembic is imported only then, and under a lock."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, column, inspect, select, table

from laconic.stores.errors import Newer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laconic.stores.database.backend import Backend
    from laconic.stores.database.schema import Schema

__all__ = ["applied", "migrate", "missing", "refuse_newer"]

_PATIENCE: Final = 60.0  # seconds that a process waits while another one migrates
_ENVIRONMENT: Final = Path(__file__).parent / "environment"
_one_at_a_time = threading.Lock()  # alembic keeps the migration in progress in global names


def missing(connection: Connection, schema: Schema, label: str) -> tuple[str, ...]:
    """Return the revisions that are not applied yet.

    Raises:
        Newer: one is applied that this program does not know.
    """
    last = applied(connection, schema)
    if last is not None and last not in schema.revisions:
        raise _newer(schema, last, label)
    return schema.missing(last)


def refuse_newer(connection: Connection, schemas: Sequence[Schema], label: str) -> None:
    """Check, before a write, that no newer program has migrated the database since it was opened.

    Raises:
        Newer: one has: what we would write might lack what that program relies on.
    """
    for schema in schemas:
        last = connection.scalar(select(column("version_num")).select_from(table(schema.table)))
        if last not in schema.revisions:
            raise _newer(schema, last, label)


def _newer(schema: Schema, last: str | None, label: str) -> Newer:
    return Newer(
        f"{label} was written by a newer version of Laconic ({schema.name} {last},"
        f" this one knows {schema.revisions[-1]}); update Laconic to use it."
    )


def applied(connection: Connection, schema: Schema) -> str | None:
    """Return the revision applied last; None if there is none."""
    if not inspect(connection).has_table(schema.table):
        return None
    found: str | None = connection.scalar(select(column("version_num")).select_from(table(schema.table)))
    return found


def migrate(backend: Backend, schemas: Sequence[Schema]) -> None:
    """Apply what is missing; of two processes the second waits and finds that nothing is.

    Killed at any moment, it leaves the database as it was.
    """
    with (
        _one_at_a_time,
        backend.engine(writes=True).connect() as connection,
        backend.migrating(connection, _PATIENCE),
    ):
        due = [schema for schema in schemas if missing(connection, schema, backend.label)]
        for schema in due:
            if applied(connection, schema) is not None:
                backend.keep_copy(f"{schema.name}-{schema.revisions[-1]}")
        for schema in due:
            _upgrade(connection, schema)


def _upgrade(connection: Connection, schema: Schema) -> None:
    from alembic import command  # here: it takes longer than everything else together
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", _ENVIRONMENT.as_posix().replace("%", "%%"))
    config.set_main_option("version_locations", schema.folder.as_posix().replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.attributes.update(connection=connection, version_table=schema.table)
    command.upgrade(config, "head")
