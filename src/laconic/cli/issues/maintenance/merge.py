"""`laconic issues merge`: the merge driver that git runs; it imports little, because git waits."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["main", "merge"]


def main(words: Sequence[str]) -> int:
    """Merge base, ours and theirs for git; return 0 without conflicts, 1 with conflicts."""
    if not 3 <= len(words) <= 4:
        print("laconic: issues merge BASE OURS THEIRS [PATH] is for git to run.", file=sys.stderr)
        return 129  # not a conflict: git must not use ours as the result
    from laconic.servers.issues.merging.merge import merge_files

    base, ours, theirs, *name = words
    try:
        conflicts, first = merge_files(Path(base), Path(ours), Path(theirs))
    except OSError as error:
        print(f"laconic: {name[0] if name else ours}: {error}", file=sys.stderr)
        return 129
    if conflicts:
        said = f"{name[0] if name else ours}: both sides changed {', '.join(conflicts)}."
        print(f"{said} {first}".rstrip(), file=sys.stderr)
    return 1 if conflicts else 0


def merge(base: Path, ours: Path, theirs: Path, path: str = "") -> None:
    """Merge two versions of an issue into OURS; git runs this where `laconic issues init` was run."""
    raise SystemExit(main([str(base), str(ours), str(theirs), *([path] if path else [])]))
