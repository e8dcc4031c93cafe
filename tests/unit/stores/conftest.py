"""The stores under test, each with a way to let its time pass."""

import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
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


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis on a free loopback port."""
    port = _free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    folder = tmp_path_factory.mktemp("redis")
    with subprocess.Popen(["redis-server", *options, "--dir", folder], stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(port, server)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()
            server.wait(10)


async def _redis_keeper(url: str) -> Keeper:
    from redis.asyncio import Redis

    async with Redis.from_url(url) as client:
        await client.flushdb()

    async def pass_time(seconds: float) -> None:
        """Redis has its own clock: shorten every life instead of waiting."""
        async with Redis.from_url(url) as client:
            async for key in client.scan_iter():
                left = await client.pttl(key)
                if left >= 0:
                    await client.pexpire(key, left - round(seconds * 1000))

    return Keeper(RedisStore(url), pass_time)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up and server.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as probe:
                probe.sendall(b"PING\r\n")
                if probe.recv(16).startswith(b"+PONG"):
                    return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError("redis-server did not answer within ten seconds")
