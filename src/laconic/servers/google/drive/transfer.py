"""Transfer: files between Drive and the workspace, in parts that can be resumed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from hashlib import md5
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Final

from laconic.effects import note_change
from laconic.kit import Conflict, Failure, Progress, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.quotas import DOWNLOAD_COST
from laconic.servers.google.catalogue.operations import operation
from laconic.servers.google.drive.files import ONE, file_of
from laconic.servers.google.drive.sources import open_source
from laconic.servers.google.drive.workspace import Draft
from laconic.servers.google.models.files import DriveFile, FileDone
from laconic.upstream import Absent, ApiReply, ApiRequest, Faulty, Unreachable, path_of

_CHUNK: Final = 16 * 256 * 1024  # bytes; Google wants multiples of 256 KiB
_CHANGED: Final = "The file was changed while it was fetched, so nothing was written."
_ENDED: Final = "Google ended the upload before it said that the file is complete."
_TRIES: Final = 5  # in a row, without any byte more stored


async def download(
    access: Access,
    id: str,
    workspace: Path,
    path: str,
    type: str | None,
    *,
    overwrite: bool,
    progress: Progress,
) -> FileDone:
    """Write a file's bytes, or what it is converted to, into the workspace."""
    source = await open_source(access, id, type, path)
    draft = await asyncio.to_thread(Draft, workspace, path, overwrite=overwrite)
    done, sum = 0, md5(usedforsecurity=False)
    try:
        async for part in source.parts():
            await asyncio.to_thread(draft.write, part)
            sum.update(part)
            done += len(part)
            await progress(done, source.size)
        if source.checksum not in ("", sum.hexdigest()):
            raise Conflict(_CHANGED, code="RESOURCE_LOCKED", advice="Call again.")
        await asyncio.to_thread(draft.finish)
    finally:
        await asyncio.to_thread(draft.drop)
    note_change(path)
    return FileDone(id=id, done=f"Wrote {path}: {done:,} bytes of {source.media}.")


def media_type(path: Path) -> str:
    """Return the type of a file by its name."""
    if path.suffix == ".md":
        return "text/markdown"
    return guess_type(path.name)[0] or "application/octet-stream"


async def upload(
    access: Access,
    content: bytes | Path,
    media: str,
    fields: Mapping[str, Any],
    id: str | None,
    progress: Progress,
) -> DriveFile:
    """Send bytes as a new file, or as the content of one."""
    size = len(content) if isinstance(content, bytes) else await asyncio.to_thread(_size, content)
    session = await _session(access, media, size, fields, id)
    stored, failures, is_new, is_lost = 0, 0, True, False
    while True:
        is_last = stored + _CHUNK >= size
        try:
            if is_lost:  # an answer: how much came is not known
                reply = await _asked(access, session, size)
            else:
                reply = await _chunk(access, session, await _bytes(content, stored), stored, size)
        except Failure as failure:
            failures += 1
            is_ended = isinstance(failure.__cause__, Absent)  # the session, and with it what it had
            if is_ended and is_new and not (is_lost and is_last):
                session, stored, is_new = await _session(access, media, size, fields, id), 0, False
                is_lost = False
                continue
            if is_lost and is_last:  # perhaps all of it came, and the file is there
                failure.changed = None
            if is_ended:
                raise UpstreamDown(_ENDED, changed=failure.changed) from failure
            if is_lost or failures > _TRIES or not isinstance(failure.__cause__, Unreachable | Faulty):
                raise
            is_lost = True
            continue
        is_lost = False
        if reply.status != 308:
            if id:
                await access.kept.touch(id)
            return file_of(reply.data)
        now = _stored(reply)
        failures = 0 if now > stored else failures + 1
        if failures > _TRIES:
            raise UpstreamDown("Google takes no more of the file.", advice="Try again later.")
        stored = now
        await progress(stored, size)


def _size(path: Path) -> int:
    return path.stat().st_size


async def _bytes(content: bytes | Path, start: int) -> bytes:
    if isinstance(content, bytes):
        return content[start : start + _CHUNK]

    def read() -> bytes:
        with content.open("rb") as file:
            file.seek(start)
            return file.read(_CHUNK)

    return await asyncio.to_thread(read)


async def _session(access: Access, media: str, size: int, fields: Mapping[str, Any], id: str | None) -> str:
    one = operation("drive_files_update" if id else "drive_files_create")
    body = {name: value for name, value in fields.items() if value is not None}
    request = ApiRequest(
        method=one.facts["method"],
        path=f"{one.facts['upload'].partition('/{')[0]}{path_of(id) if id else ''}",
        query={"uploadType": "resumable", "supportsAllDrives": True, "fields": ONE},
        body=body,
        headers={"x-upload-content-type": media, "x-upload-content-length": str(size)},
        reads="bytes",
        resending="read",  # a session that is not used changes nothing
        group="drive",
        cost=DOWNLOAD_COST,
    )
    reply = await access.send(one, request, {})  # nothing is changed yet
    return str(reply.headers.get("location", ""))


async def _chunk(access: Access, session: str, part: bytes, start: int, size: int) -> ApiReply:
    span = f"bytes {start}-{start + len(part) - 1}/{size}" if part else f"bytes */{size}"
    return await _put(access, session, part, span)


async def _asked(access: Access, session: str, size: int) -> ApiReply:
    """Ask how much is stored."""
    return await _put(access, session, b"", f"bytes */{size}")


async def _put(access: Access, session: str, part: bytes, span: str) -> ApiReply:
    where, _, query = session.partition("?")
    request = ApiRequest(
        method="PUT",
        path=where,
        query=dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair),
        content=part,
        headers={"content-range": span},
        accepts=(308,),
        resending="once" if part else "repeatable",
        group="drive",
        cost=DOWNLOAD_COST,
    )
    return await access.send(operation("drive_files_create"), request, {})


def _stored(reply: ApiReply) -> int:
    found = re.fullmatch(r"bytes=0-(\d+)", reply.headers.get("range", ""))
    return int(found[1]) + 1 if found else 0
