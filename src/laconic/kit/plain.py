"""Plain data: values of any type as JSON, by the names and rules that their models give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from pathlib import PurePath
from types import NoneType
from typing import Any, Final

from pydantic import BaseModel
from pydantic.fields import ComputedFieldInfo, FieldInfo

from laconic.kit.compact import compact

__all__ = ["alias_of", "as_they_are", "dumped", "jsonable", "shown_fields"]

_JSON: Final = frozenset({str, int, bool, NoneType})  # exactly these types: an Enum may be a str as well
_SIMPLE: Final = frozenset(
    {
        *("none", "bool", "int", "float", "decimal", "str", "bytes", "uuid", "literal", "enum"),
        *("date", "time", "datetime", "timedelta"),
    }
)  # pydantic's names of types whose values it gives as they are
_AROUND: Final = {"nullable": "schema", "default": "schema", "list": "items_schema"}
_PLAIN_FIELD: Final = frozenset({"type", "schema", "metadata", "validation_alias", "serialization_alias"})


def jsonable(value: Any, *, days: bool = False) -> Any:
    """Return a value as JSON; with `days`, times as dates."""
    kind = type(value)  # what most values are is found first
    if kind in _JSON:
        return value
    if kind is list:
        return [inner if type(inner) in _JSON else jsonable(inner) for inner in value]
    if kind is date:
        return value.isoformat()
    if isinstance(value, Enum):
        return jsonable(value.value)
    if isinstance(value, str | PurePath):
        return str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else compact(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if days else _exact(value)
    if isinstance(value, BaseModel):
        found = dumped(value)
        return _mapping(found) if type(found) is dict else jsonable(found)
    if is_dataclass(value) and not isinstance(value, type):
        if hasattr(type(value), "__pydantic_serializer__"):  # a dataclass of pydantic
            return jsonable(dumped(value))
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, set | frozenset):
        return sorted((jsonable(inner) for inner in value), key=compact)
    if isinstance(value, list | tuple):
        return [jsonable(inner) for inner in value]
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, bytes_mode="base64", fallback=str)


@lru_cache(maxsize=256)
def shown_fields(model: type[BaseModel]) -> dict[str, FieldInfo | ComputedFieldInfo]:
    """Return the fields of a model that callers may see: those that it does not exclude."""
    plain = {name: field for name, field in model.model_fields.items() if not field.exclude}
    return plain | model.model_computed_fields


def dumped(model: Any) -> Any:
    """Return what a model says it is, by the names that it gives its fields."""
    return type(model).__pydantic_serializer__.to_python(model, by_alias=True, warnings="none")


@lru_cache(maxsize=256)
def as_they_are(model: type[BaseModel]) -> frozenset[str]:
    """Return the fields of which `dumped` has the very values: of simple types, without a serializer."""
    inner: Any = model.__pydantic_core_schema__
    if inner["type"] != "model" or inner["schema"]["type"] != "model-fields" or "serialization" in inner:
        return frozenset()
    fields = inner["schema"]["fields"].items()
    return frozenset(
        name for name, field in fields if field.keys() <= _PLAIN_FIELD and _is_simple(field["schema"])
    )


def _is_simple(node: Mapping[str, Any]) -> bool:
    if "serialization" in node:
        return False
    around = _AROUND.get(node["type"])
    return node["type"] in _SIMPLE if around is None else around in node and _is_simple(node[around])


def alias_of(field: FieldInfo | ComputedFieldInfo) -> str | None:
    """Return the name that a model gives a field in what it writes."""
    return getattr(field, "serialization_alias", None) or field.alias


def _exact(value: datetime) -> str:
    exact = "microseconds" if value.microsecond % 1000 else "milliseconds" if value.microsecond else "seconds"
    text = value.isoformat(timespec=exact)
    return f"{text.removesuffix('+00:00')}Z" if text.endswith("+00:00") else text


def _mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, inner in value.items():
        name = key if type(key) is str else _name(key)
        while name in found:  # 1 and "1" are two keys
            name = compact(name)
        found[name] = inner if type(inner) in _JSON else jsonable(inner)
    return found


def _name(key: Any) -> str:
    found = jsonable(key)
    return found if isinstance(found, str) else compact(found)
