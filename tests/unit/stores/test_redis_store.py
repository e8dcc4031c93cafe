"""What only the Redis store promises: its prefix, and clear errors when Redis or its package is missing."""

import sys

import pytest

from laconic.stores import RedisStore, StoreDown, StoreError

NOWHERE = "redis://:secret@127.0.0.1:1/0"  # port 1: nobody listens


@pytest.mark.needs("redis")
async def test_two_prefixes_are_two_stores(redis_url: str) -> None:
    one, other = RedisStore(redis_url, "one[*]:"), RedisStore(redis_url, "other:")
    await one.put("a", b"1", 60)
    await other.put("b", b"2", 60)
    assert (await one.keys(), await other.keys()) == (["a"], ["b"])
    assert await other.get("a") is None
    await one.close()
    await other.close()


@pytest.mark.needs("redis")
async def test_it_reconnects_after_a_lost_connection(redis_url: str) -> None:
    from redis.asyncio import Redis

    store = RedisStore(redis_url)
    await store.put("a", b"1", 60)
    async with Redis.from_url(redis_url) as client:
        await client.client_kill_filter(_type="normal", skipme=True)
    assert await store.get("a") == b"1"
    await store.close()


@pytest.mark.needs("redis")
async def test_a_wrong_password_is_reported(redis_url: str) -> None:
    store = RedisStore(redis_url.replace("redis://", "redis://nobody:secret@"))
    with pytest.raises(StoreDown, match="refused the user name or password") as caught:
        await store.get("a")
    assert "secret" not in str(caught.value)
    await store.close()


async def test_an_absent_redis_is_down_without_its_password() -> None:
    pytest.importorskip("redis")
    store = RedisStore(NOWHERE)
    with pytest.raises(StoreDown, match=r"127\.0\.0\.1:1 cannot be reached") as caught:
        await store.put_new("a", b"1")
    assert "secret" not in str(caught.value)
    await store.close()


async def test_an_invalid_address_is_reported() -> None:
    pytest.importorskip("redis")
    with pytest.raises(StoreError, match="not a Redis address"):
        await RedisStore("redis://127.0.0.1:port/0").get("a")


async def test_a_missing_package_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(StoreDown, match="package 'redis' is missing"):
        await RedisStore(NOWHERE).get("a")
