"""Dependencies: which unfinished issues wait for which, in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from laconic.servers.issues.models import COMPLETE
from laconic.servers.issues.store import Entry

__all__ = ["Dependencies"]


@dataclass(frozen=True)
class Dependencies:
    """The ids that an unfinished issue waits for, and the ids that wait for it."""

    titles: Mapping[str, str]
    blocked_by: Mapping[str, list[str]]
    blocks: Mapping[str, list[str]]

    @staticmethod
    def among(entries: Iterable[Entry]) -> Dependencies:
        """Find the dependencies between unfinished issues; finished and missing ones block nothing."""
        unfinished = {entry.id: entry for entry in entries if entry.status not in COMPLETE}
        blocked_by = {
            id: [one for one in entry.blocked_by if one in unfinished] for id, entry in unfinished.items()
        }
        blocks: dict[str, list[str]] = {}
        for id, blockers in blocked_by.items():
            for one in blockers:
                blocks.setdefault(one, []).append(id)
        titles = {id: entry.title for id, entry in unfinished.items()}
        waiting = {id: found for id, found in blocked_by.items() if found}
        return Dependencies(titles, waiting, {id: sorted(found) for id, found in blocks.items()})

    def words(self, id: str) -> str:
        """Return what an issue waits for and what waits for it; empty if neither."""
        parts = [("blocked by", self.blocked_by), ("blocks", self.blocks)]
        return "; ".join(f"{verb} {', '.join(found[id])}" for verb, found in parts if id in found)

    def part_of(self, id: str) -> set[str]:
        """Return the ids that are connected with one, itself included."""
        found, left = set[str](), [id]
        while left:
            one = left.pop()
            if one not in found:
                found.add(one)
                left += [*self.blocked_by.get(one, ()), *self.blocks.get(one, ())]
        return found

    def edges(self, only: set[str] | None = None) -> list[tuple[str, str]]:
        """Return each blocker with what it blocks, in the order of ids."""
        pairs = [(one, other) for one, others in sorted(self.blocks.items()) for other in others]
        return [pair for pair in pairs if only is None or pair[0] in only]

    def tree(self, only: set[str] | None = None) -> Iterator[tuple[int, str, bool]]:
        """Return each id below those that block it: depth, id, and whether it was shown before."""
        ids = sorted({id for pair in self.edges(only) for id in pair})
        seen = set[str]()
        roots = [id for id in ids if id not in self.blocked_by]
        for id in [*roots, *ids]:  # what is only in a circle has no root
            if id not in seen:
                yield from self._below(id, seen)

    def _below(self, id: str, seen: set[str]) -> Iterator[tuple[int, str, bool]]:
        left = [(0, id)]  # no recursion: a chain may be longer than the stack is deep
        while left:
            depth, one = left.pop()
            yield depth, one, one in seen
            if one not in seen:
                seen.add(one)
                left += [(depth + 1, other) for other in reversed(self.blocks.get(one, []))]
