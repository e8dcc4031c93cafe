"""Synchronous functions as tools: in threads, side by side or one after another, the event loop free."""

import asyncio
import threading
import time
from contextvars import ContextVar

import pytest

from laconic.kit import Settings, Toolset
from laconic.kit.testing import ERAS, connect
from laconic.kit.threads import MOST_LEFT


class Shop:
    """Tools that take as long as they are let."""

    def __init__(self) -> None:
        self.toolset = Toolset("shop", "Things.", threads=1)
        self.started = threading.Event()
        self.may_end = threading.Event()
        self.made: list[str] = []
        self.threads: set[str] = set()

        @self.toolset.read
        def shop_look() -> str:
            """Look for long."""
            self._work()
            return "seen"

        @self.toolset.read(deadline=20)
        def shop_hold() -> str:
            """Look for as long as it takes."""
            self._work()
            return "held"

        @self.toolset.create
        def shop_make(name: str) -> str:
            """Make a thing."""
            self._work()
            self.made.append(name)
            return f"made {name}"

        @self.toolset.read
        async def shop_greet() -> str:
            """Greet."""
            return "hello"

        @self.toolset.read
        def shop_fail() -> str:
            """Fail."""
            raise ZeroDivisionError

    def _work(self) -> None:
        self.threads.add(threading.current_thread().name)
        self.started.set()
        assert self.may_end.wait(20)


async def until(event: threading.Event) -> None:
    while not event.is_set():  # noqa: ASYNC110  # of another thread
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("era", ERAS)
async def test_a_long_sync_call_does_not_block_another(era: str) -> None:
    shop = Shop()
    async with connect(shop.toolset, era=era) as client:
        long = asyncio.create_task(client.call("shop_look"))
        await until(shop.started)
        assert (await client.call("shop_greet")).text == "hello"
        shop.may_end.set()
        assert (await long).text == "seen"
    assert shop.threads == {"shop"}


class Crowd:
    """Counts how many of its functions run at once."""

    def __init__(self) -> None:
        self.most = 0
        self._running = 0
        self._lock = threading.Lock()

    def join(self) -> str:
        """Stay for a moment, or until a second one has joined."""
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
        time.sleep(0.01)
        with self._lock:
            self._running -= 1
        return ""


async def _at_once(toolset: Toolset, *tools: str) -> None:
    async with connect(toolset) as client:
        await asyncio.gather(*(client.call(tool) for tool in tools for _ in range(20)))


async def test_with_one_thread_no_call_runs_beside_another() -> None:
    crowd, toolset = Crowd(), Toolset("shop", threads=1)
    toolset.read(name="shop_look")(lambda: crowd.join())
    toolset.update(name="shop_make")(lambda: crowd.join())

    await _at_once(toolset, "shop_look", "shop_make")

    assert crowd.most == 1


async def test_reads_run_side_by_side_up_to_the_number_of_threads() -> None:
    crowd, toolset = Crowd(), Toolset("shop", threads=3)
    toolset.read(name="shop_look")(lambda: crowd.join())

    await _at_once(toolset, "shop_look")

    assert crowd.most == 3


async def test_writes_run_one_after_another_beside_reads() -> None:
    readers, writers, toolset = Crowd(), Crowd(), Toolset("shop")
    toolset.read(name="shop_look")(lambda: readers.join())
    toolset.update(name="shop_make")(lambda: writers.join())
    toolset.delete(name="shop_drop")(lambda: writers.join())

    await _at_once(toolset, "shop_look", "shop_make", "shop_drop")

    assert (readers.most > 1, writers.most) == (True, 1)


async def test_a_write_that_is_declared_safe_runs_beside_others_and_a_read_may_wait_for_its_turn() -> None:
    writers, readers, toolset = Crowd(), Crowd(), Toolset("shop")
    toolset.update(name="shop_make", in_order=False)(lambda: writers.join())
    toolset.read(name="shop_look", in_order=True)(lambda: readers.join())

    await _at_once(toolset, "shop_look", "shop_make")

    assert (readers.most, writers.most > 1) == (1, True)


async def test_a_read_that_takes_too_long_is_given_up_and_said_to_run_on() -> None:
    shop = Shop()
    async with connect(shop.toolset, settings=Settings(deadline=0.05)) as client:
        reply = await client.call("shop_look")
        shop.may_end.set()
    assert "shop_look took longer than 0.05 s. It may still be running; its result is dropped." in reply.text
    assert "stopped" not in reply.text


async def test_a_read_that_waited_for_its_turn_until_its_deadline_never_ran() -> None:
    shop = Shop()

    @shop.toolset.read(deadline=0.05)
    def shop_hurry() -> str:
        """Hurry."""
        shop.made.append("hurried")
        return ""

    async with connect(shop.toolset) as client:
        first = asyncio.create_task(client.call("shop_hold"))
        await until(shop.started)
        second = await client.call("shop_hurry")
        shop.may_end.set()
        await first
    assert "took longer than 0.05 s and was stopped." in second.text and shop.made == []


def _patient(shop: Shop) -> None:
    """Add a read that does not take long."""

    @shop.toolset.read(deadline=20)
    def shop_count() -> str:
        """Count."""
        return "counted"


async def test_a_read_that_was_given_up_does_not_hold_up_the_next() -> None:
    shop = Shop()
    _patient(shop)
    async with connect(shop.toolset, settings=Settings(deadline=0.05)) as client:
        look = asyncio.create_task(client.call("shop_look"))
        await until(shop.started)
        waiting = asyncio.create_task(client.call("shop_count"))
        assert (await look).failed
        assert (await waiting).text == "counted"  # it had been waiting behind the other
        assert (await client.call("shop_count")).text == "counted"
        shop.may_end.set()


async def test_too_many_reads_that_were_given_up_refuse_the_next_until_one_ends() -> None:
    shop = Shop()
    _patient(shop)
    async with connect(shop.toolset, settings=Settings(deadline=0.05)) as client:
        for _ in range(MOST_LEFT):
            assert (await client.call("shop_look")).error["code"] == "TIMEOUT"
        refused = await client.call("shop_count")
        made = await client.call("shop_make", name="cup")
        assert (await client.call("shop_greet")).text == "hello"
        shop.may_end.set()
        while (reply := await client.call("shop_count")).failed:  # noqa: ASYNC110  # of another thread
            await asyncio.sleep(0.001)
    assert refused.error["code"] == made.error["code"] == "UNAVAILABLE"
    assert f"{MOST_LEFT} calls of shop that took too long are still running. Try again later." in refused.text
    assert "This call changed nothing." in made.text and shop.made == []
    assert reply.text == "counted"


async def test_a_write_that_has_begun_is_waited_for_and_answered() -> None:
    shop = Shop()
    threading.Timer(0.2, shop.may_end.set).start()
    async with connect(shop.toolset, settings=Settings(deadline=0.05)) as client:
        reply = await client.call("shop_make", name="cup")
    assert (reply.text, shop.made) == ("made cup", ["cup"])


async def test_a_write_that_has_not_begun_by_its_deadline_never_begins() -> None:
    shop = Shop()
    async with connect(shop.toolset, settings=Settings(deadline=0.1)) as client:
        first = asyncio.create_task(client.call("shop_hold"))
        await until(shop.started)
        second = await client.call("shop_make", name="cup")
        shop.may_end.set()
        await first
    assert second.failed and shop.made == []


async def test_what_a_sync_function_raises_is_a_bug_like_any_other() -> None:
    async with connect(Shop().toolset) as client:
        reply = await client.call("shop_fail")
    assert reply.failed and "ZeroDivisionError" not in reply.text


_WORD: ContextVar[str] = ContextVar("word", default="")


async def test_a_sync_function_sees_the_context_of_its_call() -> None:
    shop = Shop()

    async def step(call, inner):  # type: ignore[no-untyped-def]
        _WORD.set("set by a step")
        return await inner(call)

    @shop.toolset.read
    def shop_word() -> str:
        """Say the word."""
        return _WORD.get()

    async with connect(shop.toolset, settings=Settings(steps=(step,))) as client:
        assert (await client.call("shop_word")).text == "set by a step"
