"""Routes that look something up among all kinds: the resolver, and the search in everything."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.state import Row
from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import missing, not_a_field
from laconic.sandbox.taiga.site.checking import number
from laconic.sandbox.taiga.site.finding import matches_text
from laconic.sandbox.taiga.site.items import listed
from laconic.sandbox.taiga.site.kinds import KINDS

_MOST: Final = 150  # rows of each kind in a search


@route("GET", "search")
def search(asked: Asked) -> Answered:
    """Search all kinds at once: at most 150 each, without pages."""
    project = asked.state.rows("projects").get(number(asked.query.get("project")) or 0)
    if project is None:
        raise missing()
    text, found = asked.query.get("text", ""), dict[str, Any]()
    for table, kind in KINDS.items():
        if asked.visitor.sees(project, f"view_{kind.many}"):
            rows = [row for row in asked.state.where(table, project=project["id"]) if matches_text(row, text)]
            found[table] = [listed(asked.state, kind, row, asked.me) for row in rows[:_MOST]]
    return Answered({**found, "count": sum(len(rows) for rows in found.values())})


@route("GET", "resolver")
def resolve(asked: Asked) -> Answered:
    """Say what a number or a slug in a project's addresses means; what it does not know is left out."""
    found = asked.state.where("projects", slug=asked.query.get("project"))
    if "project" not in asked.query:
        raise not_a_field(project=["This field is required."])
    if not found:
        raise missing()
    project = found[0]
    asked.visitor.check_view(project)
    return Answered({"project": project["id"], **_resolved(asked, project)})


def _resolved(asked: Asked, project: Row) -> dict[str, int]:
    meant: dict[str, int] = {}
    for kind in KINDS.values():
        wanted = {number(asked.query.get(name)) for name in ("ref", kind.word)} - {None}
        if wanted and asked.visitor.sees(project, f"view_{kind.many}"):
            rows = asked.state.where(kind.table, project=project["id"])
            meant |= [(kind.word, row["id"]) for row in rows if row["ref"] in wanted]
    if asked.query.get("milestone") and asked.visitor.sees(project, "view_milestones"):
        rows = asked.state.where("milestones", project=project["id"], slug=asked.query["milestone"])
        meant |= [("milestone", row["id"]) for row in rows]
    return meant
