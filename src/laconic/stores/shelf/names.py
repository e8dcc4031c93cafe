"""Names of tags and labels: lower-case words joined by single hyphens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from laconic.stores.errors import BadValue

__all__ = ["is_name", "label_name", "tag_name", "tag_names"]

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST: Final = 50
_MOST: Final = 100


def is_name(text: str) -> bool:
    """True if a tag or a label can be called so."""
    return len(text) <= _LONGEST and _NAME.fullmatch(text) is not None


def tag_name(given: str) -> str:
    """Return a tag as it is kept: trimmed and in lower case.

    Raises:
        BadValue: it is no tag.
    """
    return _checked(given, "tag")


def tag_names(given: Iterable[str]) -> tuple[str, ...]:
    """Return tags as they are kept, each once, in the order given; blank ones are left out.

    Raises:
        BadValue: one of them is no tag, or there are too many.
    """
    names = tuple(dict.fromkeys(tag_name(one) for one in given if one.strip()))
    if len(names) > _MOST:
        raise BadValue(f"Expected at most {_MOST} tags, not {len(names)}.", "tags")
    return names


def label_name(given: str) -> str:
    """Return a label as it is kept; a number would be taken for a version.

    Raises:
        BadValue: it is no label.
    """
    name = _checked(given, "label")
    if name.isdecimal():
        raise BadValue(f"A label cannot be a number, since {name} is a version.", "label")
    return name


def _checked(given: str, what: str) -> str:
    name = given.strip().lower()
    if len(name) > _LONGEST:
        raise BadValue(f"Expected a {what} of at most {_LONGEST} characters, not {len(name)}.", f"{what}s")
    if not is_name(name):
        raise BadValue(
            f"Expected a {what} of lower-case words joined by hyphens, such as code-review, not {given!r}.",
            f"{what}s",
        )
    return name
