"""A key-value store in Redis, for servers on several machines."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from laconic.stores.errors import StoreDown, StoreError
from laconic.stores.keyvalue.protocol import Counted, check_ttl

if TYPE_CHECKING:
    from redis.asyncio import Redis

_SECONDS_TO_WAIT: Final = 5.0
_GLOB: Final = re.compile(r"([*?\[\]\\])")

# An empty argument: no time to live.
_REPLACE: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1"""
_TOUCH: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[1] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return 1"""
_COUNT: Final = """
if redis.call('SET', KEYS[1], 1, 'NX', 'PX', ARGV[1]) then return {1, ARGV[1]} end
return {redis.call('INCR', KEYS[1]), redis.call('PTTL', KEYS[1])}"""


class RedisStore:
    """Keeps values in Redis, which limits them by its own `maxmemory`; connects on first use."""

    def __init__(self, url: str, prefix: str = "laconic:") -> None:
        self._url = url
        self._prefix = prefix
        self._client: Redis | None = None

    async def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        value: bytes | None = await self._run(lambda client: client.get(self._prefix + key))
        return value

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Store the value, replacing any other."""
        life = _milliseconds(ttl)
        await self._run(lambda client: client.set(self._prefix + key, value, px=life))

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Store the value if the key has none; False if it has one."""
        life = _milliseconds(ttl)
        return bool(await self._run(lambda client: client.set(self._prefix + key, value, px=life, nx=True)))

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        """Store the new value if the current one is `old`; False if it is not."""
        return bool(await self._script(_REPLACE, key, old, new, _milliseconds(ttl) or ""))

    async def delete(self, key: str) -> bool:
        """Delete the value; False if there was none."""
        return bool(await self._run(lambda client: client.delete(self._prefix + key)))

    async def keys(self, prefix: str = "") -> list[str]:
        """Return the keys that start with the prefix, sorted."""
        pattern = _GLOB.sub(r"\\\1", self._prefix + prefix) + "*"

        async def scan(client: Redis) -> set[bytes]:
            return {key async for key in client.scan_iter(match=pattern, count=1000)}

        found = await self._run(scan)
        return sorted(key.decode().removeprefix(self._prefix) for key in found)

    async def touch(self, key: str, ttl: float | None) -> bool:
        """Set a new time to live, counted from now; False if there is no value."""
        return bool(await self._script(_TOUCH, key, _milliseconds(ttl) or ""))

    async def count(self, key: str, window: float) -> Counted:
        """Add one and return the count in the current window; a window opens with its first count."""
        number, left = map(int, await self._script(_COUNT, key, _milliseconds(window) or ""))
        return Counted(number, left / 1000 if left >= 0 else None)

    async def publish(self, name: str, message: bytes) -> None:
        """Send a message to everyone who listens now, on any machine."""
        await self._run(lambda client: client.publish(self._prefix + name, message))

    async def listen(self, name: str) -> AsyncIterator[bytes]:
        """Yield an empty message, and then those that are sent from now on.

        Raises:
            StoreDown: the connection was lost.
        """
        async with self._open().pubsub(ignore_subscribe_messages=True) as listening:
            await self._run(lambda _: listening.subscribe(self._prefix + name))
            yield b""
            while True:
                got = await self._run(lambda _: listening.get_message(timeout=_SECONDS_TO_WAIT / 2))
                if got is not None:
                    yield got["data"]

    async def close(self) -> None:
        """Close the connections; the next use opens them again."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def _script(self, script: str, key: str, *arguments: bytes | int | str) -> Any:
        return await self._run(lambda client: client.register_script(script)([self._prefix + key], arguments))

    async def _run(self, work: Callable[[Redis], Awaitable[Any]]) -> Any:
        client = self._open()
        from redis import exceptions  # here: see _open

        try:
            return await work(client)
        except exceptions.AuthenticationError as error:
            raise StoreDown(f"Redis at {self._where()} refused the user name or password.") from error
        except exceptions.ResponseError as error:
            raise StoreError(f"Redis refused: {error}.") from error
        except (exceptions.RedisError, OSError) as error:
            raise StoreDown(f"Redis at {self._where()} cannot be reached; is it running?") from error

    def _open(self) -> Redis:
        if self._client is None:
            self._client = self._connect()
        return self._client

    def _connect(self) -> Redis:
        try:  # here: only a server with a redis:// address needs the package
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ImportError as error:
            message = "The Python package 'redis' is missing: install it, or use another store."
            raise StoreDown(message) from error
        # No silent retry: if the reply to a put_new were lost, the retry would tell the winner that it lost.
        # Protocol 2: with 3, redis-py does not notice that a pooled connection was closed in the meantime.
        try:
            return Redis.from_url(
                self._url,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
                socket_timeout=_SECONDS_TO_WAIT,
                socket_connect_timeout=_SECONDS_TO_WAIT,
            )
        except ValueError as error:
            raise StoreError("That is not a Redis address: use redis://HOST:PORT/NUMBER.") from error

    def _where(self) -> str:
        """Return the host only: the address may contain a password."""
        parts = urlsplit(self._url)
        return f"{parts.hostname or 'localhost'}:{parts.port or 6379}"


def _milliseconds(ttl: float | None) -> int | None:
    check_ttl(ttl)
    return None if ttl is None else max(1, round(ttl * 1000))
