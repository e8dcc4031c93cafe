"""Blocking: issues wait for others until those are done, and never for themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from laconic.kit import Conflict, NotFound
from laconic.servers.issues.models import COMPLETE
from laconic.servers.issues.store import Entry, IssueStore

__all__ = ["Blocking"]


class Blocking:
    """What the issues of a workspace wait for."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store

    def ready(self, kept: Iterable[Entry], entries: Iterable[Entry]) -> list[Entry]:
        """Keep issues that are open, unassigned and not blocked, and that no work tree holds or finished."""
        done: dict[str, bool] = {}
        for entry in entries:  # if several share an id, all must be done
            done[entry.id] = entry.status in COMPLETE and done.get(entry.id, True)
        held = self._store.claims.held()
        free = [
            entry
            for entry in kept
            if entry.status == "open"
            and entry.id not in held
            and not entry.assignee
            and not entry.is_note
            and all(done[one] if one in done else self.is_done(one) for one in entry.blocked_by)
        ]
        finished = self._store.siblings.finished(free)
        return [entry for entry in free if entry.path not in finished]

    def is_done(self, reference: str) -> bool:
        """True if the issue that a reference names is done; a missing one counts as done."""
        try:
            return self._store.find(reference).status in COMPLETE
        except NotFound:
            return True
        except Conflict:  # unknown which one is meant
            return False

    def checked(self, blocked: Entry | None, references: Iterable[str]) -> list[str]:
        """Return the ids of the blockers; refuse one that is itself blocked by this issue."""
        with self._store.one_scan():
            found = [self._store.find(reference) for reference in references]
            if blocked is not None:
                self._refuse_circle(blocked.id, found)
        return list(dict.fromkeys(entry.id for entry in found))

    def _refuse_circle(self, id: str, blockers: Sequence[Entry]) -> None:
        behind = {entry.id: entry.blocked_by for entry in self._store.entries()}
        left, seen = [(entry.id, entry.id) for entry in blockers], set[str]()
        while left:
            one, first = left.pop()
            if one == id:
                why = "" if first == id else f": {first} waits for it already"
                said, advice = f"{id} would wait for itself{why}.", f"Leave {first} out."
                raise Conflict(said, code="INVALID_ARGUMENTS", field="blockedBy", advice=advice)
            if one not in seen:
                seen.add(one)
                left += [(other, first) for other in behind.get(one, ())]
