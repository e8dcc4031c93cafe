"""Routes of what people say and do about an item: its history and comments, who watches it, and votes."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.state import Row
from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import denied, missing
from laconic.sandbox.taiga.site.kinds import KINDS, Kind

_HISTORY: Final = "history/{of:epic|userstory|task|issue}/{id}"
_OF: Final = {"epic": "epics", "userstory": "userstories", "task": "tasks", "issue": "issues"}


@route("GET", _HISTORY)
def list_history(asked: Asked, of: str, id: str) -> Answered:
    """List what happened to an item, the newest first."""
    kind = KINDS[_OF[of]]
    item = asked.row(kind.table, id)
    asked.visitor.check_view(asked.project_of(item), f"view_{kind.many}")
    wanted = asked.query.get("type")
    entries = [entry for entry in reversed(item["history"]) if _is_wanted(entry, wanted)]
    return asked.page(entries, _entry)


def _is_wanted(entry: Row, wanted: str | None) -> bool:
    return wanted not in ("comment", "activity") or bool(entry["comment"]) is (wanted == "comment")


def _entry(entry: Row) -> dict[str, Any]:
    shown = {name: value for name, value in entry.items() if name != "fields"}
    return {**shown, "values_diff": entry["diff"], "comment_html": ""}


@route("POST", f"{_HISTORY}/{{verb:edit_comment|delete_comment|undelete_comment}}")
def change_comment(asked: Asked, of: str, id: str, verb: str) -> Answered:
    """Change, delete or restore a comment; the answer is empty."""
    kind = KINDS[_OF[of]]
    item = asked.row(kind.table, id)
    asked.visitor.check_write(asked.project_of(item), f"comment_{kind.word}")
    found = [entry for entry in item["history"] if entry["id"] == asked.query.get("id") and entry["comment"]]
    if not found:
        raise missing()
    if found[0]["user"]["pk"] != asked.visitor.id:
        raise denied()
    match verb:
        case "edit_comment":
            found[0] |= {"comment": str(asked.body.get("comment", "")), "edit_comment_date": asked.now}
        case "delete_comment":
            found[0]["delete_comment_date"] = asked.now
        case _:
            found[0]["delete_comment_date"] = None
    return Answered()


@route("POST", "{table}/{id}/{verb:watch|unwatch|upvote|downvote}")
def follow(asked: Asked, table: str, id: str, verb: str) -> Answered:
    """Watch an item, or vote for it; the answer is empty, and the version stays."""
    item = _known(asked, KINDS[table], id)
    name = "watchers" if verb.endswith("watch") else "voters"
    others = [one for one in item[name] if one != asked.visitor.id]
    item[name] = [*others, asked.visitor.id] if verb in ("watch", "upvote") else others
    return Answered()


def _known(asked: Asked, kind: Kind, id: str) -> Row:
    _ = asked.visitor.known
    item = asked.state.rows(kind.table).get(int(id))
    if item is None:
        raise denied()
    asked.visitor.check_view(asked.project_of(item), f"view_{kind.many}")
    return item


@route("GET", "{table}/{id}/{name:watchers|voters}")
def list_followers(asked: Asked, table: str, id: str, name: str) -> Answered:
    """List who watches an item, or voted for it."""
    kind, item = KINDS[table], asked.row(table, id)
    asked.visitor.check_view(asked.project_of(item), f"view_{kind.many}")
    users = [asked.state.rows("users")[one] for one in item[name]]
    return asked.page([{key: user[key] for key in ("id", "username", "full_name")} for user in users])
