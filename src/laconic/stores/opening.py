"""Opening the key-value store that an address names."""

import re
from pathlib import Path
from typing import Final

from laconic.stores.errors import StoreError
from laconic.stores.keyvalue import KeyValue
from laconic.stores.memory import MemoryStore
from laconic.stores.redis import RedisStore
from laconic.stores.sqlite import SqliteStore

_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]+):(//)?")  # two letters at least: `C:` is a drive


def open_keyvalue(url: str) -> KeyValue:
    """Return the store at `memory:`, `sqlite:PATH`, a plain path or `redis://…`, still unopened."""
    scheme = _SCHEME.match(url)
    match scheme[1] if scheme else "":
        case "memory":
            return MemoryStore()
        case "redis" | "rediss" | "unix":
            return RedisStore(url)
        case "sqlite":
            return _sqlite(url.removeprefix("sqlite:"))
        case "":
            return _sqlite(url)
        case other:
            raise StoreError(f"No store is called '{other}': use memory:, sqlite:PATH or redis://HOST.")


def _sqlite(path: str) -> SqliteStore:
    plain = path[2:] if path.startswith("///") else path  # sqlite:///var/x.db, as in other programs
    if not plain:
        raise StoreError("The address of the store has no path: use sqlite:PATH.")
    return SqliteStore(Path(plain).expanduser())
