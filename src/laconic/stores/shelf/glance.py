"""A glance at a library: whether it has items and whether they changed, learned without opening a database.

A server that only lists what it listed before starts without SQLAlchemy, and creates no file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from laconic.stores.database.address import file_of
from laconic.stores.database.sqlite.fixed import address_in

__all__ = ["is_empty", "revision_of"]

_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'items'"


def revision_of(address: str, kinds: Sequence[str]) -> int | None:
    """Return what `Desk.revision` would return; 0 if there is no file yet, None if only a desk can tell."""
    file = file_of(address)
    if file is None:
        return None
    if not file.is_file():
        return 0
    places = ", ".join("?" for _ in kinds)
    query = f"SELECT coalesce(sum(number), 0) FROM shelf_revisions WHERE kind IN ({places})"
    try:
        with closing(_reading(file)) as db:
            return int(db.execute(query, list(kinds)).fetchone()[0])
    except sqlite3.Error:  # it is locked, damaged, or from before there were revisions
        return None


def is_empty(file: Path) -> bool:
    """True if a file has no items; of one that cannot be read, nobody knows."""
    try:
        with closing(_reading(file)) as db:
            return not (db.execute(_TABLE).fetchone() and db.execute("SELECT 1 FROM items").fetchone())
    except sqlite3.Error:
        return False


def _reading(file: Path) -> sqlite3.Connection:
    # not as one that only reads: that would leave its files behind
    db = sqlite3.connect(address_in(file), uri=True, timeout=0.1)
    db.execute("PRAGMA query_only = ON")
    return db
