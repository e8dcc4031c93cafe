"""The stores under test, each with a way to make its time pass."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from laconic.stores import MemoryStore, RedisStore, SqliteStore
from tests.unit.stores.keepers import FakeClock, Keeper


@pytest.fixture(params=["memory", "sqlite", pytest.param("redis", marks=pytest.mark.needs("redis"))])
async def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Keeper]:
    """Each kind of store in turn, empty."""
    clock = FakeClock()
    match request.param:
        case "memory":
            keeper = Keeper(MemoryStore(now=clock), clock.turn)
        case "sqlite":
            keeper = Keeper(SqliteStore(tmp_path / "state.db", now=clock), clock.turn)
        case _:
            keeper = await _redis_keeper(request.getfixturevalue("redis_url"))
    yield keeper
    await keeper.store.close()


async def _redis_keeper(url: str) -> Keeper:
    from redis.asyncio import Redis

    async with Redis.from_url(url) as client:
        await client.flushdb()

    async def pass_time(seconds: float) -> None:
        """Redis has its own clock: shorten every time to live instead of waiting."""
        async with Redis.from_url(url) as client:
            async for key in client.scan_iter():
                left = await client.pttl(key)
                if left >= 0:
                    await client.pexpire(key, left - round(seconds * 1000))

    return Keeper(RedisStore(url), pass_time)
