"""Routes of projects, their members and what their items refer to."""

from __future__ import annotations

from typing import Final

from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import anonymous, missing
from laconic.sandbox.taiga.site.checking import number
from laconic.sandbox.taiga.site.finding import ids
from laconic.sandbox.taiga.site.kinds import KINDS
from laconic.sandbox.taiga.site.projects import EMBEDDED, detail, listed, members, memberships

_TABLES: Final = "|".join(EMBEDDED.values())


@route("GET", "")
def index(asked: Asked) -> Answered:
    """List the routes; there is no version."""
    return Answered({table: f"{asked.address}{table}" for table in KINDS})


@route("GET", "projects")
def list_projects(asked: Asked) -> Answered:
    """List what the visitor sees: also all public projects of the site."""
    state, visitor, query = asked.state, asked.visitor, asked.query
    found = [project for project in state.rows("projects").values() if visitor.sees(project)]
    if "member" in query:
        wanted = ids(query["member"], "member")
        joined = {row["project"] for row in state.rows("memberships").values() if row["user"] in wanted}
        found = [project for project in found if project["id"] in joined]
    found.sort(key=lambda project: (project["name"], project["id"]))
    return asked.page(found, lambda project: listed(state, visitor, project))


@route("GET", "projects/by_slug")
def read_by_slug(asked: Asked) -> Answered:
    """Read a project by its slug; one that is hidden is not found."""
    if asked.visitor.user is None:
        raise anonymous()
    found = asked.state.where("projects", slug=asked.query.get("slug"))
    if not found or not asked.visitor.sees(found[0]):
        raise missing()
    return Answered(detail(asked.state, asked.visitor, found[0]))


@route("GET", "projects/{id}")
def read_project(asked: Asked, id: str) -> Answered:
    """Read a project."""
    project = asked.state.rows("projects").get(int(id))
    if project is None:
        raise missing()
    asked.visitor.check_view(project)
    return Answered(detail(asked.state, asked.visitor, project))


@route("GET", "memberships")
def list_memberships(asked: Asked) -> Answered:
    """List the members and invitations of a project."""
    project = asked.state.rows("projects").get(number(asked.query.get("project")) or 0)
    if project is None or not asked.visitor.sees(project):
        return asked.page([])
    return asked.page(memberships(asked.state, asked.visitor, project))


@route("GET", "users/me")
def read_me(asked: Asked) -> Answered:
    """Read who is signed in."""
    user = asked.visitor.known
    return Answered({**user, "full_name_display": user["full_name"], "is_active": True})


@route("GET", "users")
def list_users(asked: Asked) -> Answered:
    """List the users of a project."""
    project = asked.state.rows("projects").get(number(asked.query.get("project")) or 0)
    is_member = project is not None and asked.visitor.membership(project) is not None
    return asked.page(members(asked.state, project) if project and is_member else [])


@route("GET", f"{{table:{_TABLES}}}")
def list_rows(asked: Asked, table: str) -> Answered:
    """List what the items of a project refer to."""
    projects = asked.state.rows("projects")
    rows = [row for row in asked.state.rows(table).values() if asked.visitor.sees(projects[row["project"]])]
    if "project" in asked.query:
        wanted = ids(asked.query["project"], "project")
        rows = [row for row in rows if row["project"] in wanted]
    return asked.page(sorted(rows, key=lambda row: (row["order"], row["name"])))
