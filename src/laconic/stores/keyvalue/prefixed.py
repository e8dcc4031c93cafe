"""A part of a key-value store: every key begins with the same words, so parts cannot see each other."""

from __future__ import annotations

from laconic.stores.keyvalue.protocol import Counted, KeyValue

__all__ = ["PrefixedStore"]


class PrefixedStore:
    """The entries of another store whose keys begin with a prefix, under the rest of their keys."""

    def __init__(self, store: KeyValue, prefix: str) -> None:
        self._store = store
        self._prefix = prefix

    async def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        return await self._store.get(self._prefix + key)

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Store the value, replacing any other."""
        await self._store.put(self._prefix + key, value, ttl)

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Store the value if the key has none; False if it has one."""
        return await self._store.put_new(self._prefix + key, value, ttl)

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        """Store the new value if the current one is `old`; False if it is not."""
        return await self._store.replace(self._prefix + key, old, new, ttl)

    async def delete(self, key: str) -> bool:
        """Delete the value; False if there was none."""
        return await self._store.delete(self._prefix + key)

    async def keys(self, prefix: str = "") -> list[str]:
        """Return the keys that start with the prefix, sorted."""
        return [key.removeprefix(self._prefix) for key in await self._store.keys(self._prefix + prefix)]

    async def touch(self, key: str, ttl: float | None) -> bool:
        """Set a new time to live, counted from now; False if there is no value."""
        return await self._store.touch(self._prefix + key, ttl)

    async def count(self, key: str, window: float) -> Counted:
        """Add one and return the count in the current window; a window opens with its first count."""
        return await self._store.count(self._prefix + key, window)

    async def close(self) -> None:
        """Do nothing: the whole store belongs to somebody else."""
