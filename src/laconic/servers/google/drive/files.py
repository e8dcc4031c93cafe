"""Files: found, read, copied, changed and deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.kit import BadArguments, Conflict, Page, Problem, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.lists import rows_of
from laconic.servers.google.drive.queries import Wanted, query_of, words_of
from laconic.servers.google.drive.types import FOLDER, is_google, is_text, media_of, word_of
from laconic.servers.google.models.files import DriveFile, FileDone

_PARTIAL: Final = "Not every drive was searched: name a folder, or fewer terms."
ONE: Final = (
    "id,name,mimeType,description,starred,trashed,parents,createdTime,modifiedTime,size,version,"
    "owners(displayName,emailAddress),webViewLink,shared,driveId,shortcutDetails/targetId"
)


def file_of(row: Mapping[str, Any], *remarks: str) -> DriveFile:
    """Return a file as callers see it."""
    owners = row.get("owners") or [{}]
    return DriveFile(
        id=row["id"],
        name=row["name"],
        type=word_of(row["mimeType"]),
        modified=row.get("modifiedTime"),
        size=int(row["size"]) if row.get("size") else None,
        created=row.get("createdTime"),
        owner=owners[0].get("emailAddress") or owners[0].get("displayName"),
        folder=(row.get("parents") or [None])[0],
        drive=row.get("driveId"),
        shared=row.get("shared") or None,
        starred=row.get("starred") or None,
        trashed=row.get("trashed") or None,
        points_to=(row.get("shortcutDetails") or {}).get("targetId"),
        link=row.get("webViewLink"),
        version=row.get("version"),
        description=row.get("description"),
        remarks=list(remarks),
    )


async def find_files(access: Access, window: Window, wanted: Wanted, order: str | None) -> Page[DriveFile]:
    """List files, newest change first unless another order is given; Drive never says how many there are.

    Raises:
        BadArguments: an order was given for what Drive orders itself.
    """
    is_ranked = bool(wanted.text) or "fullText" in words_of(wanted.query)
    if is_ranked and order:
        raise BadArguments(
            [Problem("orderBy", "A search for text comes best match first: leave orderBy out.")]
        )
    by = None if is_ranked else order or "modifiedTime desc"
    found = await rows_of(
        access, "drive_files_list", "files", window, q=query_of(wanted), orderBy=by, corpora="allDrives"
    )
    return found.page(file_of, _PARTIAL if found.is_partial else "")


async def read_file(access: Access, id: str) -> DriveFile:
    """Return one file."""
    return file_of(await access.call("drive_files_get", fileId=id, fields=ONE))


async def copy_file(access: Access, id: str, name: str | None, folder: str | None) -> DriveFile:
    """Copy a file."""
    parents = [folder] if folder else None
    return file_of(await access.call("drive_files_copy", fileId=id, name=name, parents=parents, fields=ONE))


async def change_file(access: Access, id: str, folder: str | None, **changes: Any) -> DriveFile:
    """Rename, move, describe, star, trash or restore a file.

    Raises:
        BadArguments: nothing was to be changed.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    if not given and folder is None:
        raise BadArguments(
            [Problem("name", "Nothing to change: pass name, folder, starred, trashed or description.")]
        )
    moves = await moves_to(access, id, folder) if folder is not None else {}
    return file_of(await access.call("drive_files_update", fileId=id, fields=ONE, **given, **moves))


async def media_to_send(access: Access, id: str) -> str:
    """Return the type of text for the content of a file: its own, or what Google makes such a file from."""
    media = str((await access.call("drive_files_get", fileId=id, fields="mimeType")).get("mimeType", ""))
    if is_google(media):
        return media_of_text(word_of(media))
    return media if is_text(media) else "text/plain"


def media_of_text(type: str) -> str:
    """Return the type of text that Google makes a file of some type from."""
    return {"document": "text/markdown", "spreadsheet": "text/csv"}.get(word_of(type), "text/plain")


async def moves_to(access: Access, id: str, folder: str) -> dict[str, str]:
    """Return what moves a file into a folder: it has one at a time."""
    now = await access.call("drive_files_get", fileId=id, fields="parents")
    return {"addParents": folder, "removeParents": ",".join(now.get("parents", []))}


async def delete_file(access: Access, id: str, *, permanent: bool) -> FileDone:
    """Put a file into the trash, or delete it for good."""
    if permanent:
        await access.call("drive_files_delete", fileId=id)
        return FileDone(id=id, done="Deleted for good.")
    await access.call("drive_files_update", fileId=id, trashed=True)
    return FileDone(id=id, done="In the trash. drive_updateFile with trashed false restores it.")


async def create_empty(
    access: Access, name: str, type: str, folder: str | None, description: str | None
) -> DriveFile:
    """Create a file without content, or a folder."""
    given: dict[str, Any] = {"name": name, "mimeType": media_of(type), "description": description}
    return file_of(await created(access, {**given, "parents": [folder] if folder else None}))


async def created(access: Access, given: Mapping[str, Any]) -> dict[str, Any]:
    """Create a file without content, and return it as the API does.

    Where Google takes an id of ours, the request may be repeated: the second one finds the first one's file.
    """
    wanted: dict[str, Any] = {"fields": ONE, **given}
    media = wanted["mimeType"]
    if is_google(media) and media != FOLDER:
        return await access.run("drive_files_create", wanted)
    [wanted["id"]] = (await access.call("drive_files_generateIds", count=1, space="drive"))["ids"]
    try:
        return await access.run("drive_files_create", wanted, resending="repeatable")
    except Conflict:
        return await access.call("drive_files_get", fileId=wanted["id"], fields=ONE)
