"""Choosing a key-value store by its address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic.stores.errors import StoreError

if TYPE_CHECKING:
    from laconic.stores.keyvalue.protocol import KeyValue

__all__ = ["check_address", "open_keyvalue"]

_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]+):(//)?")  # at least two letters: `C:` is a drive


def open_keyvalue(url: str) -> KeyValue:
    """Return the store for `memory:`, `sqlite:PATH`, a plain path or `redis://…`, not yet opened.

    Raises:
        StoreError: the address is invalid.
    """
    path = _path(url)
    if path is not None:
        from laconic.stores.keyvalue.sqlite import SqliteStore

        return SqliteStore(path)
    if url.startswith("memory"):
        from laconic.stores.keyvalue.memory import MemoryStore

        return MemoryStore()
    from laconic.stores.keyvalue.redis import RedisStore

    return RedisStore(url)


def check_address(url: str) -> None:
    """Check that an address is valid; for the usual one, a file, nothing is imported.

    Raises:
        StoreError: the address is invalid.
    """
    if _path(url) is None:
        open_keyvalue(url)


def _path(url: str) -> Path | None:
    """Return the file that an address names; None if it names another kind of store."""
    scheme = _SCHEME.match(url)
    match scheme[1] if scheme else "":
        case "memory" | "redis" | "rediss" | "unix":
            return None
        case "sqlite":
            path = url.removeprefix("sqlite:")
        case "":
            path = url
        case other:
            raise StoreError(f"No store is called '{other}': use memory:, sqlite:PATH or redis://HOST.")
    plain = path[2:] if path.startswith("///") else path  # sqlite:///var/x.db, as in other programs
    if not plain:
        raise StoreError("The address of the store has no path: use sqlite:PATH.")
    return Path(plain).expanduser()
