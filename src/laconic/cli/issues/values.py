"""Values that a user enters for status, type and priority: accepted, or refused with the nearest one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from laconic.cli.configuration.files import unknown
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.servers.issues.service import Tracker

__all__ = ["EVERY", "known", "one", "several", "split", "title", "used"]

EVERY = "all"  # as a status: finished issues too
_MOST_TITLE = 200


def known(kind: str) -> tuple[str, ...]:
    """Return the values of `status`, `type` or `priority`, in order."""
    from laconic.servers.issues import models

    types = {"status": models.Status, "type": models.IssueType, "priority": models.Priority}
    return get_args(types[kind])


def used(kind: str, tracker: Tracker) -> list[str]:
    """Return the known values, and others that files of this workspace use."""
    from laconic.servers.issues.filters import Filters

    return list(dict.fromkeys([*known(kind), *tracker.stats(kind, Filters()).counts]))


def one(kind: str, given: str | None) -> str | None:
    """Return a known value to write; `in-progress` and `Open` are accepted.

    Raises:
        BadConfiguration: the value is unknown.
    """
    return None if given is None else _matching(kind, given, known(kind))


def several(kind: str, given: Sequence[str] | None, tracker: Tracker) -> list[str] | None:
    """Return values to filter by, which may be comma-separated; None for all.

    Raises:
        BadConfiguration: the value is unknown, and no file of the workspace uses it.
    """
    words = split(given)
    if not words or EVERY in words:
        return None
    values = known(kind)
    if any(_folded(word) not in values for word in words):
        values = tuple(used(kind, tracker))
    return [_matching(kind, word, values) for word in words]


def split(given: Iterable[str] | None, whole: Collection[str] = ()) -> list[str]:
    """Return the words of an option that may be repeated or comma-separated; those in `whole` have commas."""
    parts = [part for text in given or () for part in ([text] if text in whole else text.split(","))]
    return [word for part in parts if (word := part.strip())]


def title(given: str | None) -> str | None:
    """Return a title to write, on one line.

    Raises:
        BadConfiguration: the title is empty or too long.
    """
    if given is None:
        return None
    line = " ".join(given.split())
    if not line or len(line) > _MOST_TITLE:
        raise BadConfiguration(
            f"The title has {len(line)} characters. Expected: 1 to {_MOST_TITLE}.",
            advice="Put the rest into the text." if line else "",
        )
    return line


def _matching(kind: str, given: str, values: Sequence[str]) -> str:
    for word in (given, _folded(given)):
        if word in values:
            return word
    raise unknown(kind, given, known(kind))


def _folded(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
