"""Tools for Drive: find, read, create, change, share and discuss files."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from laconic.kit import Link, Page, Progress, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive import comments, files, sharing, transfer
from laconic.servers.google.drive.queries import Wanted
from laconic.servers.google.drive.reading import ReturnMode, read_text
from laconic.servers.google.drive.types import media_of
from laconic.servers.google.drive.workspace import readable
from laconic.servers.google.models.files import DriveFile, FileComment, FileDone, FilePermission
from laconic.servers.google.models.texts import TextRead
from laconic.servers.google.service import Google
from laconic.servers.google.tools.ids import FileId, FolderId, not_both
from laconic.servers.google.tools.toolset import LONG, SEARCH, TRANSFER, google

_VIEW = ["format", "fields"]
_FILE = "file:{fileId}"
_AS_JSON: Any = {"json": "response_format"}
_Folder = Annotated[FolderId | None, "Its id, or root."]


@google.read(name="drive_listFiles", unlisted=[*_VIEW, "query", "orderBy", "owner", "trashed"], **_AS_JSON)
async def drive_list_files(
    access: Access,
    window: Window = Window(size=50, most=1000),
    text: Annotated[str | None, "In name or content."] = None,
    name: Annotated[str | None, "Words of it."] = None,
    type: Annotated[str | None, "folder, document, spreadsheet, presentation, or a media type."] = None,
    folder: _Folder = None,
    modified_after: date | None = None,
    shared_with_me: bool = False,
    trashed: bool = False,
    owner: Annotated[str | None, "An e-mail address."] = None,
    query: Annotated[str | None, "More, in Drive's query language."] = None,
    order_by: Annotated[str | None, "Such as name, or modifiedTime desc."] = None,
) -> Page[DriveFile]:
    """Find files and folders, shared drives included; newest change first."""
    wanted = Wanted(text, name, type, folder, owner, modified_after, shared_with_me, trashed, query)
    return await files.find_files(access, window, wanted, order_by)


@google.read(name="drive_getFile", format="full", hint="drive_listFiles", unlisted=_VIEW)
async def drive_get_file(access: Access, file_id: FileId) -> DriveFile:
    """Show what is known about a file: owner, dates, folder, link."""
    return await files.read_file(access, file_id)


@google.create(
    name="drive_createFile",
    deadline=TRANSFER,
    hint="drive_listFiles",
    unlisted=["description"],
    rules=[not_both("content", "path")],
)
async def drive_create_file(
    access: Access,
    google: Google,
    progress: Progress,
    name: Annotated[str, Field(min_length=1)],
    type: Annotated[str | None, "folder, document, spreadsheet, presentation, or a media type."] = None,
    folder: _Folder = None,
    content: Annotated[str | None, "Text; converted if type is a Google one."] = None,
    path: Annotated[str | None, "A workspace file to upload instead."] = None,
    content_type: Annotated[str | None, "Of content, if it is not markdown, csv or plain text."] = None,
    description: str | None = None,
) -> DriveFile:
    """Create a file or folder, with content from a text or a workspace file."""
    source: Any = readable(google.home.workspace, path) if path else None
    if source is None and content is None:
        return await files.create_empty(access, name, type or "text", folder, description)
    media = transfer.media_type(source) if source else content_type or files.media_of_text(type or "")
    fields = {"name": name, "mimeType": media_of(type) if type else media, "description": description}
    fields |= {"parents": [folder]} if folder else {}  # type: ignore[dict-item]  # a list among texts
    return await transfer.upload(access, source or (content or "").encode(), media, fields, None, progress)


@google.update(
    name="drive_updateFile",
    deadline=TRANSFER,
    hint="drive_listFiles",
    subject=_FILE,
    unlisted=["description", "contentType"],
    rules=[not_both("content", "path")],
)
async def drive_update_file(
    access: Access,
    google: Google,
    progress: Progress,
    file_id: FileId,
    name: str | None = None,
    folder: Annotated[FolderId | None, "Move it there."] = None,
    starred: bool | None = None,
    trashed: bool | None = None,
    content: Annotated[str | None, "New content, as text."] = None,
    path: Annotated[str | None, "A workspace file with its new content."] = None,
    content_type: Annotated[str | None, "Of content, if the file's own does not tell."] = None,
    description: str | None = None,
) -> DriveFile:
    """Rename, move, star, trash or restore a file, or replace its content."""
    changes = {"name": name, "starred": starred, "trashed": trashed, "description": description}
    if content is not None or path is not None:
        source: Any = readable(google.home.workspace, path) if path else (content or "").encode()
        own = content_type or (transfer.media_type(source) if path else None)
        media = own or await files.media_to_send(access, file_id)
        done = await transfer.upload(access, source, media, changes, file_id, progress)
        return await files.change_file(access, file_id, folder) if folder else done
    return await files.change_file(access, file_id, folder, **changes)


@google.create(name="drive_copyFile", hint="drive_listFiles")
async def drive_copy_file(
    access: Access, file_id: FileId, name: str | None = None, folder: _Folder = None
) -> DriveFile:
    """Copy a file."""
    return await files.copy_file(access, file_id, name, folder)


@google.delete(name="drive_deleteFile", hint="drive_listFiles", subject=_FILE)
async def drive_delete_file(
    access: Access,
    file_id: FileId,
    permanent: Annotated[bool, "Past the trash; a folder with all in it."] = False,
) -> FileDone:
    """Put a file into the trash, or delete it for good."""
    return await files.delete_file(access, file_id, permanent=permanent)


@google.read(
    name="drive_exportFile",
    deadline=SEARCH,
    hint="drive_listFiles",
    json="response_format",
    fields=None,
    subject=_FILE,
    unlisted=["start"],
    tags=[LONG],
)
async def drive_export_file(
    access: Access,
    progress: Progress,
    file_id: FileId,
    type: Annotated[str | None, "markdown, text, html, csv or tsv; else the usual one."] = None,
    return_mode: ReturnMode = "summary",
    find: Annotated[str | None, "Only the lines with this."] = None,
    start: Annotated[int, "A byte.", Field(ge=0)] = 0,
) -> TextRead | tuple[TextRead, Link]:
    """Read a file as text: a small one whole, of a large one first what it is."""
    return await read_text(access, file_id, type, return_mode, start, find, progress)


@google.create(name="drive_downloadFile", hint="drive_listFiles", deadline=TRANSFER)
async def drive_download_file(
    access: Access,
    google: Google,
    progress: Progress,
    file_id: FileId,
    path: Annotated[str, "In the workspace."],
    type: Annotated[
        str | None, "Convert a Google file to it: pdf, docx, csv, …; else by the ending of path."
    ] = None,
    overwrite: bool = False,
) -> FileDone:
    """Write a file, of any size, into the workspace."""
    return await transfer.download(
        access, file_id, google.home.workspace, path, type, overwrite=overwrite, progress=progress
    )


@google.read(name="drive_listPermissions", hint="drive_listFiles", subject=_FILE, unlisted=_VIEW, **_AS_JSON)
async def drive_list_permissions(
    access: Access, file_id: FileId, window: Window = Window(size=100, most=100)
) -> Page[FilePermission]:
    """Show who can see or change a file."""
    return await sharing.list_permissions(access, file_id, window)


@google.create(hint="drive_listFiles", subject=_FILE, unlisted=["message"])
async def drive_share(
    access: Access,
    file_id: FileId,
    who: Annotated[str, "An e-mail address, a domain, or anyone."],
    role: Literal["reader", "commenter", "writer", "owner"] = "reader",
    notify: Annotated[bool, "Send an e-mail."] = False,
    message: Annotated[str | None, "In that e-mail."] = None,
) -> FilePermission:
    """Share a file or folder."""
    return await sharing.share_file(access, file_id, who, role, notify=notify, message=message)


@google.read(name="drive_listComments", hint="drive_listFiles", subject=_FILE, unlisted=_VIEW, **_AS_JSON)
async def drive_list_comments(
    access: Access, file_id: FileId, window: Window = Window(size=20, most=100)
) -> Page[FileComment]:
    """List the comments on a file, with replies."""
    return await comments.list_comments(access, file_id, window)


@google.create(hint="drive_listComments", subject=_FILE)
async def drive_comment(
    access: Access,
    file_id: FileId,
    text: str | None = None,
    reply_to: Annotated[str | None, "A comment's id."] = None,
    action: Annotated[Literal["resolve", "reopen"] | None, "On that comment."] = None,
) -> FileComment:
    """Comment on a file, or reply to a comment, resolve or reopen it."""
    return await comments.comment(access, file_id, text, reply_to, action)
