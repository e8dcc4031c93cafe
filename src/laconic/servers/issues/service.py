"""What can be done with issues, and the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeVar

from laconic.kit import BadArguments, Batch, Conflict, Failure, NotFound, Page, Problem, Window, one_line
from laconic.servers.issues import edits
from laconic.servers.issues.answers import Closed, Completion, FieldValues, Stats, Updated
from laconic.servers.issues.filters import Filters
from laconic.servers.issues.models import COMPLETE, PRIORITIES, Issue
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.store import Entry, Hit, IssueStore, Wish, newness
from laconic.stores import StoreError

_ORDER = {name: number for number, name in enumerate(PRIORITIES)}
_ID = re.compile(r"[A-Za-z]+-\d+")
_NEVER = 2**63  # later than any time, in microseconds
Item = TypeVar("Item")
Result = TypeVar("Result")


class Tracker:
    """Issues, specifications and ideas of one workspace."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store

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
            page = window.cut(self._ready(kept, entries), key=_urgency)
        elif sort == ("updated", True):
            page = window.cut_sorted(kept, key=newness, reverse=True)  # the order of the store
        else:
            name, is_down = sort
            page = window.cut(kept, key=lambda entry: (_sorted_by(entry, name), entry.path), reverse=is_down)
        shown = [self._store.read(entry) if whole else entry.issue() for entry in page.items]
        return _page(page, self._with_holders(shown))

    def _ready(self, kept: Iterable[Entry], entries: Iterable[Entry]) -> list[Entry]:
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
            and all(done[one] if one in done else self._is_done(one) for one in entry.blocked_by)
        ]
        finished = self._store.siblings.finished(free)
        return [entry for entry in free if entry.path not in finished]

    def _is_done(self, reference: str) -> bool:
        """True if the issue that a reference names is done; a missing one counts as done."""
        try:
            return self._store.find(reference).status in COMPLETE
        except NotFound:
            return True
        except Conflict:  # unknown which one is meant
            return False

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
            page = window.cut_sorted(best, key=_merit, reverse=True)
        else:
            name, is_down = sort
            page = window.cut(
                found, key=lambda hit: (_sorted_by(hit.entry, name), hit.entry.path), reverse=is_down
            )
        shown = [hit.entry.issue(description=hit.excerpt() if excerpts else "") for hit in page.items]
        is_whole = all(hit.is_whole for hit in page.items)
        remark = "" if is_whole else "No issue contains the exact query; these contain all of its words."
        return replace(_page(page, self._with_holders(shown)), about=f'matching "{query}"', remark=remark)

    def _named(self, query: str, filters: Filters) -> Entry | None:
        """Return the issue whose id is the query."""
        with suppress(Failure):
            entry = self._store.find(query)
            return entry if entry.id == query.strip().upper() and filters.keep(entry) else None
        return None

    def get(self, reference: str) -> Issue:
        """Read one issue by its id, file name or unambiguous number."""
        try:
            entry = self._store.find(reference)
        except NotFound as failure:
            raise self._elsewhere(reference, failure) from None
        (issue,) = self._with_holders([self._store.read(entry)], is_whole=True)
        issue.elsewhere = [one.words for one in self._store.siblings.seen(entry)]
        return issue

    def _elsewhere(self, reference: str, failure: NotFound) -> NotFound:
        """Say so if an issue that is not here is in another work tree."""
        named = _ID.fullmatch(reference.strip())
        trees = self._store.siblings.where(reference.strip().upper()) if named else []
        if trees:
            failure.advice = f"It is in {trees[0].words}: merge its branch to have it here."
        return failure

    def _with_holders(self, issues: list[Issue], *, is_whole: bool = False) -> list[Issue]:
        """Tell who holds what in any work tree; in a list, not again what the assignee tells."""
        held = self._store.claims.held()
        for issue in issues if held else ():
            one = held.get(issue.id)
            is_told = one is None or (not one.tree and one.holder == issue.assignee and not is_whole)
            issue.held = None if one is None or is_told or issue.is_complete else one.words
        return issues

    def get_many(self, references: Sequence[str]) -> Batch[Issue]:
        """Read several issues; a missing one does not affect the others."""
        return self._each([(one, one) for one in dict.fromkeys(references)], self.get, "Found")

    def add(self, values: Mapping[str, Any], description: str) -> tuple[Issue, str]:
        """Create an issue; also return the id of another issue with the same title, if any."""
        _refuse_zero_bytes({**values, "description": description})
        blockers = values.get("blockedBy")
        given = {**values, "blockedBy": self._blockers(None, blockers)} if blockers else values
        made = self._store.create(given, description)
        same = (one.id for one in self._store.known() if one.title == made.title and one.id != made.id)
        return made, next(same, "")

    def change(
        self, reference: str, values: Mapping[str, Any], *, claim: bool = False, take_over: bool = False
    ) -> Updated:
        """Change some fields; a claim is refused if somebody else has the issue, unless it takes over."""
        if claim and not values.get("assignee"):
            raise _missing("assignee", "claim")
        _refuse_zero_bytes(values)
        blockers = values.get("blocked_by")
        if blockers:
            values = {**values, "blocked_by": self._blockers(self._store.find(reference), blockers)}
        wish = Wish(str(values["assignee"]), take_over) if claim else None
        before, after = self._store.edit(reference, edits.setting(values, claim=claim), wish)
        waits = [one for one in after.blocked_by if not self._is_done(one)] if claim else []
        if waits:
            after.warnings.append(f"It waits for {', '.join(waits)}.")
        return Updated.between(before, after, reference)

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

    def _blockers(self, blocked: Entry | None, references: Iterable[str]) -> list[str]:
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

    def change_many(self, updates: Sequence[Mapping[str, Any]]) -> Batch[Updated]:
        """Change several issues; each succeeds or fails on its own, also one that is a `problem`."""

        def changed(values: Mapping[str, Any]) -> Updated:
            if "problem" in values:
                raise BadArguments(str(values["problem"]))
            if values.keys() == {"id"}:
                raise BadArguments("It names nothing to change.")
            return Updated.row(*self._store.edit(str(values["id"]), edits.setting(values)))

        named = [(str(one["id"]) or f"item {place}", one) for place, one in enumerate(updates)]
        batch = self._each(named, changed, "Updated")
        same = [one for one in batch.items if not one.was]
        return replace(batch, items=[one for one in batch.items if one.was], unchanged=same)

    def _each(
        self, items: Iterable[tuple[str, Item]], do: Callable[[Item], Result], word: str
    ) -> Batch[Result]:
        done: list[Result] = []
        failed: dict[str, str] = {}
        with self._store.one_scan():
            for place, (name, item) in enumerate(items):
                label = f"{name} (item {place})" if name in failed else name
                try:
                    done.append(do(item))
                except Failure as failure:
                    failed[label] = failure.words
                except StoreError as error:  # concerns this file only
                    failed[label] = str(error)
        return Batch(done, failed, word)

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
        _refuse_zero_bytes({"note": note})
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

    def labels(
        self, operation: str, reference: str | None, labels: Sequence[str], offset: int = 0
    ) -> FieldValues:
        """List, add or remove labels."""
        if operation == "list":
            return self._listed_labels(reference, offset)
        if reference is None or not labels:
            raise _missing("issueId" if reference is None else "labels", operation)
        before, after = self._store.edit(reference, edits.labelling(operation, labels))
        word = "Added labels to" if operation == "add" else "Removed labels from"
        if before.labels == after.labels:
            word = "Nothing changed in"
        words = f"{word} {after.id}. Current labels: {listed(after.labels) or 'none'}"
        return FieldValues(issue_id=after.id, values=after.labels).saying(words)

    def _listed_labels(self, reference: str | None, offset: int) -> FieldValues:
        if reference is None:
            return FieldValues.used("labels", self.used_labels(), offset)
        entry = self._store.find(reference)
        words = f"Labels of {entry.id}: {listed(entry.labels) or 'none'}"
        return FieldValues(issue_id=entry.id, values=list(entry.labels)).saying(words)

    def used_labels(self) -> Counter[str]:
        """Count the issues of each label."""
        return Counter(label for entry in self._store.entries() for label in entry.labels)

    def used_projects(self) -> Counter[str]:
        """Count the issues of each project."""
        return Counter(entry.project for entry in self._store.entries() if entry.project)

    def projects(
        self, operation: str, reference: str | None, project: str | None, offset: int = 0
    ) -> FieldValues:
        """List projects, or add an issue to one or remove it."""
        if operation == "list":
            return self._listed_projects(reference, offset)
        if reference is None or (operation == "add" and not project):
            raise _missing("issueId" if reference is None else "project", operation)
        new = project if operation == "add" else ""
        before, after = self._store.edit(reference, edits.setting({"project": new}))
        which = f"project {one_line(after.project or '')}" if new else "no project"
        already = "already " if before.project == after.project else ""
        words = f"{after.id} is {already}in {which}."
        return FieldValues(issue_id=after.id, values=[after.project] if after.project else []).saying(words)

    def _listed_projects(self, reference: str | None, offset: int) -> FieldValues:
        if reference is None:
            return FieldValues.used("projects", self.used_projects(), offset)
        entry = self._store.find(reference)
        found = [entry.project] if entry.project else []
        words = f"Project of {entry.id}: {listed(found) or 'none'}"
        return FieldValues(issue_id=entry.id, values=found).saying(words)

    def metadata(
        self, operation: str, reference: str, key: str | None, value: Any, *, is_given: bool
    ) -> FieldValues:
        """Read, set or remove metadata of an issue."""
        if operation == "get":
            return FieldValues.metadata(self.get(reference))
        if key is None or (operation == "set" and not is_given):
            raise _missing("key" if key is None else "value", operation)
        before, after = self._store.edit(reference, edits.remembering(operation, key, value))
        is_same = before.wrangler_context == after.wrangler_context
        return FieldValues.metadata(after, "Nothing changed. " if is_same else "")


def _missing(name: str, needed_by: str) -> BadArguments:
    return BadArguments([Problem(name, f"Missing {name}: {needed_by} needs it.")])


def _refuse_zero_bytes(values: Mapping[str, Any]) -> None:
    """Refuse zero bytes: git and editors treat a file that contains one as binary."""
    for name, value in values.items():
        if isinstance(value, str) and "\0" in value:
            raise BadArguments([Problem(name, f"Invalid {name}: it contains a zero byte.")])


def _page(page: Page[Any], shown: list[Issue]) -> Page[Issue]:
    key = page.key
    keys = {issue.path: key(item) for issue, item in zip(shown, page.items, strict=True)} if key else {}
    return Page(shown, page.total, page.next, page.start, (lambda issue: keys[issue.path]) if key else None)


def _merit(hit: Hit) -> tuple[int, int, str]:
    """Sort key: worst match first, then oldest."""
    return hit.score, *newness(hit.entry)


def _urgency(entry: Entry) -> tuple[int, int, str]:
    """Sort key: most urgent first, then oldest."""
    return (-_ORDER.get(entry.priority, 1), entry.created or _NEVER, entry.path)


def _sorted_by(entry: Entry, name: str) -> str | int:
    if name == "priority":
        return _ORDER.get(entry.priority, -1)
    if name == "status":
        return entry.status
    return (entry.created if name == "created" else entry.updated) or 0
