"""Comments on files, and replies to them."""

from __future__ import annotations

import re
from typing import Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.drive.files import Row, file_of, new_id
from laconic.sandbox.google.drive.finding import paged
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["HANDLERS"]

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def _listed(asked: AskedGoogle, least: str = "reader") -> list[Row]:
    row = file_of(asked, asked.given["fileId"], least)
    found: list[Row] = row.get("talk", []) if least == "reader" else row.setdefault("talk", [])
    return found


def _find(rows: list[Row], id: str, what: str, asked: AskedGoogle) -> Row:
    for one in _shown(rows, asked):
        if one["id"] == id:
            return one
    raise GoogleRefusal(404, "notFound", f"{what} not found: {id}.", location=f"{what.lower()}Id")


def _shown(rows: list[Row], asked: AskedGoogle) -> list[Row]:
    """Return rows without those that were deleted, unless they are asked for."""
    return [one for one in rows if asked.given.get("includeDeleted") or not one["deleted"]]


def _whole(asked: AskedGoogle, one: Row) -> Row:
    return {**one, "replies": _shown(one["replies"], asked)}


def _erase(asked: AskedGoogle, one: Row) -> AnsweredGoogle:
    for name in ("content", "htmlContent", "quotedFileContent"):
        one.pop(name, None)
    one |= {"deleted": True, "modifiedTime": asked.now}
    return AnsweredGoogle()


def _new(asked: AskedGoogle, kind: str) -> Row:
    if not asked.body.get("content") and not asked.body.get("action"):
        raise bad_request("The content field is required.", reason="required")
    return {
        **{key: value for key, value in asked.body.items() if key not in ("id", "author")},
        "kind": f"drive#{kind}",
        "id": new_id(asked.state, "comment")[:11],
        "author": {**asked.person.public, "me": True},
        "createdTime": asked.now,
        "modifiedTime": asked.now,
        "deleted": False,
    }


def _list(asked: AskedGoogle) -> AnsweredGoogle:
    since = asked.given.get("startModifiedTime", "")
    if since and not _TIME.fullmatch(since):
        raise bad_request("Invalid Value", reason="invalid", location="startModifiedTime")
    rows = [_whole(asked, one) for one in _shown(_listed(asked), asked) if one["modifiedTime"] >= since]
    page = paged(rows, asked, "comments", 20, asked.given["fileId"])
    return AnsweredGoogle({"kind": "drive#commentList", **page})


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    one = {**_new(asked, "comment"), "resolved": False, "replies": []}
    _listed(asked, "commenter").insert(0, one)
    return AnsweredGoogle(one)


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    return AnsweredGoogle(_whole(asked, _find(_listed(asked), asked.given["commentId"], "Comment", asked)))


def _author_only(asked: AskedGoogle, one: Row) -> Row:
    if one["author"]["emailAddress"] != asked.person.email:
        raise GoogleRefusal(403, "forbidden", "Only the author can change it.")
    return one


def _update(asked: AskedGoogle) -> AnsweredGoogle:
    one = _author_only(asked, _find(_listed(asked, "commenter"), asked.given["commentId"], "Comment", asked))
    one |= {"content": asked.body.get("content", one.get("content")), "modifiedTime": asked.now}
    return AnsweredGoogle(one)


def _delete(asked: AskedGoogle) -> AnsweredGoogle:
    rows = _listed(asked, "commenter")
    return _erase(asked, _author_only(asked, _find(rows, asked.given["commentId"], "Comment", asked)))


def _replies(asked: AskedGoogle, least: str = "reader") -> tuple[Row, list[Row]]:
    comment = _find(_listed(asked, least), asked.given["commentId"], "Comment", asked)
    return comment, comment["replies"]


def _list_replies(asked: AskedGoogle) -> AnsweredGoogle:
    page = paged(_shown(_replies(asked)[1], asked), asked, "replies", 20, asked.given["commentId"])
    return AnsweredGoogle({"kind": "drive#replyList", **page})


def _reply(asked: AskedGoogle) -> AnsweredGoogle:
    comment, replies = _replies(asked, "commenter")
    one = _new(asked, "reply")
    if one.get("action", "resolve") not in ("resolve", "reopen"):
        raise bad_request("Invalid Value", reason="invalid", location="action")
    if one.get("action"):
        comment["resolved"] = one["action"] == "resolve"
    replies.append(one)
    return AnsweredGoogle(one)


def _get_reply(asked: AskedGoogle) -> AnsweredGoogle:
    return AnsweredGoogle(_find(_replies(asked)[1], asked.given["replyId"], "Reply", asked))


def _update_reply(asked: AskedGoogle) -> AnsweredGoogle:
    one = _author_only(asked, _find(_replies(asked, "commenter")[1], asked.given["replyId"], "Reply", asked))
    one |= {"content": asked.body.get("content", one.get("content")), "modifiedTime": asked.now}
    return AnsweredGoogle(one)


def _delete_reply(asked: AskedGoogle) -> AnsweredGoogle:
    replies = _replies(asked, "commenter")[1]
    return _erase(asked, _author_only(asked, _find(replies, asked.given["replyId"], "Reply", asked)))


HANDLERS = {
    "drive_comments_create": _create,
    "drive_comments_delete": _delete,
    "drive_comments_get": _get,
    "drive_comments_list": _list,
    "drive_comments_update": _update,
    "drive_replies_create": _reply,
    "drive_replies_delete": _delete_reply,
    "drive_replies_get": _get_reply,
    "drive_replies_list": _list_replies,
    "drive_replies_update": _update_reply,
}
