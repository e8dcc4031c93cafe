"""Effects: a store notes that something was written, for whoever must tell whether anything was changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Effects:
    """Whether something was written while these were watched."""

    any: bool = False


_watched: ContextVar[Effects | None] = ContextVar("watched", default=None)


@contextmanager
def watched() -> Iterator[Effects]:
    """Watch for effects: those of the present task, and of the tasks and threads that it starts."""
    before, effects = _watched.get(), Effects()
    _watched.set(effects)
    try:
        yield effects
    finally:
        _watched.set(before)  # not `reset`: an abandoned call is closed in another context


def note_effect() -> None:
    """Note that something was changed, or may have been."""
    effects = _watched.get()
    if effects is not None:
        effects.any = True
