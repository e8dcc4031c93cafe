"""A library of which one page is damaged: it can be opened, and does not have all that it had."""

import sqlite3
from contextlib import closing
from pathlib import Path


def damage(file: Path) -> None:
    """Overwrite the first page of the table of versions."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((size,),) = db.execute("PRAGMA page_size")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'item_versions'")
    content = bytearray(file.read_bytes())
    start = (page - 1) * size
    content[start + 100 : start + size] = b"\x55" * (size - 100)
    file.write_bytes(content)
