"""The library of the benchmark: filled once into a file that is kept, and copied into a real PostgreSQL."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import library_samples
from benchmarks.library_samples import ME, drafts
from benchmarks.programs import ROOT
from laconic.stores import Database, Shelf
from laconic.stores.shelf import tables
from laconic.stores.shelf.upkeep.moving import continue_numbers

__all__ = ["KINDS", "copy_into", "filled"]

KINDS = ("prompt", "note")
_AT_ONCE = 1000  # items in a transaction


async def filled(count: int) -> Path:
    """Return a file with that many items of each kind; making it takes minutes, so it is kept in .cache."""
    folder = ROOT / ".cache"
    path = folder / f"bench-library-{count}-{_digest()}.db"
    if path.exists():
        return path
    folder.mkdir(exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    print(f"   filling a library with {count:,} items of each kind", file=sys.stderr, flush=True)
    database = Database(draft, [Shelf.schema])
    shelf = Shelf(database)
    for kind in KINDS:
        every = drafts(kind, count)
        for _ in range(0, count, _AT_ONCE):
            await shelf.run(partial(_add, every, min(_AT_ONCE, count)))
    await database.close()
    draft.rename(path)
    return path


def _add(every: Iterator[Any], count: int, desk: Any) -> None:
    for _, draft in zip(range(count), every, strict=False):
        desk.add(draft, ME)


def _digest() -> str:
    """Return what changes when the samples or the tables change."""
    scripts = sorted(Path(Shelf.schema.folder).glob("m*.py"))
    files = [Path(library_samples.__file__), Path(tables.__file__), *scripts]
    return blake2b(b"".join(file.read_bytes() for file in files), digest_size=6).hexdigest()


async def copy_into(address: str, file: Path) -> None:
    """Copy a filled file into an empty database."""
    database = Database(address, [Shelf.schema])
    await database.read(lambda connection: None)
    with closing(sqlite3.connect(file)) as source, psycopg.connect(address) as target:
        query = "SELECT indexdef FROM pg_indexes WHERE indexname = 'vocabulary_grams'"
        index = target.execute(query).fetchone()
        target.execute("DROP INDEX vocabulary_grams")
        target.execute("DELETE FROM shelf_revisions")
        for table in tables.TABLES.sorted_tables:
            _copy(source, target, table.name, [column.name for column in table.columns])
        assert index is not None
        target.execute(index[0])
        target.commit()
        target.autocommit = True
        target.execute("VACUUM ANALYZE")
    await database.run(continue_numbers)
    await database.close()


def _copy(
    source: sqlite3.Connection, target: psycopg.Connection[Any], table: str, columns: list[str]
) -> None:
    names = ", ".join(columns)
    with target.cursor().copy(f"COPY {table} ({names}) FROM STDIN") as sink:
        for row in source.execute(f"SELECT {names} FROM {table}"):
            sink.write_row(row)
