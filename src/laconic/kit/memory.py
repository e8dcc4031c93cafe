"""A caller's memory: what a toolset remembers about a caller from one call to the next."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from laconic.effects import note_effect

if TYPE_CHECKING:
    from laconic.stores.keyvalue import KeyValue

__all__ = ["Memory"]


class Memory:
    """Supplied to a function: what this caller chose before, such as a project, as JSON values by name.

    It outlives the process. Every caller has its own, and so has every toolset and workspace.
    """

    def __init__(self, store: KeyValue, caller: str) -> None:
        self._store = store
        self._before = f"memory:{blake2b(caller.encode(), digest_size=8).hexdigest()}:"

    async def get(self, name: str, default: Any = None) -> Any:
        """Return what was put under a name."""
        raw = await self._store.get(self._before + name)
        return default if raw is None else json.loads(raw)

    async def put(self, name: str, value: Any) -> None:
        """Remember a value, in place of any other under this name.

        Raises:
            TypeError: it is not JSON.
        """
        raw = json.dumps(value, separators=(",", ":"))
        note_effect()  # before: a store that fails may have kept it
        await self._store.put(self._before + name, raw.encode())

    async def forget(self, name: str) -> bool:
        """Forget a value; False if there was none."""
        note_effect()
        return await self._store.delete(self._before + name)
