"""Commits of a repository, read from its loose objects: git is not run."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Final

_PARENT: Final = re.compile(rb"^parent ([0-9a-f]+)$", re.MULTILINE)
_MOST: Final = 200  # commits that are followed
_LONGEST: Final = 65_536  # bytes of a commit


def ahead(common: Path, theirs: str, ours: str) -> int | None:
    """Count the commits that theirs has and ours lacks; None if that cannot be told without git.

    New commits are loose objects until git packs them. A packed commit that both reach is where they split;
    one that only theirs reaches leaves the count unknown.
    """
    if not theirs or not ours:
        return None
    known, packed = _followed(common, ours, frozenset())
    new, unknown = _followed(common, theirs, known | packed)
    return None if unknown or len(new) >= _MOST or len(known) >= _MOST else len(new)


def _followed(common: Path, tip: str, known: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the loose commits that a commit reaches, and the first packed ones; known ones are left out."""
    loose, packed, left = set[str](), set[str](), [tip]
    while left and len(loose) < _MOST:
        one = left.pop()
        if one in known or one in loose:
            continue
        parents = _parents(common, one)
        if parents is None:
            packed.add(one)
        else:
            loose.add(one)
            left += parents
    return frozenset(loose), frozenset(packed)


def _parents(common: Path, commit: str) -> list[str] | None:
    """Return the parents of a commit; None if it is not a loose object."""
    try:
        kept = (common / "objects" / commit[:2] / commit[2:]).read_bytes()
        content = zlib.decompressobj().decompress(kept, _LONGEST)
    except (OSError, zlib.error):
        return None
    header, _, _ = content.partition(b"\n\n")
    return [found.decode() for found in _PARENT.findall(header)]
