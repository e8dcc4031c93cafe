"""Permissions: who may see or change a file."""

from __future__ import annotations

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.drive.files import Row, file_of, permission, permissions_of
from laconic.sandbox.google.drive.finding import paged
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["HANDLERS"]


def _list(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"])
    page = paged(permissions_of(asked.state, row), asked, "permissions", 100, row["id"])
    return AnsweredGoogle({"kind": "drive#permissionList", **page})


def _one(asked: AskedGoogle, row: Row) -> Row:
    wanted = asked.given["permissionId"]
    for one in row["permissions"]:
        if one["id"] == wanted:
            found: Row = one
            return found
    if any(one["id"] == wanted for one in permissions_of(asked.state, row)):
        text = "Cannot update or delete an inherited permission on a shared drive item."
        raise GoogleRefusal(403, "cannotModifyInheritedPermission", text)
    raise GoogleRefusal(404, "notFound", f"Permission not found: {wanted}.", location="permissionId")


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    row, wanted = file_of(asked, asked.given["fileId"]), asked.given["permissionId"]
    found = [one for one in permissions_of(asked.state, row) if one["id"] == wanted]
    return AnsweredGoogle(found[0] if found else _one(asked, row))


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    row, body = file_of(asked, asked.given["fileId"], "writer"), asked.body
    for name in ("type", "role"):
        if not body.get(name):
            raise bad_request(f"The permission {name} field is required.", reason="required")
    kind = body["type"]
    if kind not in ("user", "group", "domain", "anyone") or body["role"] not in (
        "reader",
        "commenter",
        "writer",
        "owner",
        "organizer",
        "fileOrganizer",
    ):
        raise bad_request("The specified value is invalid.", reason="invalid")
    address = body.get("emailAddress") if kind in ("user", "group") else body.get("domain")
    if kind != "anyone" and not address:
        raise bad_request(
            "The specified emailAddress is invalid or not applicable for the given permission type.",
            reason="invalidSharingRequest",
        )
    if body["role"] == "owner" and not asked.given.get("transferOwnership"):
        text = "The transferOwnership parameter must be enabled when the permission role is 'owner'."
        raise GoogleRefusal(403, "forbidden", text, location="transferOwnership")
    new = permission(kind, body["role"], address or "")
    if "expirationTime" in body:
        new["expirationTime"] = body["expirationTime"]
    if kind in ("anyone", "domain"):
        new["allowFileDiscovery"] = bool(body.get("allowFileDiscovery"))
    row["permissions"] = [one for one in row["permissions"] if one["id"] != new["id"]] + [new]
    _give(row, new)
    return AnsweredGoogle(new)


def _give(row: Row, new: Row) -> None:
    """Let an owner become the only one."""
    if new["role"] == "owner":
        for one in row["permissions"]:
            if one is not new and one["role"] == "owner":
                one["role"] = "writer"
        row["owner"] = new["emailAddress"]


def _update(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"], "writer")
    found = _one(asked, row)
    for name in ("type", "emailAddress", "domain"):
        if name in asked.body and asked.body[name] != found.get(name):
            raise GoogleRefusal(
                403, "fieldNotWritable", "The resource body includes fields which are not directly writable."
            )
    if asked.body.get("role") == "owner" and not asked.given.get("transferOwnership"):
        text = "The transferOwnership parameter must be enabled when the permission role is 'owner'."
        raise GoogleRefusal(403, "forbidden", text, location="transferOwnership")
    found |= {key: asked.body[key] for key in ("role", "expirationTime") if key in asked.body}
    if asked.given.get("removeExpiration"):
        found.pop("expirationTime", None)
    _give(row, found)
    return AnsweredGoogle(found)


def _delete(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"], "writer")
    found = _one(asked, row)
    if found["role"] == "owner":
        raise GoogleRefusal(403, "insufficientFilePermissions", "The owner of a file cannot be removed.")
    row["permissions"].remove(found)
    return AnsweredGoogle()


HANDLERS = {
    "drive_permissions_create": _create,
    "drive_permissions_delete": _delete,
    "drive_permissions_get": _get,
    "drive_permissions_list": _list,
    "drive_permissions_update": _update,
}
