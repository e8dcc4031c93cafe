"""Tests that need the machine for themselves: while one runs, no other worker runs any.

Every test holds a lock together with the others; one that is marked `alone` holds it for itself. The gate
keeps the order: a test that waits for the machine keeps the gate shut, so others cannot go on for ever.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["Turns"]


class Turns:
    """The plugin of one worker: lets its tests wait for their turn."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._gate, self._machine = folder / "gate.lock", folder / "machine.lock"

    @pytest.hookimpl(wrapper=True, tryfirst=True)  # outermost: the time limit does not count the waiting
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run one test in its turn."""
        with self.turn(alone=item.get_closest_marker("alone") is not None):
            return (yield)

    @contextmanager
    def turn(self, *, alone: bool) -> Iterator[None]:
        """Hold the machine, together with others or alone."""
        with self._machine.open("w", encoding="utf-8") as machine:
            with self._gate.open("w", encoding="utf-8") as gate:
                fcntl.flock(gate, fcntl.LOCK_EX)
                fcntl.flock(machine, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            yield
