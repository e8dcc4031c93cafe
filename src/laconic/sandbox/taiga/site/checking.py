"""Checking a body: each field as Taiga checks it, with Taiga's own status for each mistake."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.refusals import Refusal, broken, denied, not_a_field, wrong_arguments
from laconic.sandbox.taiga.site.kinds import Kind

__all__ = ["check_fields", "check_texts", "number", "stored_tags"]

_TABLES: Final = {
    "priority": "priorities",
    "severity": "severities",
    "type": "issue-types",
    "milestone": "milestones",
    "user_story": "userstories",
}
_DEFAULTS: Final = {
    "priority": "default_priority",
    "severity": "default_severity",
    "type": "default_issue_type",
}
_INVALID: Final = "Invalid pk '{}' - object does not exist."
_WRONG_TYPE: Final = "Incorrect type.  Expected pk value, received str."


def check_texts(value: Any) -> None:
    """Fail on a zero byte in any text, as PostgreSQL does."""
    if isinstance(value, str) and "\0" in value:
        raise broken()
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_texts(inner)


def check_fields(state: State, kind: Kind, project: Row, body: dict[str, Any], *, is_new: bool) -> Row:
    """Return the fields that a body sets, as they are stored.

    Raises:
        Refusal: with every field that is wrong, or the one that belongs to another project.
    """
    check_texts(body)
    given = {name: value for name, value in body.items() if name in kind.fields}
    wrong: dict[str, list[str]] = {}
    found: Row = {}
    if is_new and "subject" not in given:
        wrong["subject"] = ["This field is required."]
    for name, value in given.items():
        try:
            found[name] = _checked(state, kind, project, name, value)
        except Refusal as refusal:
            if refusal.status != 400 or "_error_type" in refusal.body:
                raise
            wrong |= refusal.body
    if wrong:
        raise Refusal(400, wrong)
    return found


def _checked(state: State, kind: Kind, project: Row, name: str, value: Any) -> Any:
    if name == "subject" and (value is None or value == ""):
        raise not_a_field(subject=["This field is required."])
    if name in ("subject", "description", "blocked_note", "due_date_reason"):
        return str(value or "")
    if name == "status":
        return _related(state, kind, project, name, kind.statuses, kind.default, value)
    if name in _TABLES:
        return _related(state, kind, project, name, _TABLES[name], _DEFAULTS.get(name), value)
    if name == "assigned_to":
        return _member(state, project, name, value)
    if name in ("watchers", "assigned_users"):
        return [_member(state, project, name, one) for one in value or []]
    if name == "tags":
        return stored_tags(project, value)
    if name == "points":
        return _points(state, project, value)
    if name in ("is_blocked", "client_requirement", "team_requirement", "is_iocaine"):
        return bool(value)
    return value


def _related(
    state: State, kind: Kind, project: Row, name: str, table: str, default: str | None, value: Any
) -> int | None:
    if value is None:
        return project[default] if default else None
    row = state.rows(table).get(_pk(name, value))
    if row is None:
        raise not_a_field(**{name: [_INVALID.format(value)]})
    if row["project"] != project["id"]:
        raise (
            wrong_arguments(f"You don't have permissions to set this {name}.")
            if kind.foreign == 400
            else denied()
        )
    return int(row["id"])


def _member(state: State, project: Row, name: str, value: Any) -> int | None:
    if value is None:
        return None
    id = _pk(name, value)
    if id not in state.rows("users"):
        raise not_a_field(**{name: [_INVALID.format(value)]})
    if not state.where("memberships", project=project["id"], user=id):
        raise not_a_field(**{name: ["The user must be a project member."]})
    return id


def _pk(name: str, value: Any) -> int:
    found = number(value)
    if found is None:
        raise not_a_field(**{name: [_WRONG_TYPE]})
    return found


def number(value: Any) -> int | None:
    """Return an id as Taiga reads it: numeric texts are accepted, fractions cut off."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


def stored_tags(project: Row, value: Any) -> list[str]:
    """Return tags in lower case, once each; a colour counts only for a tag that is new to the project."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise broken()
    names: list[str] = []
    for tag in value:
        name, colour = tag if isinstance(tag, list) and len(tag) == 2 else (tag, None)
        if not isinstance(name, str):
            raise not_a_field(tags=[f"Invalid tag '{tag}'. The color is not a valid HEX color or null."])
        project["tags_colors"].setdefault(name.lower(), colour)
        names.append(name.lower())
    return list(dict.fromkeys(names))


def _points(state: State, project: Row, value: Any) -> dict[str, int]:
    roles = {str(row["id"]) for row in state.where("roles", project=project["id"]) if row["computable"]}
    known = {row["id"] for row in state.where("points", project=project["id"])}
    if not isinstance(value, dict) or value.keys() - roles or set(value.values()) - known:
        raise not_a_field(points="Invalid role or points.")
    return value
