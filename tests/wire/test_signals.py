"""A signal that is held back until the calls in progress have ended does then what it did before."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from laconic.kit.stopping import Stop
from laconic.kit.wire.signals import drained_on_signals

PROGRAM = """
import asyncio, signal
from laconic.kit.stopping import Stop
from laconic.kit.wire.signals import drained_on_signals

async def main():
    with drained_on_signals(Stop(), grace=1):
        print("ready", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.fixture
def restored() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_a_program_without_a_handler_of_its_own_is_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None and program.stdout.readline() == "ready\n"
        program.send_signal(signal.SIGTERM)
        try:
            assert program.wait(20) == -signal.SIGTERM
        finally:
            program.kill()


async def test_a_signal_that_was_ignored_is_ignored(restored: None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    problems: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: problems.append(context))
    stop = Stop()

    with drained_on_signals(stop, grace=1):
        signal.raise_signal(signal.SIGTERM)
        await asyncio.sleep(0.05)

    assert not stop.is_asked and problems == []


async def test_the_handler_of_before_hears_of_the_signal_and_of_the_next(restored: None) -> None:
    heard: list[int] = []
    first = asyncio.Event()

    def hear(number: int, frame: Any) -> None:
        heard.append(number)
        first.set()

    signal.signal(signal.SIGTERM, hear)

    with drained_on_signals(Stop(), grace=1):
        signal.raise_signal(signal.SIGTERM)
        assert heard == []
        await first.wait()
        signal.raise_signal(signal.SIGTERM)

    assert heard == [signal.SIGTERM, signal.SIGTERM]
