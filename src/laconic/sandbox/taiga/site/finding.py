"""Finding work items: filters, full-text search and order, as the query of a list asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.refusals import bad_request, broken
from laconic.sandbox.taiga.site.items import is_closed
from laconic.sandbox.taiga.site.kinds import Kind
from laconic.sandbox.taiga.site.people import Visitor
from laconic.sandbox.taiga.site.words import match_of, words_of

__all__ = ["find", "ids", "matches_text"]

Test = Callable[[Row], bool]
_ONE_ID: Final = ("milestone", "user_story")
_ALWAYS: Final = ("status", "assigned_to", "owner", "watchers")
_EXCLUDED: Final = (  # what has an `exclude_…`
    *("status", "assigned_to", "assigned_users", "owner", "tags", "role", "epic"),
    *("priority", "severity", "type"),
)
_DATES: Final = re.compile(r"(created_date|modified_date)(__gte?|__lte?)?$")


def find(state: State, kind: Kind, visitor: Visitor, query: Mapping[str, str]) -> list[Row]:
    """Return the items that a query asks for; filters that Taiga does not know are ignored."""
    tests = [test for name, value in query.items() for test in _tests(state, kind, name, value)]
    items = state.rows(kind.table).values()
    projects = state.rows("projects")
    seen = {id for id, project in projects.items() if visitor.sees(project, f"view_{kind.many}")}
    found = [item for item in items if item["project"] in seen and all(test(item) for test in tests)]
    return _ordered(kind, found, query.get("order_by", ""))


def _tests(state: State, kind: Kind, name: str, value: str) -> list[Test]:
    if name.startswith("exclude_"):
        if name.removeprefix("exclude_") not in _EXCLUDED:
            return []
        inner = _tests(state, kind, name.removeprefix("exclude_"), value)
        return [lambda item, test=test: not test(item) for test in inner]  # type: ignore[misc]  # bound now
    if name == "project":
        wanted = ids(value, name)
        return [lambda item: item["project"] in wanted]
    if name == "project__slug":
        return [lambda item: state.rows("projects")[item["project"]]["slug"] == value]
    if name == "q":
        return [lambda item: matches_text(item, value)] if value else []
    if name == "tags":
        names = set(value.split(","))
        return [lambda item: bool(names & set(item["tags"]))]
    if name == "status__is_closed":
        statuses = state.rows(kind.statuses)
        return [lambda item: statuses[item["status"]]["is_closed"] is (value == "true")]
    if name in _FLAGS and name in kind.filters:
        flag = _FLAGS[name]
        return [lambda item: flag(state, kind, item) is (value == "true")]
    if dates := _DATES.match(name):
        return [_date_test(dates[1], dates[2] or "", value)]
    return _id_tests(state, kind, name, value)


_FLAGS: Final[dict[str, Callable[[State, Kind, Row], bool]]] = {
    "is_closed": is_closed,
    "milestone__isnull": lambda state, kind, item: item["milestone"] is None,
    "status__is_archived": lambda state, kind, item: state.rows(kind.statuses)[item["status"]]["is_archived"],
}


def _id_tests(state: State, kind: Kind, name: str, value: str) -> list[Test]:
    if name not in kind.filters and name not in _ALWAYS:
        return []
    is_single = name in _ONE_ID or (kind.table == "epics" and name == "assigned_to")
    if is_single and "," in value:
        raise bad_request(f"{name}: one value")
    wanted = ids(value, name)
    match name:
        case "assigned_users":
            return [lambda item: _meets({item["assigned_to"], *item["assigned_users"]}, wanted)]
        case "watchers":
            return [lambda item: bool(wanted & set(item["watchers"]))]
        case "epic":
            return [lambda item: _meets({link["epic"] for link in _links(state, item)}, wanted)]
        case "role":
            return [lambda item: bool(_roles(state, item) & wanted)]
    return [lambda item: item[name] in wanted]


def _meets(own: set[Any], wanted: set[int | None]) -> bool:
    own.discard(None)
    return bool(own & wanted) or (not own and None in wanted)


def _links(state: State, story: Row) -> list[Row]:
    return state.where("epic-links", user_story=story["id"])


def _roles(state: State, item: Row) -> set[Any]:
    rows = state.where("memberships", project=item["project"], user=item["assigned_to"])
    return {row["role"] for row in rows}


def ids(value: str, name: str) -> set[int | None]:
    """Return a comma list of ids, in which `null` means none."""
    try:
        return {None if one == "null" else int(one) for one in value.split(",")}
    except ValueError:
        raise bad_request(f"'{name}' must be an integer value.") from None


def _date_test(field: str, comparison: str, value: str) -> Test:
    try:
        moment = datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        raise broken() from None
    compare: dict[str, Callable[[datetime], bool]] = {
        "__gte": lambda own: own >= moment,
        "__gt": lambda own: own > moment,
        "__lte": lambda own: own <= moment,
        "__lt": lambda own: own < moment,
        "": lambda own: own == moment,
    }
    return lambda item: compare[comparison](datetime.fromisoformat(item[field]).replace(tzinfo=None))


def matches_text(item: Row, query: str) -> bool:
    """True if an item has the words of a query."""
    if "\0" in query:
        raise broken()
    text = " ".join([item["subject"], item["description"], str(item["ref"]), *item["tags"]])
    return match_of(query)(words_of(text))


def _ordered(kind: Kind, items: list[Row], asked: str) -> list[Row]:
    is_known = asked.lstrip("-") in kind.orders
    for name in reversed((asked, *kind.order) if is_known else kind.order):
        plain = name.lstrip("-")
        items = sorted(items, key=lambda item: _sortable(_value(item, plain)), reverse=name.startswith("-"))
    return items


def _value(item: Row, name: str) -> Any:
    return len(item["voters"]) if name == "total_voters" else item.get(name)


def _sortable(value: Any) -> tuple[bool, Any]:
    return (value is None, 0 if value is None else value)
