"""Frontmatter: the YAML header of a markdown file."""

import re
from collections.abc import Iterable
from typing import Any, Final

from laconic.stores.errors import Unreadable

_HEADER: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n((?:.*?\n)??)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)

# libyaml's binding calls itself for each level and ends the process some thousands of levels down.
_MOST_LEVELS: Final = 200
_STEP: Final = {
    "SequenceStartEvent": 1,
    "MappingStartEvent": 1,
    "SequenceEndEvent": -1,
    "MappingEndEvent": -1,
}


def split(text: str) -> tuple[str | None, str]:
    """Part a text into the lines between its `---` marks, or None, and the body after them.

    A header that is never closed is none; line ends stay as they are; a byte order mark is dropped.
    """
    found = _HEADER.match(text)
    if found is None:
        return None, text.removeprefix("\ufeff")
    return found[1], text[found.end() :]


def load(header: str) -> dict[Any, Any]:
    """Read a header as a mapping; an empty one is an empty mapping.

    Raises:
        Unreadable: it is not YAML, or YAML but not a mapping.
    """
    import yaml  # here: a server without files does not pay for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads about ten times as fast
    try:
        if _levels_at_most(header) > _MOST_LEVELS:
            _check_levels(yaml.parse(header, Loader=loader))
        loaded = yaml.load(header, Loader=loader)
    except Unreadable:
        raise
    except Exception as error:  # not only YAMLError: odd scalars raise ValueError, KeyError, AttributeError
        raise Unreadable(f"The header is not valid YAML{_place(error)}.") from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise Unreadable(f"The header is a {type(loaded).__name__}, not a mapping of names to values.")
    return loaded


def _levels_at_most(header: str) -> int:
    return sum(map(header.count, "[{-?:"))  # each level of YAML takes one of these


def _check_levels(events: Iterable[object]) -> None:
    level = 0
    for event in events:
        level += _STEP.get(type(event).__name__, 0)
        if level > _MOST_LEVELS:
            raise Unreadable(f"The header is nested more than {_MOST_LEVELS} levels deep.")


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f", line {mark.line + 1}: {problem}" if mark else f": {problem}"
