"""Files: rows of the state, who may do what with them, and how they are shown."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

from laconic.sandbox.google.answering import AskedGoogle
from laconic.sandbox.google.refusals import GoogleRefusal, no_file
from laconic.sandbox.google.site.people import Person, permission_id, public_of
from laconic.sandbox.state import State

__all__ = [
    *("GOOGLE", "ROLES", "file_of", "files_of", "new_id", "permission", "permissions_of", "role_of"),
    *("root_id", "view"),
]

Row = dict[str, Any]
GOOGLE: Final = "application/vnd.google-apps."
FOLDER: Final = f"{GOOGLE}folder"
ROLES: Final = ("reader", "commenter", "writer", "fileOrganizer", "organizer", "owner")
_DOMAIN: Final = "harbour.example"
_LINKS: Final = {"document": "document", "spreadsheet": "spreadsheets", "presentation": "presentation"}


def files_of(state: State) -> dict[Any, Row]:
    """Return all files by id."""
    return state.rows("files")


def new_id(state: State, kind: str = "file") -> str:
    """Return an id that nothing has yet."""
    number = state.count(kind)
    return "1" + urlsafe_b64encode(sha256(f"{kind} {number}".encode()).digest())[:32].decode()


def root_id(email: str) -> str:
    """Return the id of somebody's My Drive."""
    return f"0A{permission_id(email)[-10:]}PVA"


def permission(type: str, role: str, name: str = "") -> Row:
    """Return a permission as it is kept."""
    id = {"anyone": "anyoneWithLink"}.get(type) or permission_id(name)
    found: Row = {"kind": "drive#permission", "id": id, "type": type, "role": role}
    if type in ("user", "group"):
        found |= {"emailAddress": name, "displayName": public_of(name)["displayName"], "deleted": False}
    if type == "domain":
        found |= {"domain": name, "displayName": name}
    return found


def role_of(state: State, row: Row, person: Person) -> str:
    """Return the best role of somebody, also from the folders above; empty if the file is not seen."""
    found = ""
    for here in _with_above(state, row):
        for one in here.get("permissions", []):
            if _is_for(one, person) and (not found or ROLES.index(one["role"]) > ROLES.index(found)):
                found = one["role"]
    return found


def _with_above(state: State, row: Row) -> list[Row]:
    chain, seen = [row], {row["id"]}
    while chain[-1].get("parents"):
        above = files_of(state).get(chain[-1]["parents"][0])
        if above is None or above["id"] in seen:
            break
        chain.append(above)
        seen.add(above["id"])
    drive = state.rows("drives").get(row.get("driveId"))  # type: ignore[arg-type]  # by text
    return [*chain, drive] if drive else chain


def permissions_of(state: State, row: Row) -> list[Row]:
    """Return who may see or change a file, also because of the folders above, each with why."""
    found: dict[str, Row] = {}
    for above in _with_above(state, row):
        is_drive, is_itself = "mimeType" not in above, above["id"] == row["id"]
        if not is_drive and not is_itself and not above.get("parents"):
            continue  # somebody's My Drive, which is not shared
        for one in above.get("permissions", []):
            why = {"permissionType": "member" if is_drive else "file", "role": one["role"]}
            why["inherited"] = not is_itself
            if why["inherited"] and row.get("driveId"):
                why["inheritedFrom"] = above["id"]
            known = found.setdefault(one["id"], {**one, "permissionDetails": []})
            known["permissionDetails"].append(why)
            known["role"] = max(known["role"], one["role"], key=ROLES.index)
    return list(found.values())


def _is_for(one: Row, person: Person) -> bool:
    if one["type"] == "anyone":
        return True
    if one["type"] == "domain":
        return person.email.endswith(f"@{one['domain']}")
    return str(one["emailAddress"]).lower() == person.email.lower()


def file_of(asked: AskedGoogle, id: str, least: str = "reader") -> Row:
    """Return a file that somebody may see, or change.

    Raises:
        GoogleRefusal: it does not exist for them, or they may not.
    """
    wanted = root_id(asked.person.email) if id == "root" else id
    row = files_of(asked.state).get(wanted)
    role = role_of(asked.state, row, asked.person) if row else ""
    if row is None or not role:
        raise no_file(id)
    if ROLES.index(role) < ROLES.index(least):
        text = "The user does not have sufficient permissions for this file."
        raise GoogleRefusal(403, "insufficientFilePermissions", text)
    return row


def view(asked: AskedGoogle, row: Row) -> Row:
    """Return a file as it is shown."""
    state, person = asked.state, asked.person
    hidden = ("permissions", "owner", "exports", "order", "talk", "text", "revisions")
    found = {key: value for key, value in row.items() if key not in hidden and value is not None}
    role = role_of(state, row, person)
    can_write = ROLES.index(role or "reader") >= ROLES.index("writer")
    permissions = permissions_of(state, row)
    found |= {
        "kind": "drive#file",
        "ownedByMe": row.get("owner") == person.email,
        "shared": len(permissions) > 1,
        "version": str(row["version"]),
        "capabilities": {"canEdit": can_write, "canShare": can_write, "canDelete": role == "owner"},
        "webViewLink": _link(row),
    }
    if row.get("owner"):
        found["owners"] = [public_of(row["owner"])]
    if can_write:
        found["permissions"] = permissions
        found["permissionIds"] = [one["id"] for one in permissions]
    if not row["mimeType"].startswith(GOOGLE):
        size = asked.blobs.size(row["id"])
        found |= {"size": str(size), "md5Checksum": asked.blobs.checksum(row["id"])}
    if not can_write:
        found.pop("parents", None) if row.get("owner") != person.email and not row.get("driveId") else None
    return found


def _link(row: Row) -> str:
    word = _LINKS.get(row["mimeType"].removeprefix(GOOGLE))
    if row["mimeType"] == FOLDER:
        return f"https://drive.google.com/drive/folders/{row['id']}"
    return (
        f"https://docs.google.com/{word}/d/{row['id']}/edit"
        if word
        else f"https://drive.google.com/file/d/{row['id']}/view"
    )
