"""Typed values: what a position may be made of, as JSON and back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

__all__ = ["are_exact", "check_values", "plain", "restored"]

_MICROSECOND: Final = timedelta(microseconds=1)
_SIMPLE: Final = (type(None), str, int, float)
_TYPED: Final[dict[str, tuple[type, Any, Any]]] = {  # a datetime is a date, too: it comes first
    "datetime": (datetime, datetime.isoformat, datetime.fromisoformat),
    "date": (date, date.isoformat, date.fromisoformat),
    "time": (time, time.isoformat, time.fromisoformat),
    "timedelta": (timedelta, lambda value: value // _MICROSECOND, lambda count: count * _MICROSECOND),
    "decimal": (Decimal, str, Decimal),
    "uuid": (UUID, str, UUID),
    "bytes": (bytes, bytes.hex, bytes.fromhex),
    "path": (PurePath, str, PurePath),
}
_HELD: Final = (*_SIMPLE, *(kind for kind, _, _ in _TYPED.values()))
_EXACT: Final = frozenset({type(None), str, int, bool, datetime, date, time, timedelta, UUID, bytes})


def are_exact(values: Iterable[Any]) -> bool:
    """True if a cursor can hold each of these values and each equals itself, as most do; seen at once."""
    return _EXACT.issuperset(map(type, values))


def check_values(values: Iterable[Any]) -> None:
    """Check that a cursor can hold each of these values.

    Raises:
        TypeError: a value has a type that a cursor cannot hold.
    """
    for value in values:
        if isinstance(value, tuple):
            check_values(value)
        elif not isinstance(value, _HELD):
            raise TypeError(f"a cursor cannot hold a value of type {type(value).__name__}")


def plain(value: Any) -> Any:
    """Return a value as JSON that keeps its type.

    Raises:
        TypeError: it has a type that a cursor cannot hold.
    """
    if isinstance(value, _SIMPLE):
        return value
    if isinstance(value, tuple):
        return [plain(inner) for inner in value]
    check_values((value,))
    return next({name: write(value)} for name, (kind, write, _) in _TYPED.items() if isinstance(value, kind))


def restored(stored: Any) -> Any:
    """Return the value that `plain` wrote."""
    if isinstance(stored, list):
        return tuple(restored(inner) for inner in stored)
    if isinstance(stored, dict):
        ((name, written),) = stored.items()
        return _TYPED[name][2](written)
    return stored
