"""What a session is, what its files say of it, and the words its tools answer with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import Field, ValidationError, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler as Inner

from laconic.kit import Record
from laconic.text import case_of, to_camel

ACTIVE: Final = frozenset({"running", "paused"})
LONGEST_METADATA: Final = 300  # characters of an audit entry's metadata that an answer repeats
_BOOKKEEPING: Final = frozenset({"init", "task", "checkpoint", "complete", "error"})
_STEPS: Final[Mapping[str, str]] = {
    "started": "{} (in progress)",
    "resumed": "{} (in progress)",
    "complete": "{} just completed, waiting for next step",
    "failed": "{} FAILED",
}


def written(value: Any, *, indent: int | None = None) -> str:
    """Write JSON for a file, or as part of a line of text."""
    separators = None if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)  # noqa: TID251  # a file's content, or a value inside an answer


def stamp(moment: datetime) -> str:
    """Write a moment as the files do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Files of other programs, of older versions, edited by hand: a value of a wrong type must not hide the others.
def _word(value: Any, _: Inner) -> str:
    return value if isinstance(value, str) else "" if value is None else written(value)


def _words(value: Any, _: Inner) -> list[str]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [item if isinstance(item, str) else written(item) for item in items]


def _moment(value: Any, inner: Inner) -> datetime | None:
    found: datetime | None = _or_none(value, inner)
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


def _or_none(value: Any, inner: Inner) -> Any:
    try:
        return inner(value)
    except ValidationError:
        return None


Word = Annotated[str, WrapValidator(_word)]
Words = Annotated[list[str], WrapValidator(_words)]
Moment = Annotated[datetime | None, WrapValidator(_moment)]
Number = Annotated[int | None, WrapValidator(_or_none)]
Flag = Annotated[bool | None, WrapValidator(_or_none)]
Object = Annotated[dict[str, Any] | None, WrapValidator(_or_none)]


class _File(Record):
    """A JSON file of a session, whoever wrote it."""

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Self:
        """Read what can be read; the rest keeps its default."""
        return cls(**{name: raw[wire] for name in cls.model_fields if (wire := to_camel(name)) in raw})

    def wire(self) -> dict[str, Any]:
        """All that is known, spelt as in the file."""
        known = self.model_dump(mode="json", exclude_none=True)
        return {case_of(name, "camel"): value for name, value in known.items()}


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
        """What sessions are ordered by: when it began, then its id."""
        return (self.started_at or self.updated_at or datetime.min.replace(tzinfo=UTC), self.id)

    def seconds(self, now: datetime) -> float:
        """How long it ran, or has been running."""
        return max(0.0, ((self.completed_at or now) - self.started_at).total_seconds()) if self.started_at else 0.0


class Checkpoint(_File):
    """Where to go on: checkpoint.json."""

    key: ClassVar[str] = "checkpoint_id"

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
