"""Changes of the index: which items get or lose a term, gathered by block and written together."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from laconic.stores.database.rows import read_rows, write_rows
from laconic.stores.shelf.search.postings import BLOCK, decoded, encoded, of_chunk
from laconic.stores.shelf.search.vocabulary import learn, unlearn
from laconic.stores.shelf.statements import as_list

__all__ = ["IndexChanges", "keep_writers_out"]

_AT_ONCE: Final = 5000  # changes in one statement
_MANY: Final = 200_000  # changes that are gathered before they are written
_LOCK: Final = zlib.crc32(b"laconic index")
_CHUNK: Final = of_chunk("")
_COLUMNS: Final = "(kind, block, term, field, items)"
_REPLACING: Final = "ON CONFLICT (term, kind, field, block) DO UPDATE SET items = excluded.items"
_READ: Final = {
    True: "SELECT term, field, items FROM json_each(?) AS wanted CROSS JOIN postings"
    " ON term = wanted.value WHERE kind = ? AND block = ?",
    False: "SELECT term, field, items FROM postings WHERE term = ANY(%s) AND kind = %s AND block = %s",
}
_WRITE: Final = {
    True: f"INSERT INTO postings {_COLUMNS} VALUES (?, ?, ?, ?, ?) {_REPLACING}",
    False: f"INSERT INTO postings {_COLUMNS} SELECT %s, %s, new.* FROM"
    f" unnest(%b::text[], %b::int[], %b::bytea[]) AS new {_REPLACING}",
}
_REMOVE: Final = {
    True: "DELETE FROM postings WHERE kind = ? AND block = ? AND term = ? AND field = ?",
    False: "DELETE FROM postings WHERE kind = %s AND block = %s"
    " AND (term, field) IN (SELECT * FROM unnest(%b::text[], %b::int[]))",
}


def keep_writers_out(connection: Connection) -> None:
    """Let nobody else write to the index until this transaction ends; SQLite has only one writer."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))


class IndexChanges:
    """What is to be written; nothing is, until `write`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_sqlite = connection.dialect.name == "sqlite"
        self._blocks: dict[tuple[str, int], dict[tuple[str, int], tuple[int, int]]] = {}

    def put(self, kind: str, item: int, field: int, terms: Iterable[str]) -> None:
        """Note that an item has these terms in a field."""
        self._note(kind, item, field, terms, True)

    def take(self, kind: str, item: int, field: int, terms: Iterable[str]) -> None:
        """Note that an item no longer has these terms in a field."""
        self._note(kind, item, field, terms, False)

    def _note(self, kind: str, item: int, field: int, terms: Iterable[str], is_put: bool) -> None:
        block, place = divmod(item, BLOCK)
        bit = 1 << place
        noted = self._blocks.setdefault((kind, block), {})
        for term in terms:
            put, taken = noted.get((term, field), (0, 0))
            noted[term, field] = (put | bit, taken & ~bit) if is_put else (put & ~bit, taken | bit)

    def write_if_many(self) -> None:
        """Write everything if it is so much that it should not stay in memory."""
        if sum(map(len, self._blocks.values())) > _MANY:
            self.write()

    def write(self) -> None:
        """Write everything, while nobody else writes to the index."""
        blocks = {key: changes for key, changes in sorted(self._blocks.items()) if changes}
        self._blocks.clear()
        if not blocks:
            return
        keep_writers_out(self._connection)
        new = {term for changes in blocks.values() for (term, _), (put, _) in changes.items() if put}
        learn(self._connection, (term[1:] for term in new if term.startswith(_CHUNK)))
        gone: set[str] = set()
        for (kind, block), changes in blocks.items():
            ordered = sorted(changes)
            for start in range(0, len(ordered), _AT_ONCE):
                some = {key: changes[key] for key in ordered[start : start + _AT_ONCE]}
                gone |= self._write_some(kind, block, some)
        unlearn(self._connection, (term[1:] for term in gone if term.startswith(_CHUNK)))

    def _write_some(
        self, kind: str, block: int, changes: Mapping[tuple[str, int], tuple[int, int]]
    ) -> set[str]:
        """Write some changes; returns the terms that a field of no item of the block has any longer."""
        terms = as_list(self._connection, dict.fromkeys(term for term, _ in changes))
        rows = read_rows(self._connection, _READ[self._is_sqlite], (terms, kind, block))
        known = {(term, field): items for term, field, items in rows}
        kept: list[tuple[str, int, bytes]] = []
        gone: list[tuple[str, int]] = []
        for key, (put, taken) in changes.items():
            old = known.get(key)
            items = (decoded(old) if old else 0) & ~taken | put
            if items:
                kept.append((*key, encoded(items)))
            elif old:
                gone.append(key)
        self._run(_WRITE, kind, block, kept)
        self._run(_REMOVE, kind, block, gone)
        return {term for term, _ in gone}

    def _run(
        self, statements: Mapping[bool, str], kind: str, block: int, rows: Sequence[tuple[object, ...]]
    ) -> None:
        if rows and self._is_sqlite:
            write_rows(self._connection, statements[True], [(kind, block, *row) for row in rows])
        elif rows:
            columns = [[*column] for column in zip(*rows, strict=True)]
            write_rows(self._connection, statements[False], [(kind, block, *columns)])
