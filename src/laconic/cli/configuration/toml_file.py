"""Reading a TOML file that strangers may have written: bounded, and never waiting."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from laconic.stores.smallfile import NotRegular, beginning_of

__all__ = ["content_of"]

_LARGEST: Final = 1_000_000  # bytes
_DEEPEST: Final = 100  # tables and lists inside each other
_LONG_KEY: Final = re.compile(
    r"""(?:\.[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*){%d}""" % _DEEPEST  # noqa: UP031
)
_TOO_DEEP: Final = "is nested too deep"
_TOO_LONG: Final = "has a number of more than 64 bits"


def content_of(path: Path) -> dict[str, Any]:
    """Return what the file says.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a file of ours; the words go after its name.
    """
    try:
        content = beginning_of(path, _LARGEST + 1)
    except NotRegular:
        raise ValueError("is not a regular file") from None
    if len(content) > _LARGEST:
        raise ValueError(f"is larger than {_LARGEST:,} bytes")
    found = _parsed(content.decode())
    _check(found)
    return found


def _parsed(content: str) -> dict[str, Any]:
    if _LONG_KEY.search(content):  # tomllib takes quadratic time for it
        raise ValueError(_TOO_DEEP)
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is not TOML: {error}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError:  # of int()
        raise ValueError(_TOO_LONG) from None


def _check(content: dict[str, Any]) -> None:
    waiting: list[tuple[Any, int]] = [(content, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError(_TOO_DEEP)
        if isinstance(value, int) and value.bit_length() > 64:
            raise ValueError(_TOO_LONG)
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(one, depth + 1) for one in inside]
