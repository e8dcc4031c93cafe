"""Queries: Drive's own language for finding files; what it does not understand is refused, never ignored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from laconic.sandbox.google.refusals import bad_request

__all__ = ["parsed_query"]

Row = Mapping[str, Any]
Test = Callable[[Row], bool]
_TOKEN: Final = re.compile(r"\s*(?:('(?:\\.|[^'\\])*')|([A-Za-z.]+|\{|\}|\(|\)|<=|>=|!=|=|<|>))")
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}
_TIMES: Final = ("modifiedTime", "createdTime", "viewedByMeTime", "sharedWithMeTime")
_FLAGS: Final = ("trashed", "starred", "sharedWithMe")
_VALUES: Final = ("parents", "owners", "writers", "readers")


def parsed_query(text: str) -> Test:
    """Return what a query is true of.

    Raises:
        GoogleRefusal: it is not valid.
    """
    tokens: list[str] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise bad_request("Invalid Value", reason="invalid", location="q")
        tokens.append(match[1] or match[2])
        place = match.end()
    reader = _Reader(tokens)
    test = reader.any_of()
    if reader.tokens:
        raise bad_request("Invalid Value", reason="invalid", location="q")
    return test


class _Reader:
    """Reads tokens from the left."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def _next(self, *allowed: str) -> str:
        if not self.tokens or (allowed and self.tokens[0] not in allowed):
            raise bad_request("Invalid Value", reason="invalid", location="q")
        return self.tokens.pop(0)

    def _has(self, word: str) -> bool:
        if self.tokens and self.tokens[0] == word:
            self.tokens.pop(0)
            return True
        return False

    def any_of(self) -> Test:
        tests = [self._all_of()]
        while self._has("or"):
            tests.append(self._all_of())
        return lambda row: any(test(row) for test in tests)

    def _all_of(self) -> Test:
        tests = [self._one()]
        while self._has("and"):
            tests.append(self._one())
        return lambda row: all(test(row) for test in tests)

    def _one(self) -> Test:
        if self._has("not"):
            inner = self._one()
            return lambda row: not inner(row)
        if self._has("("):
            inner = self.any_of()
            self._next(")")
            return inner
        return self._term()

    def _term(self) -> Test:
        first = self._next()
        if first.startswith("'"):
            self._next("in")
            return _in(_text(first), self._next(*_VALUES))
        if first in ("properties", "appProperties"):
            return self._has_property(first)
        if first in _FLAGS:
            return self._flag(first)
        if first in _TIMES:
            return self._time(first)
        if first in ("name", "mimeType", "fullText"):
            return self._words(first)
        raise bad_request("Invalid Value", reason="invalid", location="q")

    def _flag(self, name: str) -> Test:
        if not self.tokens or self.tokens[0] not in ("=", "!="):
            return lambda row: bool(row.get(name))
        is_equal, wanted = self._next("=", "!=") == "=", self._next("true", "false") == "true"
        return lambda row: (bool(row.get(name)) == wanted) == is_equal

    def _time(self, name: str) -> Test:
        compare, value = _COMPARE[self._next(*_COMPARE)], _text(self._next())
        try:
            moment = _moment(value)
        except ValueError:
            raise bad_request("Invalid Value", reason="invalid", location="q") from None
        return lambda row: bool(row.get(name)) and compare(_moment(row[name]), moment)

    def _words(self, name: str) -> Test:
        allowed = ("contains",) if name == "fullText" else ("contains", "=", "!=")
        sign, value = self._next(*allowed), _text(self._next()).lower()
        if sign != "contains":
            return lambda row: (str(row.get(name, "")).lower() == value) == (sign == "=")
        if name == "mimeType":
            return lambda row: str(row["mimeType"]).startswith(value)
        if name == "fullText":
            wanted = value.strip('"') if value.startswith('"') else value
            return lambda row: (
                wanted in f"{row['name']} {row['words']()} {row.get('description', '')}".lower()
            )
        return lambda row: any(word.startswith(value) for word in _starts(str(row["name"]).lower()))

    def _has_property(self, name: str) -> Test:
        for word in ("has", "{", "key", "="):
            self._next(word)
        key = _text(self._next())
        for word in ("and", "value", "="):
            self._next(word)
        value = _text(self._next())
        self._next("}")
        return lambda row: row.get(name, {}).get(key) == value


def _starts(name: str) -> list[str]:
    """Return a name from each of its words on: `contains` looks for the beginning of words."""
    return [name[match.start() :] for match in re.finditer(r"\w+", name)] or [name]


def _in(value: str, where: str) -> Test:
    if where == "parents":
        return lambda row: value in row.get("parents", [])
    roles = {
        "owners": ("owner",),
        "writers": ("writer", "owner"),
        "readers": ("reader", "commenter", "writer", "owner"),
    }
    return lambda row: any(
        one.get("emailAddress") == value and one["role"] in roles[where] for one in row.get("permissions", [])
    )


def _text(token: str) -> str:
    if not token.startswith("'"):
        raise bad_request("Invalid Value", reason="invalid", location="q")
    return re.sub(r"\\(.)", r"\1", token[1:-1])


def _moment(text: str) -> datetime:
    from datetime import UTC

    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)
