"""A key-value store in memory, for tests and for servers whose state may be lost."""

import heapq
import time
from collections import OrderedDict

from laconic.data import dataclass
from laconic.stores.keyvalue.protocol import Clock, Counted, expiry, next_number, weigh


@dataclass(frozen=True, slots=True)
class _StoredValue:
    value: bytes
    expires: float | None
    weight: int


class MemoryStore:
    """Keeps values in this process, up to a limit in bytes."""

    def __init__(self, limit_bytes: int = 64 * 2**20, now: Clock = time.time) -> None:
        self._limit = limit_bytes
        self._now = now
        self._entries: OrderedDict[str, _StoredValue] = OrderedDict()  # least recently used first
        self._expiries: list[tuple[float, str]] = []  # a heap; stale pairs stay until popped or too many
        self._weight = 0

    async def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        entry = self._live(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry.value

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Store the value, replacing any other."""
        self._keep(key, value, expiry(ttl, self._now()))

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Store the value if the key has none; False if it has one."""
        expires = expiry(ttl, self._now())
        if self._live(key):
            return False
        self._keep(key, value, expires)
        return True

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        """Store the new value if the current one is `old`; False if it is not."""
        expires = expiry(ttl, self._now())
        entry = self._live(key)
        if entry is None or entry.value != old:
            return False
        self._keep(key, new, expires)
        return True

    async def delete(self, key: str) -> bool:
        """Delete the value; False if there was none."""
        was_live = self._live(key) is not None
        self._drop(key)
        return was_live

    async def keys(self, prefix: str = "") -> list[str]:
        """Return the keys that start with the prefix, sorted."""
        return sorted(key for key in self._entries if key.startswith(prefix) and self._live(key))

    async def touch(self, key: str, ttl: float | None) -> bool:
        """Set a new time to live, counted from now; False if there is no value."""
        expires = expiry(ttl, self._now())
        entry = self._live(key)
        if entry is None:
            return False
        self._keep(key, entry.value, expires)
        return True

    async def count(self, key: str, window: float) -> Counted:
        """Add one and return the count in the current window; a window opens with its first count."""
        now = self._now()
        expires = expiry(window, now)
        entry = self._live(key)
        number = next_number(key, entry.value) if entry else 1
        expires = entry.expires if entry else expires
        self._keep(key, b"%d" % number, expires)
        return Counted(number, None if expires is None else expires - now)

    async def close(self) -> None:
        """Delete everything."""
        self._entries.clear()
        self._expiries.clear()
        self._weight = 0

    def _live(self, key: str) -> _StoredValue | None:
        entry = self._entries.get(key)
        if entry is None or (entry.expires is not None and entry.expires <= self._now()):
            return None
        return entry

    def _keep(self, key: str, value: bytes, expires: float | None) -> None:
        entry = _StoredValue(value, expires, weigh(key, value, self._limit))
        self._drop(key)
        self._entries[key] = entry
        self._weight += entry.weight
        if expires is not None:
            heapq.heappush(self._expiries, (expires, key))
        self._make_room()

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._weight -= entry.weight

    def _make_room(self) -> None:
        now = self._now()
        while self._expiries and self._expiries[0][0] <= now:
            expires, key = heapq.heappop(self._expiries)
            if key in self._entries and self._entries[key].expires == expires:
                self._drop(key)
        while self._weight > self._limit:
            self._drop(next(iter(self._entries)))
        if len(self._expiries) > 2 * len(self._entries) + 64:
            self._expiries = [(e.expires, key) for key, e in self._entries.items() if e.expires is not None]
            heapq.heapify(self._expiries)
