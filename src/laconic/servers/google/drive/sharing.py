"""Sharing: who can see a file, in words, and how that is changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.kit import BadArguments, Page, Problem, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.lists import rows_of
from laconic.servers.google.models.files import FilePermission

_MAY: Final = {
    "owner": "owns it",
    "organizer": "manages the shared drive",
    "fileOrganizer": "may change and move it",
    "writer": "may change it",
    "commenter": "may comment",
    "reader": "may read it",
}


def permission_of(row: Mapping[str, Any]) -> FilePermission:
    """Return a permission in words."""
    return FilePermission(
        id=row["id"],
        who=_who(row),
        may=_MAY.get(row["role"], row["role"]),
        until=row.get("expirationTime"),
        through=_through(row),
    )


def _who(row: Mapping[str, Any]) -> str:
    match row["type"]:
        case "anyone":
            return "anyone, also by search" if row.get("allowFileDiscovery") else "anyone with the link"
        case "domain":
            how = "everyone at" if row.get("allowFileDiscovery") else "everyone with the link at"
            return f"{how} {row.get('domain')}"
    name, address = row.get("displayName"), row.get("emailAddress")
    who = f"{name} <{address}>" if name and address else str(address or name or row["id"])
    return f"group {who}" if row["type"] == "group" else who


def _through(row: Mapping[str, Any]) -> str | None:
    details = row.get("permissionDetails") or ()
    if not details or not all(one.get("inherited") for one in details):
        return None  # it would stay without the folder
    if any(one.get("permissionType") == "member" for one in details):
        return "from the shared drive"
    where = next((one["inheritedFrom"] for one in details if one.get("inheritedFrom")), "above")
    return f"from folder {where}"


async def list_permissions(access: Access, id: str, window: Window) -> Page[FilePermission]:
    """List who can see or change a file."""
    most = min(window.count, 100)
    found = await rows_of(access, "drive_permissions_list", "permissions", window, fileId=id, pageSize=most)
    return found.page(permission_of)


async def share_file(
    access: Access, id: str, who: str, role: str, *, notify: bool, message: str | None
) -> FilePermission:
    """Share a file with a person, a domain or everyone who has the link.

    Raises:
        BadArguments: an owner must be a person.
    """
    target = _target(who)
    if role == "owner" and target["type"] != "user":
        raise BadArguments([Problem("who", "Only a person can own a file: pass an e-mail address.", who)])
    options: dict[str, Any] = {}
    if target["type"] == "user":
        options["sendNotificationEmail"] = notify or role == "owner"  # Google insists on it for owners
        options["emailMessage"] = message if notify else None
    if role == "owner":
        options["transferOwnership"] = True
    row = await access.call("drive_permissions_create", fileId=id, role=role, **target, **options)
    return permission_of({**target, **row})


def _target(who: str) -> dict[str, str]:
    if who.lower() == "anyone":
        return {"type": "anyone"}
    if "@" in who:
        return {"type": "user", "emailAddress": who}
    if "." in who and " " not in who:
        return {"type": "domain", "domain": who}
    message = f"Invalid who '{who[:80]}'. Expected: an e-mail address, a domain, or anyone."
    raise BadArguments([Problem("who", message, who)])
