"""Cells: a value as JSON, and on one line of text from which a reader who knows its type gets it back."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel

from laconic.data import dataclass
from laconic.kit.compact import compact
from laconic.kit.plain import jsonable
from laconic.lazily import regex
from laconic.text.tags import is_like_ours

__all__ = [
    "CellShape",
    "cell",
    "in_json",
    "is_date",
    "json_line",
    "line_start",
    "one_line",
    "shape_of",
    "shapes_of",
]

Kind = Literal["text", "number", "bool", "any"]

_TEXTS: Final = (str, date, time, timedelta, Decimal, UUID, PurePath, bytes)  # texts as JSON
_LISTS: Final = (list, tuple, set, frozenset)
_UNSAFE: Final = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_UNSAFE_LETTER: Final = regex(f"[{_UNSAFE}]")
_NOT_PLAIN: Final = regex(rf'\A["\s]|\s\Z|\A\Z|[{_UNSAFE}]')


@dataclass(frozen=True)
class CellShape:
    """What a reader knows about a field: the kind of its value, or of each item if it is a list."""

    kind: Kind
    many: bool = False


@lru_cache(maxsize=256)
def shapes_of(model: type[BaseModel]) -> dict[str, CellShape]:
    """Return the shape of each field."""
    plain = {name: shape_of(field.annotation) for name, field in model.model_fields.items()}
    computed = model.model_computed_fields.items()
    return plain | {name: shape_of(field.return_type) for name, field in computed}


def shape_of(annotation: Any) -> CellShape:
    """Return the shape of a type."""
    found = {_shape(part) for part in _parts(annotation) if part is not NoneType}
    return found.pop() if len(found) == 1 else CellShape("any")


@lru_cache(maxsize=1024)
def is_date(model: type[BaseModel], name: str) -> bool:
    """True if a field has dates or times with a date, and nothing else but None."""
    field = model.model_fields.get(name)
    parts = [part for part in _parts(field.annotation) if part is not NoneType] if field else []
    return parts != [] and all(isinstance(part, type) and issubclass(part, date) for part in parts)


def _parts(annotation: Any) -> list[Any]:
    """Return the types of a union."""
    if get_origin(annotation) is Annotated:
        return _parts(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [part for one in get_args(annotation) for part in _parts(one)]
    for alias in ("__supertype__", "__value__"):  # NewType, and `type X = …`
        if hasattr(annotation, alias):
            return _parts(getattr(annotation, alias))
    return [NoneType if annotation is None else annotation]


def _shape(annotation: Any) -> CellShape:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return _same(arguments)
    if origin in (list, set, frozenset) or (origin is tuple and arguments[1:] == (...,)):
        item = shape_of(arguments[0])
        is_plain = item.kind != "any" and not item.many and NoneType not in _parts(arguments[0])
        return CellShape(item.kind, many=True) if is_plain else CellShape("any")
    if not isinstance(annotation, type):
        return CellShape("any")
    if issubclass(annotation, Enum):
        return _same([member.value for member in annotation])
    if issubclass(annotation, bool):
        return CellShape("bool")
    if issubclass(annotation, int | float):
        return CellShape("number")
    return CellShape("text" if issubclass(annotation, _TEXTS) else "any")


def _same(values: Collection[Any]) -> CellShape:
    found = {_shape(type(value)) for value in values}
    return found.pop() if len(found) == 1 else CellShape("any")


def cell(value: Any, shape: CellShape, *, days: bool = False, starts: bool = False) -> str:
    """Return a value on one line; None is empty.

    Args:
        value: of a field.
        shape: of that field.
        days: times are written as dates.
        starts: it begins its line, where a text must not look like a line of the kit.
    """
    if type(value) is str and shape.kind == "text" and not starts and _is_plain(value):
        return value  # most cells
    value = jsonable(value, days=days)
    if value is None:
        return ""
    if shape.many and isinstance(value, list):
        items = [_item(one, shape.kind, starts) for one in value]
        return _joined(items, starts and shape.kind == "text") or "[]"
    return _single(value, shape.kind, starts)


def _joined(items: list[str], starts: bool) -> str:
    """Join the items of a list; if they look like a line of the kit only together, the first is quoted."""
    text = ",".join(items)
    if starts and not text.startswith('"') and " " in text and is_like_ours(text.replace(",", " ")):
        return ",".join([in_json(items[0]), *items[1:]])
    return text


def _item(value: Any, kind: Kind, starts: bool) -> str:
    text = _single(value, kind, starts)
    is_risky = "," in text or '"' in text or text == "[]"
    return in_json(text) if is_risky and kind == "text" and text == value else text


def _single(value: Any, kind: Kind, starts: bool) -> str:
    if isinstance(value, str):
        is_risky = (kind == "any" and _is_json(value)) or (starts and is_like_ours(value))
        return in_json(value) if is_risky or not _is_plain(value) else value
    if kind == "bool" and isinstance(value, bool):
        return "yes" if value else "no"
    return in_json(value)


def _is_plain(text: str) -> bool:
    """True if a text can be read as it is."""
    if text.isprintable():  # most are, and need no search
        return bool(text) and text[0] not in '" ' and text[-1] != " "
    return _NOT_PLAIN.search(text) is None


def in_json(value: Any) -> str:
    """Return a value as compact JSON on one line."""
    return json_line(jsonable(value))


def json_line(value: Any) -> str:
    """Return what is JSON already on one line."""
    text = compact(value)
    if text.isprintable():
        return text
    return _UNSAFE_LETTER.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text)


def one_line(text: str) -> str:
    """Return a text as it is, or as a JSON string if it has line breaks or other control characters."""
    return text if text.isprintable() or not _UNSAFE_LETTER.search(text) else in_json(text)


def line_start(text: str) -> str:
    """Return a text on one line which it begins: as a JSON string if it looks like a line of the kit."""
    return in_json(text) if is_like_ours(text) else one_line(text)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
