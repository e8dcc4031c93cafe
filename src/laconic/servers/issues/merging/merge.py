"""Merges two versions of an issue's file, field by field; imports little, because git waits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from laconic.stores.header.fences import line_end
from laconic.stores.header.header import Header
from laconic.stores.header.merge import merge
from laconic.stores.header.merge_lines import with_markers

NEWEST: Final = frozenset({"updatedAt", "closedAt"})  # the later one wins: both sides always differ

_OPENING, _MIDDLE = "<<<<<<< ours: ends here", "======="
_CLOSING: Final = ">>>>>>> theirs: another issue that was given the same file name"
_TWO_ISSUES: Final = re.compile(
    rf"^{_OPENING}\r?\n{_MIDDLE}\r?\n(.*?)^{_CLOSING}(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL
)
_THEIRS: Final = re.compile(r"""(assignee|claimedAt): ['"]?(.+?)['"]? \(theirs\)""")
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Outcome(NamedTuple):
    """A merged file, and where the two sides conflict: keys, or `body`."""

    content: bytes
    conflicts: tuple[str, ...]


def merge_files(base: Path, ours: Path, theirs: Path) -> tuple[tuple[str, ...], str]:
    """Merge into our file, and return the conflicts and, if both sides claimed the issue, who was first."""
    found = merged(base.read_bytes(), ours.read_bytes(), theirs.read_bytes())
    ours.write_bytes(found.content)  # a temporary file of git, which reads it when we are done
    is_claimed = "assignee" in found.conflicts
    return found.conflicts, first_claim(found.content.decode(errors="replace")) if is_claimed else ""


def merged(base: bytes, ours: bytes, theirs: bytes) -> Outcome:
    """Merge three versions; an empty one is a file that did not exist."""
    old, mine, yours = (content.decode(errors="surrogateescape") for content in (base, ours, theirs))
    if not old and _are_different(mine, yours):
        return Outcome(_both(mine, yours).encode(errors="surrogateescape"), ("id",))
    try:
        text, conflicts = merge(old, mine, yours, newest=NEWEST)
    except Exception:  # an unreadable header, or worse: the file must still contain both sides
        text, is_clash = with_markers(old, mine, yours, line_end(mine) or "\n")
        conflicts = ("body",) if is_clash else ()
    return Outcome(text.encode(errors="surrogateescape"), conflicts)


def first_claim(text: str) -> str:
    """Say who claimed an issue first if a merge left two claims in its header; else return nothing."""
    header = Header.of(text)
    found = filter(None, map(_THEIRS.fullmatch, header.conflicts()))
    theirs = {str(one[1]): str(one[2]) for one in found}
    ours = {name: str(header.values().get(name)) for name in ("assignee", "claimedAt")}
    claims = [(one.get("claimedAt", ""), one.get("assignee", "")) for one in (ours, theirs)]
    if not all(_STAMP.fullmatch(at) and who for at, who in claims) or claims[0][0] == claims[1][0]:
        return ""
    (first, who), (second, other) = sorted(claims)
    return f"{who} claimed it first, at {first}; {other} at {second}."


def split_issues(text: str) -> tuple[str, str] | None:
    """Split a file in which a merge left two issues; None if it contains one."""
    found = _TWO_ISSUES.search(text)
    return (text[: found.start()] + text[found.end() :], found[1]) if found else None


def _are_different(mine: str, yours: str) -> bool:
    """True if two files added under one name are different issues: their creation times differ."""
    made = [Header.of(text).values().get("createdAt") for text in (mine, yours)]
    return None not in made and made[0] != made[1]


def _both(mine: str, yours: str) -> str:
    """Put their issue below ours, between markers that git, people and `split_issues` recognize."""
    end = line_end(mine) or "\n"
    one, two = (text if text.endswith("\n") else text + end for text in (mine, yours))
    return f"{one}{_OPENING}{end}{_MIDDLE}{end}{two}{_CLOSING}{end}"
