"""The protocol of key-value stores, and the rules for times to live, sizes and counters that they share."""

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple, Protocol

from laconic.stores.errors import StoreError, ValueTooLarge

Clock = Callable[[], float]

# Charged for each entry on top of its key and value, so that a million tiny entries are bounded too.
_BOOKKEEPING: Final = 128


class Counted(NamedTuple):
    """A count, and the seconds that are left of its window; None: it never ends."""

    number: int
    left: float | None


class KeyValue(Protocol):
    """Keeps bytes under names; every operation is atomic, even between processes that share the store.

    A `ttl` is in seconds and greater than zero; None means until deleted. Expired values count as absent.
    A bounded store drops the least recently used values; getting, writing and touching count as use.
    """

    async def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        ...

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Store the value, replacing any other."""
        ...

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Store the value if the key has none; False if it has one."""
        ...

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        """Store the new value if the current one is `old`; False if it is not."""
        ...

    async def delete(self, key: str) -> bool:
        """Delete the value; False if there was none."""
        ...

    async def keys(self, prefix: str = "") -> list[str]:
        """Return the keys that start with the prefix, sorted."""
        ...

    async def touch(self, key: str, ttl: float | None) -> bool:
        """Set a new time to live, counted from now; False if there is no value."""
        ...

    async def count(self, key: str, window: float) -> Counted:
        """Add one and return the count in the current window; a window opens with its first count."""
        ...

    async def close(self) -> None:
        """Close files and connections."""
        ...


def check_ttl(ttl: float | None) -> None:
    """Raise ValueError unless the time to live is positive and finite."""
    if ttl is not None and not 0 < ttl < inf:
        raise ValueError(f"a time to live must be more than zero seconds, not {ttl}")


def expiry(ttl: float | None, now: float) -> float | None:
    """Return when a value stored now expires."""
    check_ttl(ttl)
    return None if ttl is None else now + ttl


def weigh(key: str, value: bytes, limit: int) -> int:
    """Return how many bytes an entry counts for.

    Raises:
        ValueTooLarge: it would not fit even in an empty store.
    """
    weight = len(key.encode()) + len(value) + _BOOKKEEPING
    if weight > limit:
        raise ValueTooLarge(f"A value of {len(value):,} bytes does not fit in a store of {limit:,} bytes.")
    return weight


def next_number(key: str, value: bytes) -> int:
    """Parse a counter and return it plus one."""
    if not value.isdigit():
        raise StoreError(f"The value of {key} is not a counter.")
    return int(value) + 1
