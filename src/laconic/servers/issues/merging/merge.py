"""Merging: two versions of an issue's file made one, as git asks for it; imports little, since git waits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from laconic.stores.header.fences import line_end
from laconic.stores.header.header import Header
from laconic.stores.header.merge import merge
from laconic.stores.header.merge_lines import with_markers

NEWEST: Final = frozenset({"updatedAt", "closedAt"})  # the later one counts: no two say the same

_OPENING, _MIDDLE = "<<<<<<< ours: ends here", "======="
_CLOSING: Final = ">>>>>>> theirs: another issue that was given the same file name"
_PARTED: Final = re.compile(
    rf"^{_OPENING}\r?\n{_MIDDLE}\r?\n(.*?)^{_CLOSING}(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL
)


class Outcome(NamedTuple):
    """A merged file, and what two sides disagree on: keys, or `body`."""

    content: bytes
    conflicts: tuple[str, ...]


def merge_files(base: Path, ours: Path, theirs: Path) -> tuple[str, ...]:
    """Merge into the file of ours, and return what is left to decide."""
    found = merged(base.read_bytes(), ours.read_bytes(), theirs.read_bytes())
    ours.write_bytes(found.content)  # a draft of git's, which reads it as soon as we are done
    return found.conflicts


def merged(base: bytes, ours: bytes, theirs: bytes) -> Outcome:
    """Merge three versions; one without any bytes is a file that was not there."""
    old, mine, yours = (content.decode(errors="surrogateescape") for content in (base, ours, theirs))
    if not old and _are_different(mine, yours):
        return Outcome(_both(mine, yours).encode(errors="surrogateescape"), ("id",))
    try:
        text, conflicts = merge(old, mine, yours, newest=NEWEST)
    except Exception:  # a header that cannot be read, or worse: both sides must be in the file anyway
        text, is_clash = with_markers(old, mine, yours, line_end(mine) or "\n")
        conflicts = ("body",) if is_clash else ()
    return Outcome(text.encode(errors="surrogateescape"), conflicts)


def parted(text: str) -> tuple[str, str] | None:
    """Take apart a file in which a merge has left two issues; None if it holds one."""
    found = _PARTED.search(text)
    return (text[: found.start()] + text[found.end() :], found[1]) if found else None


def _are_different(mine: str, yours: str) -> bool:
    """Whether two files that were added under one name are two issues: both tell when they were made."""
    made = [Header.of(text).values().get("createdAt") for text in (mine, yours)]
    return None not in made and made[0] != made[1]


def _both(mine: str, yours: str) -> str:
    """Put their issue below ours, between markers that git, people and `parted` know."""
    end = line_end(mine) or "\n"
    one, two = (text if text.endswith("\n") else text + end for text in (mine, yours))
    return f"{one}{_OPENING}{end}{_MIDDLE}{end}{two}{_CLOSING}{end}"
