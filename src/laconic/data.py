"""Dataclasses that are made in a quarter of the time: a starting server makes eighty of them.

The standard decorator writes and compiles up to six functions for each class. Here it writes only `__init__`,
and all classes share the others. That nothing is assigned to what is `frozen` is for the type checker to see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]


def _dataclass(cls: type | None = None, /, *, frozen: bool = False, **options: bool) -> Any:
    """Do what `dataclasses.dataclass` does, without `order` and `unsafe_hash`."""
    if cls is None:
        return lambda made: _dataclass(made, frozen=frozen, **options)
    own = {name for name in ("__repr__", "__eq__", "__hash__") if name in vars(cls)}
    if not options.pop("repr", True):
        own.add("__repr__")
    if not options.pop("eq", True):
        own |= {"__eq__", "__hash__"}
    made: Any = dataclasses.dataclass(cls, repr=False, eq=False, **options)
    shared = {"__repr__": _words, **_comparing(_compared(made), frozen)}
    for name in shared.keys() - own:
        setattr(made, name, shared[name])
    return made


def _compared(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives the values by which objects are compared."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _comparing(values: Callable[[Any], tuple[Any, ...]], is_frozen: bool) -> dict[str, Any]:
    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed if is_frozen else None}


@recursive_repr()
def _words(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
