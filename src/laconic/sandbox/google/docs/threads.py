"""Threads: comments are the file's own, which Drive lists as well; suggestions belong to the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.site.people import Person, permission_id

__all__ = ["new_post", "shown_post", "shown_suggestion", "shown_thread"]

_ACTIONS = {"resolve": "RESOLVE", "reopen": "REOPEN"}


def new_post(kind: str, id: str, content: str, person: Person, now: str) -> Row:
    """Return a comment or a reply, as Drive keeps it."""
    return {
        **{"kind": f"drive#{kind}", "id": id, "content": content, "deleted": False},
        **{"author": {**person.public, "me": True}, "createdTime": now, "modifiedTime": now},
    }


def shown_post(post: Row, viewer: Person) -> Row:
    """Return a comment or a reply as a post."""
    email = post["author"]["emailAddress"]
    author: Row = {"displayName": post["author"]["displayName"], "user": f"users/{permission_id(email)}"}
    if email == viewer.email:
        author["me"] = True
    found: Row = {"postId": post["id"], "author": author, "createTime": post["createdTime"]}
    found["updateTime"] = post["modifiedTime"]
    if post.get("content"):
        found["content"] = post["content"]
    if post.get("assigneeEmailAddress"):
        found["assigneeEmail"] = post["assigneeEmailAddress"]
    if post.get("action"):
        found["commentAction"] = _ACTIONS[post["action"]]
    return found


def shown_thread(one: Row, anchors: Mapping[str, Any], viewer: Person) -> Row:
    """Return a comment with its replies."""
    found: Row = {"commentId": one["id"], "headPost": shown_post(one, viewer)}
    found["status"] = "RESOLVED" if one.get("resolved") else "OPEN"
    found["replies"] = [shown_post(reply, viewer) for reply in one["replies"] if not reply["deleted"]]
    if one.get("anchor") in anchors:
        found["anchorId"] = one["anchor"]
    quote = one.get("quotedFileContent", {}).get("value")
    return {**found, "plainTextQuote": quote} if quote else found


def shown_suggestion(one: Row, viewer: Person) -> Row:
    """Return the thread of a suggestion."""
    head = new_post("comment", one["id"], "", Person(one["email"], ()), one["time"])
    return {
        **{"suggestionId": one["id"], "headPost": shown_post(head, viewer), "status": one["status"]},
        **{"replies": [shown_post(reply, viewer) for reply in one["replies"]], "summaryText": one["summary"]},
    }
