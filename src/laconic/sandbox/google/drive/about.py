"""About: the account, shared drives, and what changed."""

from __future__ import annotations

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.drive.content import EXPORTS
from laconic.sandbox.google.drive.files import (
    FOLDER,
    GOOGLE,
    Row,
    files_of,
    new_id,
    permission,
    role_of,
    view,
)
from laconic.sandbox.google.drive.finding import paged
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["HANDLERS"]


def _about(asked: AskedGoogle) -> AnsweredGoogle:
    used = sum(asked.blobs.size(id) for id in files_of(asked.state))
    quota = {"limit": "16106127360", "usage": str(used), "usageInDrive": str(used), "usageInDriveTrash": "0"}
    formats = {f"{GOOGLE}{kind}": list(media) for kind, media in EXPORTS.items()}
    user = {**asked.person.public, "me": True, "permissionId": asked.person.permission}
    return AnsweredGoogle(
        {
            **{"kind": "drive#about", "user": user, "storageQuota": quota, "exportFormats": formats},
            **{"canCreateDrives": True, "appInstalled": True, "maxUploadSize": "5242880000000"},
        }
    )


def _drives(asked: AskedGoogle) -> dict[str, Row]:
    found = asked.state.rows("drives").values()
    mine = asked.person.email
    return {row["id"]: row for row in found if any(one["emailAddress"] == mine for one in row["permissions"])}


def _shown(row: Row) -> Row:
    return {"kind": "drive#drive", **{key: value for key, value in row.items() if key != "permissions"}}


def _list(asked: AskedGoogle) -> AnsweredGoogle:
    rows = [_shown(row) for row in _drives(asked).values()]
    return AnsweredGoogle({"kind": "drive#driveList", **paged(rows, asked, "drives", 10)})


def _drive(asked: AskedGoogle) -> Row:
    found = _drives(asked).get(asked.given["driveId"])
    if found is None:
        raise GoogleRefusal(
            404, "notFound", f"Shared drive not found: {asked.given['driveId']}", location="driveId"
        )
    return found


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    return AnsweredGoogle(_shown(_drive(asked)))


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    for other in _drives(asked).values():
        if other["request"] == asked.given["requestId"]:
            text = "A shared drive with that request id exists."
            raise GoogleRefusal(409, "duplicate", text)
    id = new_id(asked.state, "drive")[:19]
    row: Row = {"id": id, "name": asked.body["name"], "createdTime": asked.now, "hidden": False}
    row["permissions"] = [permission("user", "organizer", asked.person.email)]
    asked.state.rows("drives")[id] = row  # type: ignore[index]  # by text
    add_top(asked, row)
    shown = AnsweredGoogle(_shown(row))
    row["request"] = asked.given["requestId"]
    return shown


def add_top(asked: AskedGoogle, drive: Row) -> None:
    """Add the folder that is the top of a shared drive."""
    files_of(asked.state)[drive["id"]] = {
        **{"id": drive["id"], "name": drive["name"], "mimeType": FOLDER, "driveId": drive["id"]},
        **{"permissions": [], "version": 1, "trashed": False, "createdTime": asked.now},
        **{"modifiedTime": asked.now, "revisions": [], "order": 0},
    }


def _update(asked: AskedGoogle) -> AnsweredGoogle:
    row = _drive(asked)
    row |= {key: value for key, value in asked.body.items() if key not in ("id", "kind")}
    return AnsweredGoogle(_shown(row))


def _hide(asked: AskedGoogle) -> AnsweredGoogle:
    _drive(asked)["hidden"] = True
    return AnsweredGoogle(_shown(_drive(asked)))


def _unhide(asked: AskedGoogle) -> AnsweredGoogle:
    _drive(asked)["hidden"] = False
    return AnsweredGoogle(_shown(_drive(asked)))


def _delete(asked: AskedGoogle) -> AnsweredGoogle:
    row = _drive(asked)
    if any(
        one.get("driveId") == row["id"] and one["id"] != row["id"] for one in files_of(asked.state).values()
    ):
        raise GoogleRefusal(403, "cannotDeleteDrive", "A shared drive with files cannot be deleted.")
    asked.state.rows("drives").pop(row["id"], None)
    files_of(asked.state).pop(row["id"], None)
    return AnsweredGoogle()


def _start(asked: AskedGoogle) -> AnsweredGoogle:
    last = max(asked.state.rows("changes"), default=0)
    return AnsweredGoogle({"kind": "drive#startPageToken", "startPageToken": str(last + 1)})


def _changes(asked: AskedGoogle) -> AnsweredGoogle:
    token = asked.given["pageToken"]
    if not token.isdigit():
        raise bad_request("Invalid Value", reason="invalid", location="pageToken")
    rows = [row for id, row in sorted(asked.state.rows("changes").items()) if id >= int(token)]
    size, found = asked.given.get("pageSize", 100), list[Row]()
    for row in rows[:size]:
        file = files_of(asked.state).get(row["fileId"])
        if file is not None and not role_of(asked.state, file, asked.person):
            continue  # somebody else's
        change: Row = {
            "kind": "drive#change",
            "changeType": "file",
            "time": row["time"],
            "fileId": row["fileId"],
        }
        found.append({**change, "removed": file is None, **({"file": view(asked, file)} if file else {})})
    if len(rows) > size:
        more = {"nextPageToken": str(rows[size]["id"])}
    else:
        more = {"newStartPageToken": str(max(asked.state.rows("changes"), default=0) + 1)}
    return AnsweredGoogle({"kind": "drive#changeList", "changes": found, **more})


HANDLERS = {
    "drive_about_get": _about,
    "drive_changes_getStartPageToken": _start,
    "drive_changes_list": _changes,
    "drive_drives_create": _create,
    "drive_drives_delete": _delete,
    "drive_drives_get": _get,
    "drive_drives_hide": _hide,
    "drive_drives_list": _list,
    "drive_drives_unhide": _unhide,
    "drive_drives_update": _update,
}
