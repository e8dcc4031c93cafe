"""Bodies: what a caller says about an item, as Taiga wants to hear it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal

from laconic.kit import BadArguments, Problem
from laconic.servers.taiga.models.fields import Blocked
from laconic.servers.taiga.models.kinds import ISSUE, STORY, Kind
from laconic.servers.taiga.service.items.priorities import other_tags, row_of_level, tag_of_level
from laconic.servers.taiga.service.projects import ActiveProject

_SAME: Final = ("subject", "description", "color")
_TAKEN: Final = 32  # tags of an item, the reserved one included


@dataclass
class RequestBody:
    """The fields of a request, and what the caller should know about them."""

    fields: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class BodyWriter:
    """Writes bodies for items of one kind in one project."""

    kind: Kind
    project: ActiveProject
    priorities: Literal["tag", "refuse"] = "tag"

    def write(self, given: Mapping[str, Any], tags: Sequence[str] = ()) -> RequestBody:
        """Return the body for what was given; `tags` are those the item has.

        Raises:
            BadArguments: something that this project does not have, or that Taiga would drop silently.
        """
        body = RequestBody({name: given[name] for name in _SAME if given.get(name) is not None})
        if given.get("status_id") is not None:
            body.fields["status"] = self._id(self.kind.statuses, given["status_id"], "statusId")
        if "assigned_to_id" in given:
            self._assign(body, given["assigned_to_id"])
        if "user_story_id" in given:
            body.fields["user_story"] = given["user_story_id"]
        if "sprint_id" in given:
            body.fields["milestone"] = self._id("milestones", given["sprint_id"], "sprintId")
        if "due_date" in given:
            body.fields["due_date"] = _day(given["due_date"])
        if given.get("blocked") is not None:
            self._block(body, given["blocked"])
        if self.kind is ISSUE:
            self._classify(body, given)
        self._tag(body, given, tags)
        return body

    def _id(self, key: str, value: str | None, argument: str) -> int | None:
        return None if value is None else int(self.project.named(key, value, argument)["id"])

    def _assign(self, body: RequestBody, value: str | None) -> None:
        body.fields["assigned_to"] = self._id("members", value, "assignedToId")
        if value is None and self.kind is STORY:
            body.fields["assigned_users"] = []  # otherwise the others stay assigned

    def _block(self, body: RequestBody, blocked: Blocked) -> None:
        if blocked.reason and not blocked.is_blocked:
            raise BadArguments(
                [Problem("blocked", "Invalid blocked.reason: Taiga drops a reason where isBlocked is false.")]
            )
        body.fields["is_blocked"] = blocked.is_blocked
        if blocked.is_blocked and blocked.reason is not None:
            body.fields["blocked_note"] = blocked.reason

    def _classify(self, body: RequestBody, given: Mapping[str, Any]) -> None:
        for name, key, argument in (
            ("type", "issue_types", "type"),
            ("severity", "severities", "severity"),
            ("priority_id", "priorities", "priorityId"),
        ):
            if given.get(name) is not None:
                body.fields[name.removesuffix("_id")] = self._id(key, given[name], argument)
        level = given.get("priority")
        if level is not None and given.get("priority_id") is None:
            self._rank(body, level)

    def _rank(self, body: RequestBody, level: str) -> None:
        rows = self.project.detail["priorities"]
        if not rows:
            raise BadArguments(
                [Problem("priority", "Invalid priority: this project has no priorities.", level)]
            )
        row, is_near = row_of_level(rows, level, self.project.detail.get("default_priority"))
        body.fields["priority"] = row["id"]
        if is_near:
            body.remarks.append(f"This project has no priority '{level}'; {row['name']} is the nearest.")

    def _tag(self, body: RequestBody, given: Mapping[str, Any], before: Sequence[str]) -> None:
        """Set the tags; a priority that Taiga would drop is kept as one of them."""
        wanted, level = given.get("tags"), given.get("priority") if self.kind is not ISSUE else None
        if level is not None and self.priorities == "refuse":
            message = f"Invalid priority: Taiga has no priority for {self.kind.nouns}, only for issues."
            raise BadArguments([Problem("priority", message, level)])
        if wanted is None and level is None:
            return
        if self.kind is ISSUE:
            body.fields["tags"] = _distinct(wanted or ())
            return
        own = _distinct(other_tags(before) if wanted is None else wanted)
        kept = [tag for tag in before if tag not in other_tags(before)] if level is None else []
        reserved = [tag_of_level(level)] if level is not None else kept
        body.fields["tags"] = [*own, *(tag for tag in reserved if tag not in own)]
        if len(body.fields["tags"]) > _TAKEN:
            raise BadArguments([Problem("tags", "Invalid tags: with the priority at most 32 fit.")])


def _distinct(tags: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(tag.lower() for tag in tags))


def _day(value: str | None) -> str | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        message = f"Invalid dueDate '{value}'. Expected: a date such as 2026-11-30."
        raise BadArguments([Problem("dueDate", message, value)]) from None
