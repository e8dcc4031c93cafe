"""Fields: what callers may say about work items, when they create, change or look for them."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from laconic.kit import UNLISTED, CamelPart, Unset

Level = Literal["lowest", "low", "normal", "high", "highest"]
Subject = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Description = Annotated[str, Field(max_length=100_000)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Tags = Annotated[list[Tag], Field(max_length=32)]
_Id = Annotated[str | None, Field(description="Id or name.")]
_Nobody: Any = Annotated[str | None, Field(default_factory=Unset, description="Id or name; null: nobody.")]
_Hidden = Annotated[str | None, UNLISTED]


class Blocked(CamelPart):
    """Whether work on an item is blocked, and why."""

    is_blocked: bool
    reason: Annotated[str | None, Field(max_length=500)] = None


class NewItem(CamelPart):
    """What any new item may have."""

    subject: Subject
    description: Description | None = None
    assigned_to_id: _Id = None
    tags: Tags | None = None
    priority: Level | None = None
    status_id: _Hidden = None
    blocked: Annotated[Blocked | None, UNLISTED] = None


class NewEpic(NewItem):
    """A new epic."""

    color: _Hidden = None


class NewStory(NewItem):
    """A new user story."""

    epic_id: Annotated[str | None, Field(description="Epic's id or #ref.")] = None
    sprint_id: _Hidden = None
    due_date: _Hidden = None


class NewTask(NewItem):
    """A new task."""

    user_story_id: Annotated[str, Field(description="Story's id or #ref.")]
    due_date: _Hidden = None


class NewIssue(NewItem):
    """A new issue."""

    type: _Id = None
    severity: _Id = None
    priority_id: _Hidden = None
    sprint_id: _Hidden = None
    due_date: _Hidden = None


class ItemChanges(CamelPart):
    """What may be changed about any item; what is left out stays."""

    subject: Subject | None = None
    description: Description | None = None
    assigned_to_id: _Nobody
    status_id: _Id = None
    tags: Tags | None = None
    priority: Level | None = None
    blocked: Blocked | None = None


class EpicChanges(ItemChanges):
    """What may be changed about an epic."""

    color: _Hidden = None


class StoryChanges(ItemChanges):
    """What may be changed about a user story."""

    epic_id: Annotated[str | None, Field(default_factory=Unset), UNLISTED]
    sprint_id: Annotated[str | None, Field(default_factory=Unset, description="Id or name; null: none.")]
    due_date: Annotated[str | None, Field(default_factory=Unset), UNLISTED]


class TaskChanges(ItemChanges):
    """What may be changed about a task."""

    user_story_id: Annotated[str | None, Field(default_factory=Unset), UNLISTED]
    due_date: Annotated[str | None, Field(default_factory=Unset), UNLISTED]


class IssueChanges(ItemChanges):
    """What may be changed about an issue."""

    type: _Id = None
    severity: _Id = None
    priority_id: _Hidden = None
    sprint_id: Annotated[str | None, Field(default_factory=Unset), UNLISTED]
    due_date: Annotated[str | None, Field(default_factory=Unset), UNLISTED]


class Filters(CamelPart):
    """Which items are looked for."""

    status_ids: Annotated[list[str] | None, Field(description="Ids or names.")] = None
    assignee_ids: Annotated[list[str] | None, Field(description="Ids or names.")] = None
    tags: Annotated[list[str] | None, Field(description="Any of these.")] = None
    all_tags: Annotated[list[str] | None, UNLISTED] = None
    unassigned: Annotated[bool | None, UNLISTED] = None
    is_closed: Annotated[bool | None, UNLISTED] = None
    modified_since: _Hidden = None


class StoryFilters(Filters):
    """Which user stories are looked for."""

    epic_id: Annotated[str | None, Field(description="Id, #ref or none.")] = None
    sprint_id: Annotated[str | None, Field(description="Id, name or none.")] = None


class TaskFilters(Filters):
    """Which tasks are looked for."""

    user_story_id: Annotated[str | None, Field(description="Id, #ref or none.")] = None
    sprint_id: _Hidden = None


class IssueFilters(Filters):
    """Which issues are looked for."""

    types: Annotated[list[str] | None, UNLISTED] = None
    severities: Annotated[list[str] | None, UNLISTED] = None
    priorities: Annotated[list[str] | None, UNLISTED] = None
    sprint_id: _Hidden = None
