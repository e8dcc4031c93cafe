"""Regular expressions from a caller: compiled, or refused if they could run forever."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

_LONGEST = 300
_MANY = 10  # repeated this often, something that varies can match in too many ways
_NEEDLESS = re.compile(r"^(?:\.\*\??)+|(?<!\\)(?:\.\*\??)+$")  # has no effect in a search, and costs the most


class BadExpression(ValueError):
    """A regular expression that is invalid, or that could run forever."""


def compiled(source: str, flags: str = "") -> re.Pattern[str]:
    """Compile an expression; flags are the letters i, m, s and x.

    Raises:
        BadExpression: it is too long, invalid, or repeats something that itself varies.
    """
    if len(source) > _LONGEST:
        raise BadExpression(f"the expression has {len(source)} characters; {_LONGEST} are allowed")
    source = _NEEDLESS.sub("", source) or source
    options = re.M
    for flag in flags:
        options |= re.RegexFlag[flag.upper()]
    try:
        pattern = re.compile(source, options)
        parsed = import_module("re._parser").parse(source, options)  # what `re` compiles; has no public name
    except (re.error, OverflowError, RecursionError) as error:
        raise BadExpression(f"the expression is invalid: {error}") from None
    if any(_is_repeat(name, value, _MANY) and _varies(value[2]) for name, value in _nodes(parsed)):
        raise BadExpression("the expression repeats a part that itself repeats or branches; simplify it")
    return pattern


def _nodes(parsed: Any) -> Iterator[tuple[str, Any]]:
    """Yield every node of a parsed expression with its name."""
    for operation, value in parsed:
        yield str(operation), value
        for part in _parts(value):
            yield from _nodes(part)


def _parts(value: Any) -> Iterator[Any]:
    if hasattr(value, "getwidth"):  # a sequence of nodes
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part)


def _is_repeat(name: str, value: Any, most: int) -> bool:
    return name in {"MAX_REPEAT", "MIN_REPEAT"} and value[1] >= most and value[0] != value[1]


def _varies(parsed: Any) -> bool:
    return any(
        _is_repeat(name, value, 0) or (name == "BRANCH" and not _differ(value[1]))
        for name, value in _nodes(parsed)
    )


def _differ(branches: list[Any]) -> bool:
    """True if the branches start with different letters, so at most one can match."""
    first = [str(branch[0]) if len(branch) else "" for branch in branches]
    return len(set(first)) == len(first) and all("LITERAL" in name and "NOT" not in name for name in first)
