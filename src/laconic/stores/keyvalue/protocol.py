"""The key-value store: bytes under a name, each with an optional time to live."""

from collections.abc import Callable
from math import inf
from typing import Final, Protocol

from laconic.stores.errors import StoreError, ValueTooLarge

Clock = Callable[[], float]

# Charged for each entry beside its key and value, so that a million tiny entries are bounded as well.
_BOOKKEEPING: Final = 128


class KeyValue(Protocol):
    """Keeps bytes under names; every operation is atomic, also between processes that share the store.

    A `ttl` is in seconds and more than zero; None means until deleted. What has expired counts as absent.
    A bounded store drops what was used least recently: getting, writing and touching are use.
    """

    async def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        ...

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Keep the value, whatever was there before."""
        ...

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Keep the value if there is none; False if there is one."""
        ...

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        """Keep the new value if the present one is `old`; False if it is not."""
        ...

    async def delete(self, key: str) -> bool:
        """Forget the value; False if there was none."""
        ...

    async def keys(self, prefix: str = "") -> list[str]:
        """Return the keys that begin so, sorted."""
        ...

    async def touch(self, key: str, ttl: float | None) -> bool:
        """Give the value a new time to live, from now on; False if there is none."""
        ...

    async def count(self, key: str, window: float) -> int:
        """Add one and return the sum so far; the first count opens the window, after which it starts anew."""
        ...

    async def close(self) -> None:
        """Let go of files and connections."""
        ...


def check_ttl(ttl: float | None) -> None:
    """Raise ValueError for a time to live that is not a time."""
    if ttl is not None and not 0 < ttl < inf:
        raise ValueError(f"a time to live is more than zero seconds, not {ttl}")


def expiry(ttl: float | None, now: float) -> float | None:
    """Say when something kept now expires."""
    check_ttl(ttl)
    return None if ttl is None else now + ttl


def weigh(key: str, value: bytes, limit: int) -> int:
    """Return the bytes an entry is charged with.

    Raises:
        ValueTooLarge: it would not fit even into an empty store.
    """
    weight = len(key.encode()) + len(value) + _BOOKKEEPING
    if weight > limit:
        raise ValueTooLarge(f"A value of {len(value):,} bytes does not fit a store of {limit:,} bytes.")
    return weight


def next_number(key: str, value: bytes) -> int:
    """Read a counter and add one."""
    if not value.isdigit():
        raise StoreError(f"The value of {key} is not a counter.")
    return int(value) + 1
