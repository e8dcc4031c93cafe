"""Routes of the links between epics and user stories."""

from __future__ import annotations

from typing import Final

from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import missing, not_a_field
from laconic.sandbox.taiga.site.checking import number

_LINKS: Final = "epics/{id}/related_userstories"


@route("GET", _LINKS)
def list_links(asked: Asked, id: str) -> Answered:
    """List the stories of an epic."""
    epic = asked.row("epics", id)
    asked.visitor.check_view(asked.project_of(epic), "view_epics")
    links = asked.state.where("epic-links", epic=epic["id"])
    return asked.page([{key: link[key] for key in ("epic", "user_story", "order")} for link in links])


@route("POST", _LINKS)
def add_link(asked: Asked, id: str) -> Answered:
    """Link a story to an epic; only once."""
    epic = asked.row("epics", id)
    asked.visitor.check_write(asked.project_of(epic), "modify_epic")
    story = number(asked.body.get("user_story")) or 0
    if story not in asked.state.rows("userstories"):
        raise not_a_field(user_story=[f"Invalid pk '{story}' - object does not exist."])
    if asked.state.where("epic-links", epic=epic["id"], user_story=story):
        raise not_a_field(__all__=["Related user story with this User story and Epic already exists."])
    link = asked.state.add("epic-links", epic=epic["id"], user_story=story, order=asked.state.count("order"))
    return Answered({key: link[key] for key in ("epic", "user_story", "order")}, 201)


@route("DELETE", f"{_LINKS}/{{other}}")
def remove_link(asked: Asked, id: str, other: str) -> Answered:
    """Remove a story from an epic."""
    found = asked.state.where("epic-links", epic=int(id), user_story=int(other))
    if not found:
        raise missing("No match for the given query.")
    asked.visitor.check_write(asked.project_of(asked.row("epics", id)), "modify_epic")
    del asked.state.rows("epic-links")[found[0]["id"]]
    return Answered(status=204)
