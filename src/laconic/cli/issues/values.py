"""Words a person gives for status, type and priority: understood, or refused with the nearest right one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from laconic.cli.configuration.settings import unknown
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.servers.issues.service import Tracker

__all__ = ["EVERY", "known", "one", "several", "split", "title", "used"]

EVERY = "all"  # as a status: also what is done
_MOST_TITLE = 200


def known(kind: str) -> tuple[str, ...]:
    """The values of `status`, `type` or `priority`, in their order."""
    from laconic.servers.issues import models

    types = {"status": models.Status, "type": models.IssueType, "priority": models.Priority}
    return get_args(types[kind])


def used(kind: str, tracker: Tracker) -> list[str]:
    """The same, and others that stand in files of this workspace."""
    from laconic.servers.issues.filters import Filters

    return list(dict.fromkeys([*known(kind), *tracker.stats(kind, Filters()).counts]))


def one(kind: str, given: str | None) -> str | None:
    """A value to write: one of those known; `in-progress` and `Open` are understood.

    Raises:
        BadConfiguration: there is no such value.
    """
    return None if given is None else _matching(kind, given, known(kind))


def several(kind: str, given: Sequence[str] | None, tracker: Tracker) -> list[str] | None:
    """Values to look for, also with commas between them; None for all.

    Raises:
        BadConfiguration: no file of the workspace has such a value either.
    """
    words = split(given)
    if not words or EVERY in words:
        return None
    values = known(kind)
    if any(_folded(word) not in values for word in words):
        values = tuple(used(kind, tracker))
    return [_matching(kind, word, values) for word in words]


def split(given: Iterable[str] | None) -> list[str]:
    """The words of an option that may stand several times, or hold several with commas between them."""
    return [word for text in given or () for part in text.split(",") if (word := part.strip())]


def title(given: str | None) -> str | None:
    """A title to write, on one line.

    Raises:
        BadConfiguration: it is empty or too long.
    """
    if given is None:
        return None
    said = " ".join(given.split())
    if not said or len(said) > _MOST_TITLE:
        raise BadConfiguration(
            f"The title has {len(said)} characters. Expected: 1 to {_MOST_TITLE}.",
            advice="What is longer belongs into the text." if said else "",
        )
    return said


def _matching(kind: str, given: str, values: Sequence[str]) -> str:
    for word in (given, _folded(given)):
        if word in values:
            return word
    raise unknown(kind, given, known(kind))


def _folded(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
