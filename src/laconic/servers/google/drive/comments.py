"""Comments: what people say about a file, and answers to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.kit import BadArguments, Page, Problem, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.lists import rows_of
from laconic.servers.google.models.files import FileComment


def comment_of(row: Mapping[str, Any]) -> FileComment:
    """Return a comment as callers see it."""
    replies = [_reply(one) for one in row.get("replies") or ()]
    return FileComment(
        id=row["id"],
        by=(row.get("author") or {}).get("displayName"),
        at=row.get("createdTime"),
        about=(row.get("quotedFileContent") or {}).get("value"),
        text=row.get("content") or "",
        resolved=row.get("resolved") or None,
        replies=replies or None,
    )


def _reply(one: Mapping[str, Any]) -> str:
    who = (one.get("author") or {}).get("displayName") or "Somebody"
    done = {"resolve": " (resolved it)", "reopen": " (reopened it)"}.get(one.get("action") or "", "")
    return f"{who}{done}: {one.get('content') or ''}".rstrip(": ")


async def list_comments(access: Access, id: str, window: Window) -> Page[FileComment]:
    """List the comments on a file, newest first."""
    found = await rows_of(access, "drive_comments_list", "comments", window, fileId=id)
    return found.page(comment_of)


async def comment(
    access: Access, id: str, text: str | None, reply_to: str | None, action: str | None
) -> FileComment:
    """Comment on a file, or answer a comment, perhaps resolving or reopening it.

    Raises:
        BadArguments: there is neither a text nor an action, or an action without a comment.
    """
    if action and not reply_to:
        raise BadArguments([Problem("replyTo", "Say which comment to resolve or reopen: pass replyTo.")])
    if not text and not action:
        raise BadArguments([Problem("text", "Pass text, or an action on the comment that replyTo names.")])
    if reply_to is None:
        return comment_of(await access.call("drive_comments_create", fileId=id, content=text))
    given = {"fileId": id, "commentId": reply_to, "content": text, "action": action}
    row = await access.run("drive_replies_create", given)
    return FileComment(
        id=row["id"],
        at=row.get("createdTime"),
        text=row.get("content") or "",
        resolved=action == "resolve" or None,
    )
