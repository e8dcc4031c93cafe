"""A test that needs the machine for itself runs while no other worker does."""

import threading
from pathlib import Path

from tests.alone import Turns


def test_tests_share_the_machine(tmp_path: Path) -> None:
    one, two = Turns(tmp_path), Turns(tmp_path)

    with one.turn(alone=False), two.turn(alone=False):
        pass


def test_one_that_needs_the_machine_waits_for_others_and_lets_no_later_one_pass(
    tmp_path: Path,
) -> None:
    order: list[str] = []
    started = threading.Event()

    def take(name: str, alone: bool) -> threading.Thread:
        def work() -> None:
            started.set()
            with Turns(tmp_path).turn(alone=alone):
                order.append(name)

        thread = threading.Thread(target=work)
        thread.start()
        started.wait(10)
        started.clear()
        return thread

    with Turns(tmp_path).turn(alone=False):
        first = take("alone", alone=True)
        while not _is_shut(tmp_path / "gate.lock"):
            first.join(0.01)
        second = take("shared", alone=False)
        second.join(0.1)
        assert order == []
    first.join(10)
    second.join(10)

    assert order == ["alone", "shared"]


def _is_shut(gate: Path) -> bool:
    import fcntl

    with gate.open(encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
