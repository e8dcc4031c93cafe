"""TOML: add, replace or remove one table and leave every other byte alone.

Only whole tables with their own header are edited. Each edit is checked by parsing the result: everything
else must have the same values, otherwise the edit is refused.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from laconic.cli.install.formats import NotEditable

__all__ = ["BadToml", "has", "load", "remove_member", "restore_member", "set_member"]

_HEADER: Final = re.compile(r"^[ \t]*\[[^\r\n]*", re.MULTILINE)
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


class BadToml(NotEditable):
    """The text is not TOML, or the entry is not a table with its own header."""


def load(text: str) -> dict[str, Any]:
    """Parse the whole text.

    Raises: BadToml.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BadToml(f"{error}.") from None


def has(text: str, path: Sequence[str]) -> bool:
    """True if there is a value at a path of names.

    Raises: BadToml.
    """
    return _at(load(text), path) is not None


def set_member(text: str, path: Sequence[str], value_json: str) -> str:
    """Set the table at a path of names, in its place or at the end.

    Raises: BadToml.
    """
    before, entry = load(text), json.loads(value_json)
    present = _at(before, path)
    if present == entry:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    table = newline.join([_header(path), *(f"{_key(key)} = {_value(value)}" for key, value in entry.items())])
    if present is not None:
        after = _replaced(text, list(_spans(text, path)), table + newline)
    else:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        after = text + gap + table + newline
    return _checked(after, _with(before, path, entry))


def remove_member(text: str, path: Sequence[str], *, prune: int = 0) -> str:
    """Remove the table at a path of names, the tables inside it, and the blank line above.

    `prune` has no meaning: the tables around it have no header of their own.

    Raises: BadToml.
    """
    before = load(text)
    if _at(before, path) is None:
        return text
    return _checked(_without(text, list(_spans(text, path))), _with(before, path, None))


def restore_member(text: str, path: Sequence[str], original: str) -> str:
    """Replace the table at a path of names by the one that the original has, byte for byte.

    Raises: BadToml.
    """
    lines = "".join(original[start:end] for start, end in _spans(original, path))
    after = _replaced(text, list(_spans(text, path)), lines)
    return _checked(after, _with(load(text), path, _at(load(original), path)))


def _replaced(text: str, spans: Sequence[tuple[int, int]], lines: str) -> str:
    if not spans:
        raise _no_table()
    (start, end), *rest = spans
    return text[:start] + lines + _without(text, rest, end)


def _without(text: str, spans: Sequence[tuple[int, int]], start: int = 0) -> str:
    kept = []
    for begin, end in spans:
        kept.append(re.sub(r"(?:\A|(?<=\n))\r?\n\Z", "", text[start:begin]))
        start = end
    return "".join(kept) + text[start:]


def _spans(text: str, path: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where the table and the tables inside it are; what precedes the next table belongs to that."""
    headers = [found for found in _HEADER.finditer(text) if _named(found[0])]
    for number, header in enumerate(headers):
        if _named(header[0])[: len(path)] == tuple(path):
            stop = headers[number + 1].start() if number + 1 < len(headers) else len(text)
            lines = text[header.start() : stop].splitlines(keepends=True)
            while not (line := lines[-1].strip()) or line.startswith("#"):
                lines.pop()
            yield header.start(), header.start() + sum(map(len, lines))


def _named(header: str) -> tuple[str, ...]:
    """Return the names in a header; none if the line is something else, such as part of a list."""
    try:
        node: Any = tomllib.loads(header)
    except tomllib.TOMLDecodeError:
        return ()
    names = []
    while isinstance(node, dict) and len(node) == 1:
        ((name, node),) = node.items()
        names.append(name)
    return tuple(names)


def _at(node: object, path: Sequence[str]) -> object:
    for name in path:
        node = node.get(name) if isinstance(node, dict) else None
    return node


def _with(node: Mapping[str, Any], path: Sequence[str], entry: object) -> dict[str, Any]:
    """Return the values with another entry."""
    if not isinstance(node, Mapping):
        raise _no_table()
    name, *rest = path
    return {**node, name: _with(node.get(name, {}), rest, entry) if rest else entry or {}}


def _checked(text: str, wanted: Mapping[str, Any]) -> str:
    after = load(text)
    if _pruned(after) != _pruned(wanted):
        raise _no_table()
    return text


def _no_table() -> BadToml:
    return BadToml("The entry is not a table with its own header.")


def _pruned(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without empty tables: a header without entries has no effect."""
    inner = {key: _pruned(value) if isinstance(value, dict) else value for key, value in node.items()}
    return {key: value for key, value in inner.items() if value != {}}


def _header(path: Sequence[str]) -> str:
    return f"[{'.'.join(map(_key, path))}]"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    """Write a string, a list of strings or a table of strings; JSON strings are TOML strings."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
