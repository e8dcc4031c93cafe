"""Files: classic tools of Drive that are more than one request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.files import ONE, created, moves_to

_RIGHTS: Final = "canEdit,canComment,canShare,canCopy,canDownload,canTrash"
Run = Callable[[Access, dict[str, Any]], Awaitable[dict[str, Any]]]


async def _change(access: Access, body: dict[str, Any]) -> dict[str, Any]:
    """Change a file; one that gets other parents is moved."""
    id, parents = body.pop("fileId"), body.pop("parents", None)
    if not body and not parents:
        names = "name, mimeType, parents, trashed, description or properties"
        raise BadArguments([Problem("name", f"Nothing to change: pass {names}.")])
    if parents and len(parents) > 1:
        raise BadArguments([Problem("parents", "A file is in one folder: pass one.", parents)])
    moves = await moves_to(access, id, parents[0]) if parents else {}
    return await access.run("drive_files_update", {"fileId": id, "fields": ONE, **body, **moves})


async def _rights(access: Access, body: dict[str, Any]) -> dict[str, Any]:
    fields = body.get("fields") or f"id,name,mimeType,ownedByMe,capabilities({_RIGHTS})"
    found = await access.call("drive_files_get", fileId=body["fileId"], fields=fields)
    return {"account": access.alias, **found}


async def _status(access: Access, body: dict[str, Any]) -> dict[str, Any]:
    return {"account": access.alias, **await access.run("drive_about_get", body)}


OWN: Final[Mapping[str, Run]] = {
    "auth_getStatus": _status,
    "auth_testFileAccess": _rights,
    "drive_createFile": created,
    "drive_updateFile": _change,
}
