"""Sessions and checkpoints: the records in a session's files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, Self

from pydantic import Field

from laconic.kit import Record
from laconic.servers.issues.timestamps import stamp
from laconic.servers.issues.tolerant import Flag, Items, Moment, Number, Object, Word, Words
from laconic.text import to_camel

ACTIVE: Final = frozenset({"running", "paused"})
ENDED: Final = frozenset({"completed", "failed"})
_camel: Final = cache(to_camel)


class _File(Record):
    """A JSON file of a session, written by any program."""

    @classmethod
    def of(cls, raw: Mapping[str, Any] | None) -> Self:
        """Read the keys that are valid; the others keep their defaults."""
        given = {name: (raw or {}).get(_camel(name)) for name in cls.model_fields}
        return cls(**{name: value for name, value in given.items() if value is not None})

    def wire(self) -> dict[str, Any]:
        """Return all values with the keys of the file."""
        known = {_camel(name): getattr(self, name) for name in type(self).model_fields}
        known = {
            name: stamp(value) if isinstance(value, datetime) else value for name, value in known.items()
        }
        return {name: value for name, value in known.items() if value not in (None, "", {})}


class Session(_File):
    """One run of an agent through a workflow: context.json."""

    id: Word = ""
    spec_file: Word = ""
    status: Word = "unknown"
    current_phase: Word = ""
    worktree_path: Word = ""
    branch_name: Word = ""
    worktree_error: Word = ""  # why there is no worktree, if so
    workflow: Word = ""
    skip_checks: Flag = None
    skip_step_names: Words = Field(default_factory=list)
    phases_completed: Words = Field(default_factory=list)
    tasks_completed: Words = Field(default_factory=list)
    tasks_pending: Words = Field(default_factory=list)
    started_at: Moment = None
    updated_at: Moment = None
    completed_at: Moment = None
    pr_url: Word = ""
    pr_number: Number = None
    summary: Word = ""
    step_execution_summary: Object = None

    @property
    def age(self) -> tuple[datetime, str]:
        """Sort key: when the session started, then its id."""
        return (self.started_at or self.updated_at or datetime.min.replace(tzinfo=UTC), self.id)

    def seconds(self, now: datetime) -> float:
        """How long the session ran, or has been running."""
        end = self.completed_at or now
        return max(0.0, (end - self.started_at).total_seconds()) if self.started_at else 0.0


class Checkpoint(_File):
    """Where to continue: checkpoint.json."""

    checkpoint_id: Word = ""
    created_at: Moment = None
    current_phase: Word = ""
    tasks_completed: Words = Field(default_factory=list)
    tasks_pending: Words = Field(default_factory=list)
    variables: Object = None
    last_action: Word = ""
    resume_instructions: Word = ""
    step_results: Items = None
    completed_phases: Words = Field(default_factory=list)  # this and the next: the workflow engine's
    changed_files: Words = Field(default_factory=list)
