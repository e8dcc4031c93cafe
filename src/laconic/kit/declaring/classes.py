"""Classes: what an annotation is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

__all__ = ["classes_of"]


def classes_of(annotation: Any) -> Iterable[type]:
    """Return the classes that an annotation is made of: those of a union, and of the items of a container."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation in (None, Any) or origin is Literal or isinstance(annotation, TypeVar):
        return
    if origin is Annotated:
        yield from classes_of(parts[0])
        return
    if isinstance(origin, type) and origin is not type:  # a container, or a union written with |
        yield from [origin] if issubclass(origin, (list, dict, tuple, set, frozenset)) else []
    for part in parts:
        yield from classes_of(part)
    if origin is None and isinstance(annotation, type):
        yield annotation
