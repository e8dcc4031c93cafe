"""Moving: how a change of content moves indices and ranges of the same segment."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Regions", "Shift", "moved"]

Stored = list[str | int]  # a segment, a start and an end


@dataclass(frozen=True)
class Shift:
    """Content that was replaced: where, how much went, and how much came."""

    tab: str
    segment: str
    at: int
    removed: int
    added: int


def _moved_index(index: int, shift: Shift) -> int:
    """Return where the unit at an index is afterwards; one that went is where the change was."""
    if index < shift.at:
        return index
    if index >= shift.at + shift.removed:
        return index + shift.added - shift.removed
    return shift.at


def moved(stored: Stored, shift: Shift) -> Stored | None:
    """Return a range afterwards; None if all of its content went."""
    segment, start, end = stored
    if segment != shift.segment or not isinstance(start, int) or not isinstance(end, int):
        return stored
    if end <= shift.at:
        return stored
    first = _moved_index(start, shift)
    is_kept = end - 1 >= shift.at + shift.removed  # its last unit
    last = _moved_index(end - 1, shift) + 1 if is_kept else shift.at
    return [segment, first, last] if first < last else None


class Regions:
    """What others inserted into a segment and deleted from it, and where that is now."""

    def __init__(self) -> None:
        self._all: list[tuple[int, int, int]] = []  # where, how much came, how much went

    def add(self, shift: Shift) -> None:
        """Take in a change by somebody else."""
        before = sum(added for _, added, _ in self._all)
        self.move(shift)
        undone = before - sum(added for _, added, _ in self._all)  # of what others had inserted
        self._all = sorted([*self._all, (shift.at, shift.added, max(0, shift.removed - undone))])

    def move(self, shift: Shift) -> None:
        """Move along with a change."""
        found, gone = [], shift.at + shift.removed
        for at, added, removed in self._all:
            before = max(0, min(at + added, shift.at) - at)
            after = max(0, at + added - max(at, gone))
            place = _moved_index(at, shift)
            if before and after:  # the change is inside of what others inserted
                found += [(place, before, removed), (shift.at + shift.added, after, 0)]
            else:
                found.append((place, before + after, removed))
        self._all = sorted(found)

    def now(self, index: int, *, is_end: bool = False) -> int:
        """Return where an index is, that somebody gives who knows nothing of these changes."""
        for at, added, removed in self._all:
            if index > at or (index == at and not is_end):
                index = max(at, index - removed) + added
        return index
