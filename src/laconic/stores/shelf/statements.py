"""Statements: SQL that is built once for each shape of a question, then run with new values.

Building and compiling a search takes SQLAlchemy longer than the database needs to answer it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Connection, Select
from sqlalchemy.engine import Dialect

from laconic.stores.database.rows import read_rows

__all__ = ["Statement", "as_list", "statement"]

_MOST: Final = 500  # shapes; what callers ask has far fewer
_known: dict[Hashable, Statement] = {}


class Statement:
    """A query of which only the values of its named parameters are missing."""

    def __init__(self, query: Select[Any], dialect: Dialect) -> None:
        compiled = query.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
        self._sql = str(compiled)
        self._names = getattr(compiled, "positiontup", None)
        self._fixed = dict(compiled.params)

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return what there is with these values."""
        all_values = {**self._fixed, **values}
        if self._names is None:
            return read_rows(connection, self._sql, {name: all_values[name] for name in self._fixed})
        return read_rows(connection, self._sql, tuple(all_values[name] for name in self._names))


def statement(connection: Connection, shape: Hashable, build: Callable[[], Select[Any]]) -> Statement:
    """Return the statement of a shape; `build` makes the query when it is first needed."""
    key = (connection.dialect.name, shape)
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = Statement(build(), connection.dialect)
    return found


def as_list(connection: Connection, values: Iterable[Any]) -> object:
    """Return many values as one parameter: a list of PostgreSQL, or JSON for `json_each` of SQLite."""
    found = [*values]
    return json.dumps(found, ensure_ascii=False) if connection.dialect.name == "sqlite" else found
