"""Requests about comments, and replies to comments and suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.docs.threads import new_post, shown_post, shown_thread
from laconic.sandbox.google.papers.places import walk
from laconic.sandbox.google.papers.runs import Row, split
from laconic.sandbox.google.refusals import bad_request

__all__ = ["COMMENTS"]

_LONGEST: Final = 2048  # bytes
_ACTIONS: Final = {"RESOLVE": "resolve", "REOPEN": "reopen"}


def _content(given: Row) -> str:
    text = str(given.get("content", ""))
    if not text:
        raise bad_request("The content must not be empty.")
    _check_length(text, "content")
    return text


def _check_length(text: str, what: str) -> None:
    if len(text.encode()) > _LONGEST:
        raise bad_request(f"The {what} must not be longer than {_LONGEST} UTF-8 code units.")


def _insert(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    content, assignee = _content(given), given.get("assigneeEmailAddress", "")
    _check_length(assignee, "assignee")
    quote = ""
    for block, place in walk(segment.blocks):
        if place < end and place + block["size"] > start:
            rest = split(block["runs"], max(start - place, 0))[1]
            inner = split(rest, min(end, place + block["size"]) - max(start, place))[0]
            quote += "".join(run.get("text", "") for run in inner)
    comment = new_post("comment", draft.new_id("A"), content, draft.person, draft.now)
    comment |= {"resolved": False, "replies": [], "anchor": draft.new_id()}
    comment["quotedFileContent"] = {"mimeType": "text/html", "value": quote}
    if assignee:
        comment["assigneeEmailAddress"] = assignee
    segment.tab["anchors"][comment["anchor"]] = {"ranges": [[segment.id, start, end]]}
    draft.talk.insert(0, comment)
    thread = shown_thread(comment, segment.tab["anchors"], draft.person)
    return {"insertComment": {"commentThread": thread}}


def _comment(draft: Draft, id: str) -> Row:
    for one in draft.talk:
        if one["id"] == id and not one["deleted"]:
            return one
    raise bad_request(f"The comment with ID {id} was not found.")


def _thread(draft: Draft, given: Row) -> tuple[Row, bool]:
    """Return the thread that a request names, and whether it is that of a suggestion."""
    keys = [one for one in ("commentId", "suggestionId") if given.get(one)]
    if len(keys) != 1:
        raise bad_request("Exactly one of commentId and suggestionId must be given.")
    if keys == ["commentId"]:
        return _comment(draft, given["commentId"]), False
    return draft.suggested(given["suggestionId"]), True


def _post(draft: Draft, given: Row) -> tuple[Row, Row, bool]:
    """Return a thread, a post of it that is the person's own, and whether it begins a suggestion's thread."""
    thread, is_suggestion = _thread(draft, given)
    id = given.get("postId", "")
    if is_suggestion and id == thread["id"]:
        raise bad_request("The first post of a suggestion cannot be changed.")
    own = [] if is_suggestion else [thread]
    for post in (*own, *thread["replies"]):
        if post["id"] == id:
            if post["author"]["emailAddress"] != draft.person.email:
                raise bad_request("Only the author of a post can change or delete it.")
            return thread, post, is_suggestion
    raise bad_request(f"The post with ID {id} was not found.")


def _reply(draft: Draft, given: Row) -> Row:
    thread, is_suggestion = _thread(draft, given)
    post = given.get("post", {})
    action, assignee = _ACTIONS.get(post.get("commentAction", "")), post.get("assigneeEmail", "")
    if is_suggestion and (action or assignee):
        raise bad_request("A reply to a suggestion can have neither an action nor an assignee.")
    if assignee and (action or not thread.get("assigneeEmailAddress")):
        raise bad_request("Only an assigned comment can be assigned again, and not with an action.")
    _check_length(assignee, "assignee")
    content = post.get("content", "") if action else _content(post)
    new = new_post("reply", draft.new_id("A"), content, draft.person, draft.now)
    if action:
        new["action"] = action
        thread["resolved"] = action == "resolve"
    if assignee:
        new["assigneeEmailAddress"] = assignee
    thread["replies"].append(new)
    return {"addCommentReply": {"post": shown_post(new, draft.person)}}


def _update(draft: Draft, given: Row) -> Row:
    _, post, _ = _post(draft, given)
    post |= {"content": _content(given), "modifiedTime": draft.now}
    return {}


def _delete(draft: Draft, given: Row) -> Row:
    comment = _comment(draft, given.get("commentId", ""))
    if comment["author"]["emailAddress"] != draft.person.email:
        raise bad_request("Only the author of a comment can delete it.")
    draft.talk.remove(comment)
    for tab in draft.doc["tabs"]:
        tab["anchors"].pop(comment.get("anchor", ""), None)
    return {}


def _delete_reply(draft: Draft, given: Row) -> Row:
    thread, post, _ = _post(draft, given)
    if post is thread:
        raise bad_request("The first post of a comment is deleted with the comment.")
    if post.get("action") or post.get("assigneeEmailAddress"):
        raise bad_request("A reply with an action or an assignee cannot be deleted.")
    thread["replies"].remove(post)
    return {}


COMMENTS: Final[Mapping[str, DocRequest]] = {
    "addCommentReply": _reply,
    "deleteComment": _delete,
    "deleteCommentReply": _delete_reply,
    "insertComment": _insert,
    "updateCommentPost": _update,
}
