"""Routes of work items: list, read, create, change, delete."""

from __future__ import annotations

from laconic.sandbox.state import Row
from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import Refusal, denied, missing, not_a_field
from laconic.sandbox.taiga.site.changing import create, delete, patch
from laconic.sandbox.taiga.site.checking import check_texts, number
from laconic.sandbox.taiga.site.finding import find
from laconic.sandbox.taiga.site.items import listed, whole
from laconic.sandbox.taiga.site.kinds import KINDS, Kind


@route("GET", "{table}")
def list_items(asked: Asked, table: str) -> Answered:
    """List items; a project that the visitor does not see has none."""
    kind = KINDS[table]
    if "project" in asked.query and number(asked.query["project"]) is None:
        raise Refusal(400, {"_error_message": "Error", "_error_type": "taiga.base.exceptions.BadRequest"})
    found = find(asked.state, kind, asked.visitor, asked.query)
    return asked.page(found, lambda item: listed(asked.state, kind, item, asked.me))


@route("GET", "{table}/by_ref")
def read_by_ref(asked: Asked, table: str) -> Answered:
    """Read the item that people know by a number; 404 if that number is of another kind."""
    query = asked.query
    if "project" not in query and "project__slug" not in query:
        raise Refusal(400, "by_ref needs a project")
    wanted = number(query.get("ref"))
    of = number(query.get("project"))
    for item in asked.state.rows(table).values():
        slug = asked.project_of(item)["slug"]
        if item["ref"] == wanted and (item["project"] == of or slug == query.get("project__slug")):
            return _read(asked, KINDS[table], item)
    raise missing("No match for the given query.")


@route("GET", "{table}/{id}")
def read_item(asked: Asked, table: str, id: str) -> Answered:
    """Read one item with its neighbours."""
    return _read(asked, KINDS[table], asked.row(table, id))


def _read(asked: Asked, kind: Kind, item: Row) -> Answered:
    asked.visitor.check_view(asked.project_of(item), f"view_{kind.many}")
    neighbours = {"neighbors": {"previous": None, "next": None}}
    return Answered(whole(asked.state, kind, item, asked.me) | neighbours)


@route("POST", "{table}")
def create_item(asked: Asked, table: str) -> Answered:
    """Create an item."""
    kind, body = KINDS[table], asked.body
    _ = asked.visitor.known
    check_texts(body)
    if "project" not in body:
        raise not_a_field(project=["This field is required."])
    project = asked.state.rows("projects").get(number(body["project"]) or 0)
    if project is None:
        raise not_a_field(project=[f"Invalid pk '{body['project']}' - object does not exist."])
    asked.visitor.check_write(project, f"add_{kind.word}")
    item = create(asked.state, kind, project, asked.visitor.id, body, asked.now)
    return Answered(whole(asked.state, kind, item, asked.me), 201)


@route("PATCH", "{table}/{id}")
def patch_item(asked: Asked, table: str, id: str) -> Answered:
    """Change an item; one that does not exist is refused as if it were forbidden."""
    kind = KINDS[table]
    item = _writable(asked, kind, id, "comment" if asked.body.keys() <= {"comment", "version"} else "modify")
    patch(asked.state, kind, item, asked.visitor, asked.body, asked.now)
    return Answered(whole(asked.state, kind, item, asked.me), headers={"Taiga-Info-Order-Updated": "{}"})


@route("DELETE", "{table}/{id}")
def delete_item(asked: Asked, table: str, id: str) -> Answered:
    """Delete an item; no version is needed."""
    kind = KINDS[table]
    delete(asked.state, kind, _writable(asked, kind, id, "delete"))
    return Answered(status=204)


def _writable(asked: Asked, kind: Kind, id: str, verb: str) -> Row:
    _ = asked.visitor.known
    item = asked.state.rows(kind.table).get(int(id))
    if item is None:
        raise denied()
    asked.visitor.check_write(asked.project_of(item), f"{verb}_{kind.word}")
    return item


@route("POST", "{table}/bulk_create")
def bulk_create(asked: Asked, table: str) -> Answered:
    """Create one item for each line of a text, all or nothing."""
    kind, body = KINDS[table], asked.body
    check_texts(body)
    project = asked.state.rows("projects").get(number(body.get("project_id")) or 0)
    if project is None:
        raise not_a_field(project_id=["Invalid pk"])
    if table == "tasks" and body.get("milestone_id") is None:
        raise not_a_field(milestone_id=["This field is required."])
    asked.visitor.check_write(project, f"add_{kind.word}")
    lines = str(body.get(f"bulk_{'stories' if table == 'userstories' else table}", "")).splitlines()
    more = {
        name: body[key]
        for name, key in (("status", "status_id"), ("user_story", "us_id"), ("milestone", "milestone_id"))
        if body.get(key) is not None
    }
    bodies = [{"subject": line.strip(), **more} for line in lines if line.strip()]
    rows = [create(asked.state, kind, project, asked.visitor.id, one, asked.now) for one in bodies]
    return Answered([listed(asked.state, kind, row, asked.me) for row in rows])
