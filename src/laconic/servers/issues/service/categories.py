"""Categories: the labels, the project and the metadata that people and agents give issues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from laconic.kit import BadArguments, Problem, one_line
from laconic.servers.issues import edits
from laconic.servers.issues.answers import FieldValues
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.service.sightings import Sightings
from laconic.servers.issues.store import IssueStore

__all__ = ["Categories", "missing"]


class Categories:
    """Labels, projects and metadata of the issues of one workspace."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store
        self._sightings = Sightings(store)

    def labels(
        self, operation: str, reference: str | None, labels: Sequence[str], offset: int = 0
    ) -> FieldValues:
        """List, add or remove labels."""
        if operation == "list":
            return self._listed_labels(reference, offset)
        if reference is None or not labels:
            raise missing("issueId" if reference is None else "labels", operation)
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
            raise missing("issueId" if reference is None else "project", operation)
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
            return FieldValues.metadata(self._sightings.get(reference))
        if key is None or (operation == "set" and not is_given):
            raise missing("key" if key is None else "value", operation)
        before, after = self._store.edit(reference, edits.remembering(operation, key, value))
        is_same = before.wrangler_context == after.wrangler_context
        return FieldValues.metadata(after, "Nothing changed. " if is_same else "")


def missing(name: str, needed_by: str) -> BadArguments:
    """Return the refusal of a call that lacks an argument."""
    return BadArguments([Problem(name, f"Missing {name}: {needed_by} needs it.")])
