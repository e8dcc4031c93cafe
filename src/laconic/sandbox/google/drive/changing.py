"""Changing: files are created, changed, copied, moved, trashed and deleted."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.books.book import copy_book, new_book
from laconic.sandbox.google.decks.deck import copy_deck
from laconic.sandbox.google.drive.files import (
    FOLDER,
    GOOGLE,
    Row,
    file_of,
    files_of,
    new_id,
    permission,
    root_id,
    view,
)
from laconic.sandbox.google.papers.converting.importing import import_document
from laconic.sandbox.google.papers.documents import copy_document, new_document
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["HANDLERS", "add_file", "touch"]

_FIXED: Final = ("id", "kind", "permissions", "owners", "size", "version", "capabilities")
_CONVERTED: Final = {
    "text/plain": "document",
    "text/markdown": "document",
    "text/html": "document",
    "text/csv": "spreadsheet",
}


def touch(asked: AskedGoogle, row: Row) -> None:
    """Note that a file changed now."""
    row["version"] += 1
    row |= {"modifiedTime": asked.now, "lastModifyingUser": asked.person.public}
    row["headRevisionId"] = f"r{row['version']}"
    blob = f"{row['id']}-{row['headRevisionId']}"
    last = row.get("revisions", [])[-50:]
    one = {"id": row["headRevisionId"], "modifiedTime": asked.now, "lastModifyingUser": asked.person.public}
    if not row["mimeType"].startswith(GOOGLE):
        asked.blobs.put(blob, asked.blobs.get(row["id"]))
        one |= {"size": str(asked.blobs.size(row["id"])), "blob": blob, "mimeType": row["mimeType"]}
    row["revisions"] = [*last, one]
    change = {"id": asked.state.count("changes"), "fileId": row["id"], "time": asked.now}
    asked.state.rows("changes")[change["id"]] = change


def add_file(asked: AskedGoogle, fields: dict[str, Any]) -> Row:
    """Add a file with its usual fields."""
    mine = root_id(asked.person.email)
    parents = fields.get("parents") or [mine]
    if len(parents) > 1:
        raise bad_request(
            "A file cannot have more than one parent.", reason="multipleParentsInsertProhibited"
        )
    above = _folder(asked, parents[0])
    drive = above.get("driveId")
    id = fields.get("id") or new_id(asked.state)
    row: Row = {
        "mimeType": "application/octet-stream",
        **{key: value for key, value in fields.items() if key not in _FIXED},
        "id": id,
        "name": fields.get("name") or "Untitled",
        "parents": [above["id"]],
        "createdTime": asked.now,
        "trashed": False,
        "starred": bool(fields.get("starred")),
        "version": 0,
        "order": asked.state.count("order"),
    }
    if drive:
        row |= {"driveId": drive, "permissions": []}
    else:
        row |= {"owner": asked.person.email, "permissions": [permission("user", "owner", asked.person.email)]}
    files_of(asked.state)[id] = row
    return row


def _folder(asked: AskedGoogle, id: str) -> Row:
    above = file_of(asked, id, "writer")
    if above["mimeType"] != FOLDER:
        text = "The specified parent is not a folder."
        raise GoogleRefusal(403, "parentNotAFolder", text)
    return above


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    if asked.body.get("id") in files_of(asked.state):
        text = "A file already exists with the provided ID."
        raise GoogleRefusal(409, "fileIdInUse", text)
    fields = dict(asked.body)
    if "mimeType" not in fields and asked.media:
        fields["mimeType"] = asked.media
    row = add_file(asked, fields)
    kind = row["mimeType"].removeprefix(GOOGLE)
    if asked.content is not None:
        _fill(asked, row)
    elif kind == "spreadsheet":
        new_book(asked.state, row["id"], row["name"])
    elif kind == "document":
        new_document(asked.state, row["id"])
    touch(asked, row)
    return AnsweredGoogle(view(asked, row))


def _fill(asked: AskedGoogle, row: Row) -> None:
    content = asked.content or b""
    kind = row["mimeType"].removeprefix(GOOGLE)
    if row["mimeType"].startswith(GOOGLE):
        media = asked.media.partition(";")[0].strip()
        if _CONVERTED.get(media) != kind:
            raise bad_request("The conversion of this type is not supported.", reason="badRequest")
        text = content.decode(errors="replace")
        if kind == "spreadsheet":
            new_book(asked.state, row["id"], row["name"], text)
            row["text"] = text
        else:
            import_document(asked.state, row, text, media)
        return
    asked.blobs.put(row["id"], content)
    if row["mimeType"].startswith("text/"):
        row["text"] = content[:100_000].decode(errors="replace")


def _update(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"], "writer")
    for name in ("parents", "id"):
        if name in asked.body:
            text = (
                f"The {name} field is not directly writable in update requests. Use the addParents and "
                "removeParents parameters instead."
            )
            raise GoogleRefusal(403, "fieldNotWritable", text)
    _move(asked, row)
    given = {key: value for key, value in asked.body.items() if key not in _FIXED}
    for key in ("properties", "appProperties"):
        if key in given:
            given[key] = {k: v for k, v in {**row.get(key, {}), **given[key]}.items() if v is not None}
    row |= given
    if asked.content is not None:
        _fill(asked, row)
    if "trashed" in given:
        row["explicitlyTrashed"] = given["trashed"]
    touch(asked, row)
    return AnsweredGoogle(view(asked, row))


def _move(asked: AskedGoogle, row: Row) -> None:
    added, removed = asked.given.get("addParents"), asked.given.get("removeParents", "")
    if not added:
        return
    if "," in added or not set(row["parents"]) <= set(removed.split(",")):
        text = "Increasing the number of parents is not allowed"
        raise GoogleRefusal(403, "cannotAddParent", text)
    above = _folder(asked, added)
    row["parents"] = [above["id"]]
    if above.get("driveId"):
        row["driveId"] = above["driveId"]


def _copy(asked: AskedGoogle) -> AnsweredGoogle:
    source = file_of(asked, asked.given["fileId"])
    if source["mimeType"] == FOLDER:
        raise GoogleRefusal(403, "cannotCopyFile", "This file cannot be copied by the user.")
    fields: Row = {
        key: source[key] for key in ("mimeType", "description", "text", "properties") if key in source
    }
    row = add_file(asked, {**fields, "name": f"Copy of {source['name']}", **asked.body})
    if row["mimeType"] == f"{GOOGLE}spreadsheet":
        copy_book(asked.state, source["id"], row["id"], row["name"])
    elif row["mimeType"] == f"{GOOGLE}document":
        copy_document(asked.state, source["id"], row["id"])
    elif row["mimeType"] == f"{GOOGLE}presentation":
        copy_deck(asked.state, source["id"], row["id"], row["name"])
    elif not row["mimeType"].startswith(GOOGLE):
        asked.blobs.put(row["id"], asked.blobs.get(source["id"]))
    touch(asked, row)
    return AnsweredGoogle(view(asked, row))


def _delete(asked: AskedGoogle) -> AnsweredGoogle:
    row = file_of(asked, asked.given["fileId"], "owner")
    if not row.get("parents"):
        raise GoogleRefusal(403, "insufficientFilePermissions", "The root folder cannot be deleted.")
    _remove(asked, row)
    return AnsweredGoogle()


def _remove(asked: AskedGoogle, row: Row) -> None:
    for inner in [one for one in files_of(asked.state).values() if row["id"] in one.get("parents", [])]:
        if inner.get("owner") == asked.person.email:
            _remove(asked, inner)
    files_of(asked.state).pop(row["id"], None)
    for table in ("books", "documents", "decks"):
        asked.state.rows(table).pop(row["id"], None)


def _empty_trash(asked: AskedGoogle) -> AnsweredGoogle:
    mine = [row for row in files_of(asked.state).values() if row.get("owner") == asked.person.email]
    for row in mine:
        if row["trashed"]:
            _remove(asked, row)
    return AnsweredGoogle()


def _ids(asked: AskedGoogle) -> AnsweredGoogle:
    ids = [new_id(asked.state) for _ in range(asked.given.get("count", 10))]
    return AnsweredGoogle({"kind": "drive#generatedIds", "space": "drive", "ids": ids})


HANDLERS = {
    "drive_files_copy": _copy,
    "drive_files_create": _create,
    "drive_files_delete": _delete,
    "drive_files_emptyTrash": _empty_trash,
    "drive_files_generateIds": _ids,
    "drive_files_update": _update,
}
