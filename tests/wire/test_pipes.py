"""Reading and writing on real pipes: in pieces, to a client that stops reading, and to one that is gone."""

import asyncio
import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from laconic.kit.wire.lean.pipes import FULL, PipeReader, PipeWriter

Pipe = tuple[int, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """Where to read and where to write; a test may close either."""
    found = os.pipe()
    yield found
    for end in found:
        with suppress(OSError):  # the test did
            os.close(end)


def nothing() -> None:
    pass


async def all_of(end: int, count: int) -> bytes:
    """So many bytes, read in odd pieces as they come."""
    os.set_blocking(end, False)
    data = bytearray()
    async with asyncio.timeout(20):
        while len(data) < count:
            try:
                data += os.read(end, 7919)
            except BlockingIOError:
                await asyncio.sleep(0)
    return bytes(data)


async def test_what_does_not_fit_at_once_follows_in_order(pipe: Pipe) -> None:
    writing = PipeWriter(pipe[1], nothing, nothing)
    lines = [f"{number} ".encode() * 50_000 for number in range(5)]
    for line in lines:
        writing.send(line)

    assert await all_of(pipe[0], sum(map(len, lines))) == b"".join(lines)
    await writing.flush()
    writing.close()


async def test_who_says_much_waits_for_a_client_that_does_not_read(pipe: Pipe) -> None:
    drained = asyncio.Event()
    writing = PipeWriter(pipe[1], nothing, drained.set)
    sent = 0

    async def shout() -> None:
        nonlocal sent
        while sent < 4 * FULL:
            await writing.room()
            writing.send(b"x" * 10_000)
            sent += 10_000

    task = asyncio.create_task(shout())
    for _ in range(1000):
        await asyncio.sleep(0)
    stopped_at = sent

    assert writing.is_full
    assert FULL < stopped_at < FULL + 200_000  # the pipe holds some, too
    await all_of(pipe[0], 4 * FULL)
    await task
    assert drained.is_set() and not writing.is_full
    writing.close()


async def test_what_is_kept_is_let_go_when_the_client_is_gone(pipe: Pipe) -> None:
    broken = asyncio.Event()
    writing = PipeWriter(pipe[1], broken.set, nothing)
    writing.send(b"x" * 2 * FULL)
    assert writing.is_full and writing.is_read
    os.close(pipe[0])

    async with asyncio.timeout(20):
        await writing.room()
        await writing.flush()
        await broken.wait()
    writing.send(b"x")
    assert not writing.is_read and not writing.is_full
    writing.close()


async def test_a_client_that_is_gone_is_noticed_at_the_first_word(pipe: Pipe) -> None:
    broken: list[bool] = []
    writing = PipeWriter(pipe[1], lambda: broken.append(True), nothing)
    os.close(pipe[0])
    writing.send(b"x")
    writing.send(b"y")
    await asyncio.sleep(0)

    assert broken == [True]
    writing.close()


async def test_a_client_that_is_gone_is_seen_without_a_word(pipe: Pipe) -> None:
    writing = PipeWriter(pipe[1], nothing, nothing)
    assert writing.is_read
    os.close(pipe[0])
    assert not writing.is_read
    writing.close()


async def test_a_file_is_written_like_a_pipe(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as file:
        writing = PipeWriter(file.fileno(), nothing, nothing)
        for number in range(100):
            writing.send(b"%d\n" % number)
        await writing.flush()
        assert writing.is_read
        writing.close()

    assert (tmp_path / "out").read_text().split() == [str(number) for number in range(100)]


@pytest.mark.parametrize("size", [0, 5, 300_000])
async def test_a_file_is_read_like_a_pipe(tmp_path: Path, size: int) -> None:
    (tmp_path / "in").write_bytes(b"x" * size)
    heard, ended = bytearray(), asyncio.Event()
    with (tmp_path / "in").open("rb") as file:
        PipeReader(file.fileno(), heard.extend, ended.set).go_on()
        async with asyncio.timeout(20):
            await ended.wait()

    assert len(heard) == size


async def test_a_reader_that_waits_takes_nothing_in_and_then_goes_on(pipe: Pipe) -> None:
    heard, ended = bytearray(), asyncio.Event()
    reading = PipeReader(pipe[0], heard.extend, ended.set)
    reading.go_on()
    reading.go_on()
    os.write(pipe[1], b"one")
    await until(lambda: heard == b"one")
    reading.wait()
    reading.wait()
    os.write(pipe[1], b"two")
    for _ in range(100):
        await asyncio.sleep(0)
    assert heard == b"one"
    reading.go_on()
    await until(lambda: heard == b"onetwo")
    os.close(pipe[1])
    async with asyncio.timeout(20):
        await ended.wait()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110  # what is waited for tells nobody
            await asyncio.sleep(0)


async def test_a_flood_to_a_waiting_reader_stays_in_the_pipe(pipe: Pipe) -> None:
    reading = PipeReader(pipe[0], lambda data: reading.wait(), nothing)
    reading.go_on()
    writing = PipeWriter(pipe[1], nothing, nothing)
    tracemalloc.start()
    try:
        for _ in range(300):
            if not writing.is_full:
                writing.send(b"x" * 100_000)
            await asyncio.sleep(0)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 4 * FULL
    writing.close()
    reading.wait()
