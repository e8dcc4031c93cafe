"""Whether the process that ran a call still exists."""

import os
import subprocess
import sys

import pytest

from laconic.kit.keeping.processes import is_gone, this_process

SAY = "from laconic.kit.keeping.processes import this_process; print(this_process(), flush=True); input()"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who a process is")


def _other() -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().rstrip("\n")


def test_a_process_that_runs_is_not_gone() -> None:
    process, who = _other()
    with process:
        assert who != this_process()
        assert not is_gone(who)
        process.kill()


@linux
def test_a_process_that_was_killed_is_gone_even_before_its_parent_notices() -> None:
    process, who = _other()
    with process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        for _ in range(2):
            assert is_gone(who)
            process.wait(10)


@linux
def test_a_number_that_another_process_has_now_is_not_the_same_process() -> None:
    machine, number, started = this_process().split(" ")
    assert not is_gone(f"{machine} {number} {started}")
    assert is_gone(f"{machine} {number} {int(started) - 1}")


@linux
def test_nothing_is_known_about_a_process_of_another_machine_or_one_that_cannot_say_who_it_is() -> None:
    _, number, started = this_process().split(" ")
    assert not is_gone(f"elsewhere {number} {int(started) - 1}")
    assert not is_gone(f" {number} 1234")
