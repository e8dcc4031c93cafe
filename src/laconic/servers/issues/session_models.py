"""What a session is, where it can be taken up again, and the words its tools answer with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import BeforeValidator, Field, ValidationError, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler as Inner

from laconic.kit import Record
from laconic.text import to_camel

ACTIVE: Final = frozenset({"running", "paused"})
_camel: Final = cache(to_camel)


def written(value: Any, *, indent: int | None = None) -> str:
    """Write JSON for a file, or as part of a line."""
    separators = None if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)  # noqa: TID251  # a file's content, or one value in a line


def as_word(value: Any) -> str:
    """A value as text, whatever its type."""
    return value if isinstance(value, str) else "" if value is None else written(value)


# Other programs and people write these files too: a value of the wrong type must not hide the others.
def _words(value: Any) -> list[str]:
    return [as_word(item) for item in (value if isinstance(value, list) else [value])]


def _or_none(value: Any, inner: Inner) -> Any:
    try:
        return inner(value)
    except ValidationError:
        return None


def _moment(value: Any, inner: Inner) -> datetime | None:
    found: datetime | None = _or_none(value, inner)
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


Word = Annotated[str, BeforeValidator(as_word)]
Words = Annotated[list[str], BeforeValidator(_words)]
Moment = Annotated[datetime | None, WrapValidator(_moment)]
Object = Annotated[dict[str, Any] | None, WrapValidator(_or_none)]


class _File(Record):
    """A JSON file of a session, whoever wrote it."""

    @classmethod
    def of(cls, raw: Mapping[str, Any] | None) -> Self:
        """Read what can be read; the rest keeps its default."""
        given = {name: (raw or {}).get(_camel(name)) for name in cls.model_fields}
        return cls(**{name: value for name, value in given.items() if value is not None})

    def wire(self) -> dict[str, Any]:
        """All that is known, spelt as in the file."""
        known = {_camel(name): getattr(self, name) for name in type(self).model_fields}
        known = {
            name: stamp(value) if isinstance(value, datetime) else value for name, value in known.items()
        }
        return {name: value for name, value in known.items() if value not in (None, "", [], {})}


class Session(_File):
    """One run of an agent through a workflow: context.json."""

    id: Word = ""
    spec_file: Word = ""
    status: Word = "unknown"
    current_phase: Word = ""
    worktree_path: Word = ""
    branch_name: Word = ""
    worktree_error: Word = ""  # why there is no worktree
    workflow: Word = ""
    skip_checks: Annotated[bool | None, WrapValidator(_or_none)] = None
    skip_step_names: Words = Field(default_factory=list)
    phases_completed: Words = Field(default_factory=list)
    tasks_completed: Words = Field(default_factory=list)
    tasks_pending: Words = Field(default_factory=list)
    started_at: Moment = None
    updated_at: Moment = None
    completed_at: Moment = None
    pr_url: Word = ""
    pr_number: Annotated[int | None, WrapValidator(_or_none)] = None
    summary: Word = ""
    step_execution_summary: Object = None

    @property
    def age(self) -> tuple[datetime, str]:
        """What sessions are ordered by: when it began, then its id."""
        return (self.started_at or self.updated_at or datetime.min.replace(tzinfo=UTC), self.id)

    def seconds(self, now: datetime) -> float:
        """How long it ran, or has been running."""
        end = self.completed_at or now
        return max(0.0, (end - self.started_at).total_seconds()) if self.started_at else 0.0

    def lines(self) -> list[str]:
        """All there is to know of it, a line each."""
        skipped = [*(["all checks"] if self.skip_checks else []), *self.skip_step_names]
        number = f" (#{self.pr_number})" if self.pr_number else ""
        steps = self.step_execution_summary
        return [
            *(f"Session: {self.id}", f"Status: {self.status}", f"Phase: {self.current_phase}"),
            *_said("Workflow", self.workflow),
            *_said("Spec", self.spec_file),
            *_said("Worktree", self.worktree_path),
            *_said("Branch", self.branch_name),
            *_said("No worktree was made", self.worktree_error),
            *_said("Skips", ", ".join(skipped)),
            *_said("Phases completed", ", ".join(self.phases_completed)),
            *_said("PR", self.pr_url + number),
            *_said("Summary", self.summary),
            *_said("Steps", written(steps) if steps else ""),
            *_listed("Tasks completed", self.tasks_completed),
            *_listed("Tasks pending", self.tasks_pending),
        ]


class Checkpoint(_File):
    """Where to go on: checkpoint.json."""

    checkpoint_id: Word = ""
    created_at: Moment = None
    current_phase: Word = ""
    tasks_completed: Words = Field(default_factory=list)
    tasks_pending: Words = Field(default_factory=list)
    variables: Object = None
    last_action: Word = ""
    resume_instructions: Word = ""
    step_results: Annotated[list[Any] | None, WrapValidator(_or_none)] = None
    completed_phases: Words = Field(default_factory=list)  # this and the next: the workflow engine's
    changed_files: Words = Field(default_factory=list)

    def lines(self) -> list[str]:
        """What an agent needs to go on; its tasks stand with the session."""
        made = f", {stamp(self.created_at)}" if self.created_at else ""
        made += f", phase {self.current_phase}" if self.current_phase else ""
        values = [f"{name}: {as_word(value)}" for name, value in (self.variables or {}).items()]
        return [
            f"Checkpoint: {self.checkpoint_id}{made}",
            *_said("Last action", self.last_action),
            *_said("Resume instructions", self.resume_instructions),
            *(_listed("Variables", values) if values else []),
            *(_listed("Step results", map(_step, self.step_results)) if self.step_results else []),
            *(_listed("Changed files", self.changed_files) if self.changed_files else []),
        ]


def stamp(moment: datetime) -> str:
    """Write a moment as the files do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _said(name: str, value: str) -> list[str]:
    return [f"{name}: {value}"] if value else []


def _listed(name: str, values: Iterable[str]) -> list[str]:
    items = list(values)
    return [f"{name}: {len(items)}", *(f"- {item}" for item in items)]


def _step(result: Any) -> str:
    if not isinstance(result, Mapping):
        return as_word(result)
    summary = result.get("outputSummary")
    return f"{result.get('stepName')}: {result.get('status')}" + (f" ({summary})" if summary else "")


class SessionStarted(Record):
    """A session that has just begun."""

    key: ClassVar[str] = "session_id"

    session_id: str
    status: str = "running"
    current_phase: str = "init"
    audit_path: str
    worktree_path: str
    branch_name: str
    worktree_created: bool
    worktree_error: str = ""
    workflow: str

    def text(self, format: str | None) -> str:
        """Where the work goes on."""
        lines = [f"Session started: {self.session_id}", f"Workflow: {self.workflow}"]
        lines += [f"Worktree: {self.worktree_path}", f"Branch: {self.branch_name}"]
        if not self.worktree_created:
            lines.append(f"No worktree was made: {self.worktree_error}. Work in the folder above, as it is.")
        return "\n".join(lines)


class PhaseMark(Record):
    """What was noted of a phase."""

    key: ClassVar[str] = "phase"

    session_id: str
    phase: str
    status: str
    timestamp: str

    def text(self, format: str | None) -> str:
        """The phase, and what became of it."""
        return f"Phase {self.phase} {self.status}"


class CheckpointSaved(Record):
    """A checkpoint on disk."""

    key: ClassVar[str] = "checkpoint_id"

    session_id: str
    checkpoint_id: str
    tasks_completed: int
    tasks_pending: int
    timestamp: str
    step_results: list[dict[str, Any]] | None = None

    def text(self, format: str | None) -> str:
        """Its id, and how much it holds."""
        lines = [f"Checkpoint saved: {self.checkpoint_id}", f"Tasks completed: {self.tasks_completed}"]
        lines.append(f"Tasks pending: {self.tasks_pending}")
        return "\n".join(
            [*lines, *([f"Steps reported: {len(self.step_results)}"] if self.step_results else [])]
        )


class SessionEnd(Record):
    """How a session ended."""

    key: ClassVar[str] = "session_id"

    session_id: str
    status: str
    duration_ms: int
    tasks_completed: int
    pr_url: str | None = None
    pr_number: int | None = None
    summary: str | None = None
    step_execution_summary: dict[str, Any] | None = None

    def text(self, format: str | None) -> str:
        """The outcome, a line each."""
        lines = [f"Session {self.status}: {self.session_id}"]
        lines += [f"Duration: {int(self.duration_ms / 60_000 + 0.5)} minutes"]
        lines += [f"Tasks completed: {self.tasks_completed}", *_said("PR", self.pr_url or "")]
        if steps := self.step_execution_summary:
            executed = f"{steps.get('executed')}/{steps.get('totalSteps')} executed"
            lines.append(f"Steps: {executed}, {steps.get('skipped')} skipped")
        return "\n".join(lines)


class SessionFound(Record):
    """A session with all that an agent needs to go on with it."""

    key: ClassVar[str] = "session_id"

    found: bool = True
    session_id: str | None = None
    session: dict[str, Any] | None = None
    checkpoint: dict[str, Any] | None = None
    audit: list[str] = Field(default_factory=list)  # the last entries
    audit_entry_count: int = 0
    blocker: str | None = None
    others: list[str] = Field(default_factory=list)  # further sessions that are running or paused
    warnings: list[str] = Field(default_factory=list)

    def text(self, format: str | None) -> str:
        """The session, its checkpoint, its last steps."""
        if not self.found:
            return "\n".join(["No session is running or paused. session_start begins one.", *_ends(self)])
        lines = Session.of(self.session).lines()
        lines += Checkpoint.of(self.checkpoint).lines() if self.checkpoint else ["Checkpoint: none"]
        if self.audit:
            lines.append(f"Last audit entries ({len(self.audit)} of {self.audit_entry_count}):")
            lines += [f"- {line}" for line in self.audit]
        return "\n".join([*lines, *_ends(self)])


class SessionStatus(Record):
    """Where a session stands."""

    key: ClassVar[str] = "session_id"

    session_id: str
    status: str
    active_step: str
    phases_completed: list[str]
    tasks_completed: int
    tasks_pending: int
    tasks_total: int
    duration: str
    spec_file: str
    worktree_path: str
    branch_name: str
    audit_entry_count: int
    last_activity: dict[str, str] | None = None
    checkpoint: dict[str, Any] | None = None
    blocker: str | None = None
    others: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    def text(self, format: str | None) -> str:
        """A line a fact."""
        last = self.last_activity
        point = (self.checkpoint or {}).get("checkpointId", "")
        lines = [
            *(f"Session: {self.session_id}", f"Status: {self.status}", f"Active Step: {self.active_step}"),
            f"Phases Done: {', '.join(self.phases_completed) or 'none'}",
            f"Tasks: {self.tasks_completed}/{self.tasks_total} completed",
            f"Duration: {self.duration}",
            *_said("Spec", self.spec_file),
            *_said("Worktree", self.worktree_path),
            *_said("Branch", self.branch_name),
            f"Audit Entries: {self.audit_entry_count}",
            *([f"Last Activity: {last['timestamp']} {last['phase']} {last['status']}"] if last else []),
            *_said("Checkpoint", f"{point} (session_get shows it)" if point else ""),
        ]
        return "\n".join([*lines, *_ends(self)])


def _ends(answer: SessionFound | SessionStatus) -> list[str]:
    others = ", ".join(answer.others)
    lines = [*_said("BLOCKER", answer.blocker or ""), *_said("Other active sessions", others)]
    return [*lines, *(f"Warning: {warning}" for warning in answer.warnings)]


class SessionList(Record):
    """Sessions, newest first."""

    total: int
    scope: str
    sessions: list[dict[str, Any]] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    def text(self, format: str | None) -> str:
        """A line a session."""
        shown = len(self.sessions)
        which = f"{shown} of {self.total} sessions running or paused" if self.scope == "active" else ""
        head = which or ("1 session" if shown == 1 else f"{shown} sessions")
        columns = ("id", "status", "currentPhase", "specFile", "startedAt")
        rows = [[str(session.get(name, "")) for name in columns] for session in self.sessions]
        table = ["\t".join(row) for row in [columns, *rows]] if rows else []
        warned = [f"Warning: {warning}" for warning in self.warnings]
        return "\n".join([f"{head}{':' if rows else '.'}", *table, *warned])
