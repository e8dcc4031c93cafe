"""Keep stdout clean: other output and errors go to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laconic.kit.errors import Failure

__all__ = ["abandon_stdout", "report", "stdout_on_stderr"]


@contextmanager
def stdout_on_stderr() -> Iterator[None]:
    """Redirect stdout to stderr meanwhile, also for child processes."""
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
    """Redirect stdout to stderr for good: the client already has its last message."""
    os.dup2(2, 1)


def report(error: Failure) -> None:
    """Print a failure on stderr."""
    from laconic.kit.redaction import without_secrets

    print(f"laconic: {without_secrets(error.words)}", file=sys.stderr)
