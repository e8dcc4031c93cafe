"""Effects: whoever changes something notes it, for whoever must tell later if anything was changed."""

from contextvars import ContextVar
from typing import Any

from laconic.data import dataclass

Change = tuple[Any, Any] | None
"""The value of a field before and after; None for a text, of which only the change is told."""


@dataclass
class Effects:
    """Whether something was written while these were watched, and what is known of it."""

    any: bool = False
    changes: dict[str, dict[str, Change]] | None = None  # by id and field, if there was a word of it

    def note(self, id: str, texts: tuple[str, ...], fields: dict[str, tuple[Any, Any]]) -> None:
        """Note which fields of a thing changed."""
        self.any = True
        self.changes = {} if self.changes is None else self.changes
        known = self.changes.setdefault(id, {})
        for name, (before, after) in fields.items():
            earlier = known.get(name)
            known[name] = (earlier[0] if earlier else before, after)
        known.update(dict.fromkeys(texts))


_watched: ContextVar[Effects | None] = ContextVar("watched", default=None)


class watched:  # used like a function: every call has one, and a generator takes three times as long
    """Watch for effects: those of the present task, and of the tasks and threads that it starts."""

    __slots__ = ("_before",)

    def __enter__(self) -> Effects:
        self._before = _watched.get()
        effects = Effects()
        _watched.set(effects)
        return effects

    def __exit__(self, *error: object) -> None:
        _watched.set(self._before)  # not `reset`: an abandoned call is closed in another context


def note_change(id: str, /, *texts: str, **fields: tuple[Any, Any]) -> None:
    """Note what changed: fields with their values before and after, and texts by name alone."""
    effects = _watched.get()
    if effects is not None:
        effects.note(id, texts, fields)


def note_effect() -> None:
    """Note that something was changed, or may have been."""
    effects = _watched.get()
    if effects is not None:
        effects.any = True
