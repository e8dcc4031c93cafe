"""Processes: which one runs a call, and whether it still exists."""

from __future__ import annotations

import os
import secrets
from functools import lru_cache
from pathlib import Path

__all__ = ["is_gone", "this_process"]

_PROC = Path("/proc")
_ENDED = ("Z", "X")  # killed, and not yet waited for by its parent


def this_process() -> str:
    """Return who this process is: its machine since the last boot, its number, and when it started.

    Where the system does not tell, the machine is left out: then nobody else can find out that it is gone.
    """
    return _identity(os.getpid())


def is_gone(process: str) -> bool:
    """True if a process of this machine has ended; False if it runs, or if that cannot be found out."""
    machine, number, started = process.split(" ")
    if not machine or machine != this_process().split(" ")[0]:
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it belongs to another user
    return _started(int(number)) not in (started, "")


@lru_cache(maxsize=1)
def _identity(number: int) -> str:
    started = _started(number)
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        machine = f"{boot}/{(_PROC / 'self/ns/pid').readlink()}"  # numbers mean nothing in another container
    except OSError:
        machine = ""
    return f"{machine} {number} {started}" if machine and started else f" {number} {secrets.token_hex(8)}"


def _started(number: int) -> str:
    """Return when a process started, in the system's own measure; `ended` if it has, empty if not known."""
    try:
        state, *fields = (_PROC / str(number) / "stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return "ended"
    except OSError:
        return ""
    return "ended" if state in _ENDED else fields[18]
