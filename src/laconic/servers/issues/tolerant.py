"""Values that people and other programs wrote: one of the wrong type must not hide the others."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler as Inner


def written(value: Any, *, indent: int | None = None) -> str:
    """Write JSON for a file, or for part of a line."""
    separators = None if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)  # noqa: TID251  # a file's content, or one value in a line


def parsed(text: str) -> Any:
    """Parse JSON; None if it is not valid."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_word(value: Any) -> str:
    """Return a value of any type as text."""
    return value if isinstance(value, str) else "" if value is None else written(value)


def _words(value: Any) -> list[str]:
    return [as_word(item) for item in (value if isinstance(value, list) else [value])]


def _or_none(value: Any, inner: Inner) -> Any:
    try:
        return inner(value)
    except ValidationError:
        return None


def _moment(value: Any, inner: Inner) -> datetime | None:
    found: datetime | None = _or_none(value, inner)
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


Word = Annotated[str, BeforeValidator(as_word)]
Words = Annotated[list[str], BeforeValidator(_words)]
Moment = Annotated[datetime | None, WrapValidator(_moment)]
Flag = Annotated[bool | None, WrapValidator(_or_none)]
Number = Annotated[int | None, WrapValidator(_or_none)]
Object = Annotated[dict[str, Any] | None, WrapValidator(_or_none)]
Items = Annotated[list[Any] | None, WrapValidator(_or_none)]
