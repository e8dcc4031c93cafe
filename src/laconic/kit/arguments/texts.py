"""Texts in arguments, wherever they are: none is longer than a limit, and none has a zero byte.

Databases, files and other systems fail on zero bytes, each in its own way. A parameter that accepts them is
marked `Raw()`, and so is one whose texts may have any length.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from laconic.kit.arguments.problems import MOST_TEXT, Schema, place_of
from laconic.kit.arguments.told import distinct, first_problems
from laconic.kit.errors import Problem
from laconic.kit.errors.words import show

__all__ = ["text_problems"]

_BYTES: Final = frozenset({"binary", "base64", "base64url"})
Location = tuple[str | int, ...]


def text_problems(
    given: Mapping[str, Any],
    encoded: str | bytes,
    schema: Callable[[], Schema],
    raw: Collection[str] = (),
    inline: Sequence[str] = (),
) -> list[Problem]:
    """Return what is wrong with texts anywhere in the arguments, which `encoded` has as JSON.

    A limit of its own in the schema takes the place of the general one; `raw` parameters have no limit.
    """
    has_zero = "\\u0000" in encoded if isinstance(encoded, str) else b"\\u0000" in encoded
    if len(encoded) <= MOST_TEXT and not has_zero:
        return []  # nearly every call
    found = (
        _wrong(location, text, schema, inline)
        for location, text in _texts(given, ())
        if location[0] not in raw
    )
    return distinct(first_problems(wrong for wrong in found if wrong is not None))


def _texts(value: Any, location: Location) -> Iterator[tuple[Location, str]]:
    if isinstance(value, str):
        yield location, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if location:  # at the top it is the name of a parameter
                yield location, name
            yield from _texts(inner, (*location, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*location, place))


def _wrong(
    location: Location, text: str, schema: Callable[[], Schema], inline: Sequence[str]
) -> Problem | None:
    if "\0" in text:
        path, _ = place_of(schema(), location, inline)
        return Problem(path, f"Invalid {path}: it contains a zero byte. Expected: text without one.", text)
    if len(text) <= MOST_TEXT:
        return None
    path, kinds = place_of(schema(), location, inline)
    if any("maxLength" in kind or kind.get("format") in _BYTES for kind in kinds):
        return None  # that limit was checked
    wanted = f"string of at most {MOST_TEXT:,} characters"
    return Problem(path, f"Invalid {path} {show(text)}. Expected: {wanted}.", text)
