"""Work that a plain function leaves for later: done in its thread while no call waits."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from laconic.kit import Toolset, later
from laconic.kit.testing import connect


class Shop:
    """A tool that leaves work, and one that only notes that it was called."""

    def __init__(self, work: Callable[[], Iterator[None]], threads: int = 1) -> None:
        self.toolset = Toolset("shop", "Things.", threads=threads)
        self.noted: list[str] = []
        self.threads: set[int] = set()

        @self.toolset.read
        def shop_look() -> str:
            """Look, and leave something to do."""
            self.threads.add(threading.get_ident())
            return str(later(work()))

        @self.toolset.read
        def shop_note() -> str:
            """Note it."""
            self.noted.append("call")
            return "noted"


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110  # of another thread
            await asyncio.sleep(0.001)


async def test_it_is_done_after_the_call_in_the_same_thread() -> None:
    done: list[int] = []

    def work() -> Iterator[None]:
        for _ in range(3):
            done.append(threading.get_ident())
            yield

    shop = Shop(work)
    async with connect(shop.toolset) as client:
        assert (await client.call("shop_look")).text == "True"
        await until(lambda: len(done) == 3)

    assert set(done) == shop.threads


async def test_a_call_is_served_between_two_steps() -> None:
    may_end = threading.Event()

    def work() -> Iterator[None]:
        while not may_end.is_set():
            shop.noted.append("step")
            yield

    shop = Shop(work)
    async with connect(shop.toolset) as client:
        await client.call("shop_look")
        await until(lambda: "step" in shop.noted)
        assert (await client.call("shop_note")).text == "noted"
        at = shop.noted.index("call")
        await until(lambda: "step" in shop.noted[at:])
        may_end.set()


@pytest.mark.parametrize("threads", [1, 4])
async def test_work_that_fails_is_dropped_and_calls_go_on(
    threads: int, caplog: pytest.LogCaptureFixture
) -> None:
    ended = threading.Event()

    def work() -> Iterator[None]:
        yield
        ended.set()
        raise ZeroDivisionError

    shop = Shop(work, threads)
    async with connect(shop.toolset) as client:
        await client.call("shop_look")
        await until(ended.is_set)
        assert (await client.call("shop_note")).text == "noted"
        await until(lambda: "left for later failed" in caplog.text)


async def test_several_works_are_done_one_after_another() -> None:
    done: list[int] = []
    counts = iter(range(9))

    def work() -> Iterator[None]:
        number = next(counts)
        for _ in range(2):
            done.append(number)
            yield

    shop = Shop(work)
    async with connect(shop.toolset) as client:
        await client.call("shop_look")
        await client.call("shop_look")
        await until(lambda: len(done) == 4)

    assert done in ([0, 0, 1, 1], [1, 1, 0, 0])


def test_elsewhere_nothing_is_promised() -> None:
    assert later(iter(())) is False
