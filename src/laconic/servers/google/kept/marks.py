"""Marks: when we last changed a file, known to all processes that share a store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from laconic.stores import StoreError
from laconic.stores.keyvalue import KeyValue

_KIND: Final = "touched"
_LONGER: Final = 60.0  # seconds that a mark outlives what it is compared with


@dataclass
class ChangeMarks:
    """The changes that one account made."""

    store: KeyValue
    account: str
    now: Callable[[], float]
    lasts: float  # seconds that what is compared with them is kept
    _own: dict[str, float] = field(default_factory=dict)  # the store may not have been told

    async def put(self, file: str) -> None:
        """Note that a file was changed just now."""
        now = self.now()
        self._own = {key: at for key, at in self._own.items() if at > now - self.lasts}
        self._own[file] = now
        with suppress(StoreError):
            name = name_of(_KIND, self.account, file)
            await self.store.put(name, str(now).encode(), self.lasts + _LONGER)

    async def last(self, file: str) -> float:
        """Return when a file was last changed; minus infinity if that is long ago.

        Raises:
            StoreError: the store cannot tell.
        """
        known = await self.store.get(name_of(_KIND, self.account, file))
        return max(float(known or b"-inf"), self._own.get(file, float("-inf")))


def name_of(kind: str, account: str, *parts: str) -> str:
    """Return the name under which something of an account is stored."""
    whole = "\n".join((account, *parts)).encode()
    return f"{kind}:{blake2b(whole, digest_size=16).hexdigest()}"
