"""Requests about comments: on a slide, an object, a text or cells, with replies."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from laconic.sandbox.google.decks.flow import Flow, joined
from laconic.sandbox.google.decks.objects import Editing, element_of, ids, refused
from laconic.sandbox.google.decks.tables import cell_at, heads, location, range_of
from laconic.sandbox.google.slides.requests import SlideRequest
from laconic.sandbox.google.slides.requests.holders import span

__all__ = ["COMMENTS"]

Row = dict[str, Any]
_MOST: Final = 2048  # bytes of a post
_ANCHORS: Final = ("objectId", "shapeTextAnchor", "tableAnchor", "tableCellTextAnchor")


def _checked(text: str) -> str:
    if not text or len(text.encode()) > _MOST:
        raise refused(f"The content must not be empty, and not exceed {_MOST} UTF-8 code units.")
    return text


def _post(editing: Editing, text: str, **more: Any) -> Row:
    person, deck = editing.asked.person, editing.deck
    deck["made"] = deck.get("made", 0) + 1
    post = {
        "postId": f"post{deck['made']}",
        "author": {"displayName": person.name, "me": True, "user": person.email},
        "createTime": editing.asked.now,
        "updateTime": editing.asked.now,
        **({"content": text, "contentHtml": escape(text)} if text else {}),
    }
    return {**post, **{key: value for key, value in more.items() if value}}


def _insert(editing: Editing, given: Row) -> Row:
    chosen = [name for name in _ANCHORS if name in given]
    if len(chosen) > 1:
        raise refused("A comment has one anchor only.")
    deck = editing.deck
    head = _post(editing, _checked(given.get("content", "")), assigneeEmail=given.get("assigneeEmailAddress"))
    anchor, quote = _anchor(editing, given, chosen[0]) if chosen else (None, "")
    thread = {"commentId": f"comment{deck['made']}", "headPost": head, "replies": [], "status": "OPEN"}
    if anchor is not None:
        thread |= {"anchorId": f"anchor{deck['made']}"}
        anchor["anchorId"] = thread["anchorId"]
    if quote:
        thread["plainTextQuote"] = quote
    deck["comments"].append({"thread": thread, "anchor": anchor})
    return {"insertComment": {"commentThread": thread}}


def _anchor(editing: Editing, given: Row, kind: str) -> tuple[Row, str]:
    """Return what a comment is about, and the text there."""
    deck = editing.deck
    if kind == "objectId":
        if given[kind] not in ids(deck):
            raise refused(f"The object ({given[kind]}) could not be found.")
        return {"objectAnchors": [{"objectId": given[kind]}]}, ""
    about = given[kind]
    found: Row = {"objectId": about.get("objectId", "")}
    element = element_of(deck, found["objectId"], "shape" if kind == "shapeTextAnchor" else "table").element
    if kind == "shapeTextAnchor":
        one, quote = _quoted(element["shape"], about)
        found["shapeTextAnchors"] = {"ranges": [one]}
    elif kind == "tableCellTextAnchor":
        place = about.get("cellLocation", {})
        one, quote = _quoted(cell_at(element["table"], place), about)
        found["tableCellAnchors"] = {"cellRanges": [{"cellLocation": place, "ranges": [one]}]}
    else:
        found["tableCellAnchors"], quote = _cells(element["table"], about)
    return {"objectAnchors": [found]}, quote


def _quoted(holder: Row, about: Row) -> tuple[Row, str]:
    flow = Flow(holder.get("text"))
    start, end = span(about.get("textRange"), flow, most=flow.length)
    return {"startIndex": start, "endIndex": end}, joined([cell.unit for cell in flow.cells[start:end]])


def _cells(table: Row, about: Row) -> tuple[Row, str]:
    top, bottom, left, right = range_of(table, about.get("tableRange"))
    ranges, words = [], []
    for area, cell in heads(table).items():
        flow = Flow(cell.get("text"))
        if top <= area[0] < bottom and left <= area[2] < right and flow.length:
            words.append(flow.text)
            inner = [{"startIndex": 0, "endIndex": flow.length}]
            ranges.append({"cellLocation": location(area[0], area[2]), "ranges": inner})
    if not ranges:
        raise refused("No cell within the table range contains text.")
    return {"cellRanges": ranges}, " ".join(words)


def _thread(editing: Editing, given: Row) -> Row:
    for one in editing.deck["comments"]:
        if one["thread"]["commentId"] == given.get("commentId"):
            thread: Row = one["thread"]
            return thread
    raise refused(f"The comment ({given.get('commentId', '')}) could not be found.")


def _own(editing: Editing, post: Row) -> Row:
    if post["author"]["user"] != editing.asked.person.email:
        raise refused("Only the author can change or delete a post.")
    return post


def _reply(editing: Editing, given: Row) -> Row:
    thread, post = _thread(editing, given), given.get("post", {})
    action = post.get("commentAction", "")
    has_action = action in ("RESOLVE", "REOPEN")
    if post.get("assigneeEmail") and (has_action or "assigneeEmail" not in thread["headPost"]):
        raise refused("The reply cannot have an assignee.")
    text = post.get("content", "") if has_action else _checked(post.get("content", ""))
    more = {"commentAction": action if has_action else "", "assigneeEmail": post.get("assigneeEmail")}
    new = _post(editing, text, **more)
    thread["replies"].append(new)
    if has_action:
        thread["status"] = "RESOLVED" if action == "RESOLVE" else "OPEN"
    return {"addCommentReply": {"post": new}}


def _update(editing: Editing, given: Row) -> Row:
    thread = _thread(editing, given)
    for post in (thread["headPost"], *thread["replies"]):
        if post["postId"] == given.get("postId"):
            text = _checked(given.get("content", ""))
            _own(editing, post).update(content=text, contentHtml=escape(text), updateTime=editing.asked.now)
            return {}
    raise refused(f"The post ({given.get('postId', '')}) could not be found.")


def _delete(editing: Editing, given: Row) -> Row:
    thread = _thread(editing, given)
    _own(editing, thread["headPost"])
    comments = editing.deck["comments"]
    comments[:] = [one for one in comments if one["thread"] is not thread]
    return {}


def _delete_reply(editing: Editing, given: Row) -> Row:
    thread = _thread(editing, given)
    for post in thread["replies"]:
        if post["postId"] == given.get("postId"):
            _own(editing, post)
            if "commentAction" in post or "assigneeEmail" in post:
                raise refused("A reply with an action or an assignee cannot be deleted.")
            thread["replies"].remove(post)
            return {}
    raise refused(f"The post ({given.get('postId', '')}) could not be found.")


COMMENTS: Final[Mapping[str, SlideRequest]] = {
    "addCommentReply": _reply,
    "deleteComment": _delete,
    "deleteCommentReply": _delete_reply,
    "insertComment": _insert,
    "updateCommentPost": _update,
}
