"""Sightings: an issue together with what the other work trees of a clone know of it."""

from __future__ import annotations

import re
from typing import Final

from laconic.kit import NotFound
from laconic.servers.issues.models import Issue
from laconic.servers.issues.store import Entry, IssueStore

__all__ = ["Sightings"]

_ID: Final = re.compile(r"[A-Za-z]+-\d+")


class Sightings:
    """Issues as they are here, with who holds them, and what differs elsewhere."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store

    def find(self, reference: str) -> Entry:
        """Find an issue by its id, file name or unambiguous number.

        Raises:
            NotFound: it is not here; if it is in another work tree, the advice names that.
        """
        try:
            return self._store.find(reference)
        except NotFound as failure:
            raise self._elsewhere(reference, failure) from None

    def get(self, reference: str) -> Issue:
        """Read one issue by its id, file name or unambiguous number."""
        entry = self.find(reference)
        (issue,) = self.with_holders([self._store.read(entry)], is_whole=True)
        issue.elsewhere = [one.words for one in self._store.siblings.seen(entry)]
        return issue

    def _elsewhere(self, reference: str, failure: NotFound) -> NotFound:
        """Say so if an issue that is not here is in another work tree."""
        named = _ID.fullmatch(reference.strip())
        trees = self._store.siblings.where(reference.strip().upper()) if named else []
        if not trees:
            return failure
        advice = f"It is in {trees[0].words}: merge its branch to have it here."
        return NotFound("Issue", reference, code=failure.code, advice=advice)

    def with_holders(self, issues: list[Issue], *, is_whole: bool = False) -> list[Issue]:
        """Tell who holds what in any work tree; in a list, not again what the assignee tells."""
        held = self._store.claims.held()
        for issue in issues if held else ():
            one = held.get(issue.id)
            if one is None or (not one.tree and issue.is_complete):
                continue
            is_told = not one.tree and one.holder == issue.assignee and not is_whole
            issue.held = None if is_told else one.words
        return issues
