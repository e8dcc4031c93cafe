"""The tracker: finding, reading and changing issues."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any

from laconic.kit import BadArguments, Batch, Failure, Page, Window
from laconic.servers.issues import edits
from laconic.servers.issues.answers import Closed, Completion, Stats, Updated
from laconic.servers.issues.filters import Filters
from laconic.servers.issues.models import COMPLETE, Issue
from laconic.servers.issues.service.batches import each
from laconic.servers.issues.service.blocking import Blocking
from laconic.servers.issues.service.categories import missing
from laconic.servers.issues.service.sightings import Sightings
from laconic.servers.issues.service.sorting import merit, sort_value, urgency
from laconic.servers.issues.store import Entry, IssueStore, Wish, newness

_ID = re.compile(r"[A-Za-z]+-\d+")


class Tracker:
    """Issues, specifications and ideas of one workspace."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store
        self._blocking = Blocking(store)
        self._sightings = Sightings(store)

    def find(
        self,
        window: Window,
        filters: Filters,
        *,
        ready: bool = False,
        whole: bool = False,
        sort: tuple[str, bool] = ("updated", True),
    ) -> Page[Issue]:
        """List issues, newest change first unless a sort is given; ready ones by priority and age."""
        entries = self._store.entries()
        kept = filters.among(entries)
        if ready:
            page = window.cut(self._blocking.ready(kept, entries), key=urgency)
        elif sort == ("updated", True):
            page = window.cut_sorted(kept, key=newness, reverse=True)  # the order of the store
        else:
            name, is_down = sort
            page = window.cut(kept, key=lambda entry: (sort_value(entry, name), entry.path), reverse=is_down)
        shown = [self._store.read(entry) if whole else entry.issue() for entry in page.items]
        return _page(page, self._sightings.with_holders(shown))

    def search(
        self,
        window: Window,
        query: str,
        fields: Sequence[str],
        filters: Filters,
        sort: tuple[str, bool] | None,
        *,
        excerpts: bool,
    ) -> Page[Issue]:
        """Find words in titles, descriptions and labels; best match first unless a sort is given."""
        found = self._store.search(query, fields, filters.keep if filters != Filters() else None)
        named = self._named(query, filters) if not found and _ID.fullmatch(query.strip()) else None
        if named is not None:
            remark = "No text contains the query; this is the issue with that id."
            return Page([named.issue()], 1, start=0, about=f'matching "{query}"', remark=remark)
        if sort is None:
            best = sorted(found, key=attrgetter("score"), reverse=True)  # of equals, the newest first
            page = window.cut_sorted(best, key=merit, reverse=True)
        else:
            name, is_down = sort
            page = window.cut(
                found, key=lambda hit: (sort_value(hit.entry, name), hit.entry.path), reverse=is_down
            )
        shown = [hit.entry.issue(description=hit.excerpt() if excerpts else "") for hit in page.items]
        is_whole = all(hit.is_whole for hit in page.items)
        remark = "" if is_whole else "No issue contains the exact query; these contain all of its words."
        return replace(
            _page(page, self._sightings.with_holders(shown)), about=f'matching "{query}"', remark=remark
        )

    def _named(self, query: str, filters: Filters) -> Entry | None:
        """Return the issue whose id is the query."""
        with suppress(Failure):
            entry = self._store.find(query)
            return entry if entry.id == query.strip().upper() and filters.keep(entry) else None
        return None

    def get(self, reference: str) -> Issue:
        """Read one issue by its id, file name or unambiguous number."""
        return self._sightings.get(reference)

    def get_many(self, references: Sequence[str]) -> Batch[Issue]:
        """Read several issues; a missing one does not affect the others."""
        return each(self._store, [(one, one) for one in dict.fromkeys(references)], self.get, "Found")

    def add(self, values: Mapping[str, Any], description: str) -> tuple[Issue, str]:
        """Create an issue; also return the id of another issue with the same title, if any."""
        edits.refuse_zero_bytes({**values, "description": description})
        blockers = values.get("blockedBy")
        given = {**values, "blockedBy": self._blocking.checked(None, blockers)} if blockers else values
        made = self._store.create(given, description)
        same = (one.id for one in self._store.known() if one.title == made.title and one.id != made.id)
        return made, next(same, "")

    def change(
        self, reference: str, values: Mapping[str, Any], *, claim: bool = False, take_over: bool = False
    ) -> Updated:
        """Change some fields; a claim is refused if somebody else has the issue, unless it takes over."""
        if claim and not values.get("assignee"):
            raise missing("assignee", "claim")
        is_begun = claim and values.get("status") is None
        values = {**values, "status": "in_progress"} if is_begun else values
        edits.refuse_zero_bytes(values)
        blockers = values.get("blocked_by")
        if blockers:
            values = {**values, "blocked_by": self._blocking.checked(self._store.find(reference), blockers)}
        wish = Wish(str(values["assignee"]), take_over) if claim else None
        before, after = self._store.edit(reference, edits.setting(values, claim=claim), wish)
        waits = [one for one in after.blocked_by if not self._blocking.is_done(one)] if claim else []
        if waits:
            after.warnings.append(f"It waits for {', '.join(waits)}.")
        return Updated.between(before, after, reference, unsaid=["status"] if is_begun else [])

    def release(self, reference: str) -> str:
        """End the claim of an issue in any work tree; return what was done. Files of others stay."""
        entry = self._store.find(reference)
        held = self._store.claims.held().get(entry.id)
        if held and held.tree:
            self._store.release(entry)
            return f"{entry.id} is free; its file in {held.tree} stays as it is."
        if entry.assignee and entry.status not in COMPLETE:
            values = {"assignee": "", "status": "open" if entry.status == "in_progress" else None}
            self._store.edit(entry, edits.setting(values))
            return f"{entry.id} is free."
        return f"{entry.id} is free." if self._store.release(entry) else f"Nobody holds {entry.id}."

    def change_many(self, updates: Sequence[Mapping[str, Any]]) -> Batch[Updated]:
        """Change several issues; each succeeds or fails on its own, also one that is a `problem`."""

        def changed(values: Mapping[str, Any]) -> Updated:
            if "problem" in values:
                raise BadArguments(str(values["problem"]))
            if values.keys() == {"id"}:
                raise BadArguments("It names nothing to change.")
            return Updated.row(*self._store.edit(str(values["id"]), edits.setting(values)))

        named = [(str(one["id"]) or f"item {place}", one) for place, one in enumerate(updates)]
        batch = each(self._store, named, changed, "Updated")
        same = [one for one in batch.items if not one.was]
        return replace(batch, items=[one for one in batch.items if one.was], unchanged=same)

    def finish_edit(self, before: Issue) -> Issue:
        """Finish an edit that a person made in the file: update its dates and move it to the right folder."""
        _, after = self._store.edit(before.path, edits.following(before))
        is_elsewhere = (after.type, after.status) != (before.type, before.status)
        return self._store.relocate(before.path) if is_elsewhere else after

    def remove(self, reference: str) -> Issue:
        """Delete an issue permanently."""
        return self._store.delete(reference)

    def complete(self, reference: str, note: str | None) -> Closed:
        """Close an issue and append a note."""
        edits.refuse_zero_bytes({"note": note})
        return Closed.between(*self._store.edit(reference, edits.closing(note)), reference)

    def all_complete(self, filters: Filters, references: Sequence[str]) -> Completion:
        """Check whether every issue in a scope is complete."""
        if references:
            with self._store.one_scan():
                scope = [self._store.find(reference) for reference in references]
        else:
            scope = [one for one in filters.among(self._store.entries()) if not one.is_note]
        pending = [entry for entry in scope if entry.status not in COMPLETE]
        titles = [entry.title for entry in pending]
        return Completion.of(len(scope), [(entry.id, entry.status) for entry in pending], titles)

    def stats(self, group_by: str, filters: Filters) -> Stats:
        """Count issues per value of a field, most frequent first."""
        kept = filters.among(self._store.entries())
        counts = Counter(map(attrgetter(group_by), kept))
        said = {str(value or "(none)"): count for value, count in counts.most_common()}
        return Stats(by=group_by, total=len(kept), counts=said)


def _page(page: Page[Any], shown: list[Issue]) -> Page[Issue]:
    key = page.key
    keys = {issue.path: key(item) for issue, item in zip(shown, page.items, strict=True)} if key else {}
    return Page(shown, page.total, page.next, page.start, (lambda issue: keys[issue.path]) if key else None)
