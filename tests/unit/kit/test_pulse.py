"""The pulse has work done soon or now and then, without a timer in the event loop."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from laconic.kit import CallJournal
from laconic.kit.journal.pulse import Job, Pulse, pulse
from laconic.stores import Journal


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110  # another thread makes it so
            await asyncio.sleep(0.01)


def timers() -> list[Any]:
    loop: Any = asyncio.get_running_loop()
    return [timer for timer in loop._scheduled if not timer.cancelled()]


async def test_work_is_done_on_the_loop_whenever_it_is_due() -> None:
    beating, done, is_due = Pulse(), [], [True]

    def work() -> None:
        is_due[0] = False
        done.append(threading.get_ident())

    job = Job(lambda: is_due[0], work)
    beating.add(job)
    await until(lambda: len(done) == 1)
    is_due[0] = True
    await until(lambda: len(done) == 2)
    beating.remove(job)
    assert set(done) == {threading.get_ident()}


async def test_a_pulse_without_jobs_has_no_thread() -> None:
    beating = Pulse()
    job = Job(lambda: False, lambda: None)
    beating.add(job)
    thread = beating._thread
    assert thread is not None and thread.is_alive()
    beating.remove(job)
    await until(lambda: not thread.is_alive())
    beating.add(Job(lambda: False, lambda: None))
    assert beating._thread is not thread


async def test_one_job_that_fails_costs_no_other() -> None:
    beating = Pulse()
    done: list[int] = []

    def fail() -> bool:
        raise RuntimeError("no answer")

    jobs = [Job(fail, lambda: None), Job(lambda: not done, lambda: done.append(1))]
    for job in jobs:
        beating.add(job)
    await until(lambda: bool(done))
    for job in jobs:
        beating.remove(job)


def test_jobs_of_a_closed_loop_are_forgotten() -> None:
    beating = Pulse()

    async def begin() -> None:
        beating.add(Job(lambda: False, lambda: None))

    asyncio.run(begin())
    thread = beating._thread
    assert thread is not None
    thread.join(timeout=60)
    assert not thread.is_alive()


async def test_calls_are_recorded_without_a_timer_of_the_loop(tmp_path: Path) -> None:
    calls = CallJournal(Journal(tmp_path / "journal"), tmp_path)
    before = len(timers())
    calls.tell(told="prompts")
    assert len(timers()) == before
    await until(lambda: calls.store.size() > 0)
    calls.close()
    assert calls._job is None


async def test_a_closed_journal_leaves_no_job(tmp_path: Path) -> None:
    calls = CallJournal(Journal(tmp_path / "journal"), tmp_path)
    calls.tell(told="prompts")
    job = calls._job
    calls.close()
    assert job not in pulse._jobs and calls.store.size() > 0
