"""Tags after a change: all of them replaced, or some added and removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["tags_after"]


def tags_after(
    now: Iterable[str], replaced: Sequence[str] | None, added: Iterable[str], removed: Iterable[str]
) -> list[str]:
    """Return the tags that an item has after a change; the shelf checks them and drops repeats."""
    gone = {tag.strip().lower() for tag in removed}
    kept = now if replaced is None else replaced
    return [*(tag for tag in kept if tag.strip().lower() not in gone), *added]
