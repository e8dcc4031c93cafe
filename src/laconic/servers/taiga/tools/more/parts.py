"""Parts of batches: one change, or one new item, of any kind; what its kind does not have is told."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from laconic.kit import UNLISTED, SeparatePart, Unset
from laconic.servers.taiga.models.fields import (
    Blocked,
    Description,
    EpicChanges,
    IssueChanges,
    Level,
    NewEpic,
    NewIssue,
    NewStory,
    NewTask,
    StoryChanges,
    Subject,
    Tags,
    TaskChanges,
)
from laconic.servers.taiga.models.kinds import KINDS
from laconic.servers.taiga.service.around.batches import Change
from laconic.text import to_camel

_CHANGES: Final[Mapping[str, Any]] = {
    "epic": EpicChanges,
    "user_story": StoryChanges,
    "task": TaskChanges,
    "issue": IssueChanges,
}
_NEW: Final[Mapping[str, Any]] = {"epic": NewEpic, "user_story": NewStory, "task": NewTask, "issue": NewIssue}
_Hidden = Annotated[str | None, UNLISTED]
_Settable: Any = Annotated[str | None, Field(default_factory=Unset), UNLISTED]  # null means none


class _OfBatch(SeparatePart):
    """What items of some kinds have, besides what all have."""

    tags: Tags | None = None
    priority: Level | None = None
    status_id: str | None = None
    description: Annotated[Description | None, UNLISTED] = None
    blocked: Annotated[Blocked | None, UNLISTED] = None
    color: _Hidden = None
    type: _Hidden = None
    severity: _Hidden = None
    priority_id: _Hidden = None

    def _values(self, kind: str, of: Any, *others: str) -> tuple[dict[str, Any], str]:
        if self.problem:
            return {}, self.problem
        given = {name: getattr(self, name) for name in self.model_fields_set}
        strange = [name for name in given if name not in of.model_fields and name not in others]
        if not strange:
            return given, ""
        return given, f"Unknown argument '{to_camel(strange[0])}': {KINDS[kind].nouns} have none."


class BatchChange(_OfBatch):
    """One change of a batch."""

    id: Annotated[str, Field(description="Id or #ref.")]
    subject: Subject | None = None
    assigned_to_id: Annotated[str | None, Field(default_factory=Unset)]
    sprint_id: Annotated[str | None, Field(default_factory=Unset)]
    epic_id: _Settable
    due_date: _Settable
    user_story_id: _Settable
    version: Annotated[int | None, UNLISTED] = None

    def change(self, kind: str) -> Change:
        """Return what to change, or why it cannot be."""
        values, problem = self._values(kind, _CHANGES[kind], "id", "version")
        return Change(self.id, {name: value for name, value in values.items() if name != "id"}, problem)


class NewOfBatch(_OfBatch):
    """One new item of a batch."""

    subject: Subject
    assigned_to_id: str | None = None
    user_story_id: str | None = None
    sprint_id: _Hidden = None
    epic_id: _Hidden = None
    due_date: _Hidden = None

    def change(self, kind: str) -> Change:
        """Return what to create, or why it cannot be."""
        values, problem = self._values(kind, _NEW[kind])
        if kind == "task" and not problem and not values.get("user_story_id"):
            problem = "Missing userStoryId: the story that the task belongs to."
        return Change("", values, problem)
