"""Where the values and members of JSON with comments are in its text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from laconic.cli.install.formats import NotEditable

__all__ = ["BOM", "COMMENT", "NEWLINE", "BadJsonc", "MemberSpan", "ValueSpan", "load", "trace"]

BOM: Final = "\ufeff"
COMMENT: Final = r"//[^\r\n]*|/\*.*?\*/"
NEWLINE: Final = re.compile(r"\r\n|\n|\r")
_QUOTED = r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"'
_SPACE = re.compile(rf"(?:[ \t\r\n]+|{COMMENT})*", re.DOTALL)
_STRING = re.compile(_QUOTED)
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_EXTRAS = re.compile(rf"({_QUOTED})|{COMMENT}", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_QUOTED})|,(?=[ \t\r\n]*[}}\]])")


class BadJsonc(NotEditable):
    """The text is not JSON with comments, or has no object where one is needed."""


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """The span of a value, and its members if it is an object."""

    start: int
    end: int
    members: tuple[MemberSpan, ...] | None = None


@dataclass(frozen=True, slots=True)
class MemberSpan:
    """The span of a name and its value, and the position of the comma after it."""

    name: str
    start: int
    value: ValueSpan
    comma: int | None

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.value.end


def load(text: str) -> object:
    """Parse the whole text; return None if it contains no value."""
    if _parse(text) is None:
        return None
    plain = _EXTRAS.sub(lambda match: match[1] or " ", text.removeprefix(BOM))
    return json.loads(_LAST_COMMA.sub(lambda match: match[1] or " ", plain))


def trace(text: str, path: Sequence[str]) -> tuple[ValueSpan | None, list[MemberSpan]]:
    """Follow the path as far as it exists."""
    if not path:
        raise ValueError("the path is empty")
    root = _parse(text)
    found: list[MemberSpan] = []
    node = root
    for depth, name in enumerate(path):
        if node is None:
            break
        if node.members is None:
            place = "The outermost value" if not depth else f"'{'.'.join(path[:depth])}'"
            raise BadJsonc(f"{place} is not an object.")
        same = [member for member in node.members if member.name == name]
        if len(same) > 1:
            raise BadJsonc(f"'{'.'.join(path[: depth + 1])}' occurs {len(same)} times.")
        if not same:
            break
        found.append(same[0])
        node = same[0].value
    return root, found


def _parse(text: str) -> ValueSpan | None:
    start = _skip(text, len(BOM) if text.startswith(BOM) else 0)
    if start == len(text):
        return None
    try:
        node = _value(text, start)
    except RecursionError:
        raise BadJsonc("The values are nested too deeply.") from None
    end = _skip(text, node.end)
    if end < len(text):
        raise _unexpected(text, end, "the end")
    return node


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> ValueSpan:
    if text.startswith("{", at):
        return _object(text, at)
    if text.startswith("[", at):
        return _array(text, at)
    match = _STRING.match(text, at) or _SCALAR.match(text, at)
    if not match:
        raise _unexpected(text, at, "a value")
    return ValueSpan(at, match.end())


def _object(text: str, start: int) -> ValueSpan:
    members: list[MemberSpan] = []
    at = _skip(text, start + 1)
    while not text.startswith("}", at):
        name = _STRING.match(text, at)
        if members and members[-1].comma is None:
            raise _unexpected(text, at, "',' or '}'")
        if not name:
            raise _unexpected(text, at, "a name in double quotes")
        colon = _skip(text, name.end())
        if not text.startswith(":", colon):
            raise _unexpected(text, colon, "':'")
        value = _value(text, _skip(text, colon + 1))
        after = _skip(text, value.end)
        comma = after if text.startswith(",", after) else None
        members.append(MemberSpan(json.loads(name[0]), at, value, comma))
        at = after if comma is None else _skip(text, after + 1)
    return ValueSpan(start, at + 1, tuple(members))


def _array(text: str, start: int) -> ValueSpan:
    at, open_ = _skip(text, start + 1), True
    while not text.startswith("]", at):
        if not open_:
            raise _unexpected(text, at, "',' or ']'")
        at = _skip(text, _value(text, at).end)
        open_ = text.startswith(",", at)
        at = _skip(text, at + 1) if open_ else at
    return ValueSpan(start, at + 1)


def _unexpected(text: str, at: int, wanted: str) -> BadJsonc:
    lines = NEWLINE.split(text[:at])
    given = f"'{text[at]}'" if at < len(text) else "the end"
    return BadJsonc(f"Line {len(lines)}, column {len(lines[-1]) + 1}: {given} where {wanted} should be.")
