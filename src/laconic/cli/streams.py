"""Keeping stdout clean: what others print goes to stderr, as does what went wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laconic.kit.errors import Failure

__all__ = ["abandon_stdout", "say", "stdout_on_stderr"]


@contextmanager
def stdout_on_stderr() -> Iterator[None]:
    """Let everything written to stdout meanwhile, also by other programs we start, come out on stderr."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def abandon_stdout() -> None:
    """Send what is left in a buffer to stderr: the client has had its last message."""
    os.dup2(2, 1)


def say(error: Failure) -> None:
    """Put a failure to the person at the terminal."""
    print(f"laconic: {error.message} {error.advice}".rstrip(), file=sys.stderr)
