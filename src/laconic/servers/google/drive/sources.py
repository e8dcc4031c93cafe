"""Sources: the bytes of a file, or of what it is converted to, read in parts of bounded size."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.kit import BadArguments, Problem, TooLarge, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.api.quotas import DOWNLOAD_COST
from laconic.servers.google.catalogue.operations import operation
from laconic.servers.google.drive.types import EXPORTS, MEDIA, is_google, is_text, type_of_ending, word_of
from laconic.servers.google.kept import KeptText
from laconic.text import did_you_mean, nearest
from laconic.upstream import ApiRequest, path_of

PART: Final = 4 * 1024 * 1024  # bytes that are fetched at once
_CONVERTED: Final = 12 * 1024 * 1024  # of a conversion, which Google limits to 10 MB
_ASKS: Final = 120  # times to ask whether a download is ready
_PAUSE: Final = 1.0  # seconds between them


@dataclass(frozen=True)
class Source:
    """Bytes that can be read from any place on."""

    access: Access
    file: Mapping[str, Any]
    media: str
    size: int
    address: str = ""  # where they are; empty: in `content`
    query: Mapping[str, Any] = field(default_factory=dict)
    content: bytes = field(default=b"", repr=False)

    @property
    def revision(self) -> str:
        """What changes whenever the file does."""
        return str(self.file.get("version", ""))

    @property
    def checksum(self) -> str:
        """The sum of all bytes; empty if Google does not tell it, as of what it converts."""
        return "" if is_google(self.file["mimeType"]) else str(self.file.get("md5Checksum") or "")

    async def read(self, start: int, end: int) -> bytes:
        """Return the bytes from `start` up to `end`."""
        end = min(end, self.size)
        if start >= end:
            return b""
        if not self.address:
            return self.content[start:end]
        part, _ = await _fetched(self.access, self.address, self.query, start, end)
        return part

    async def parts(self, start: int = 0) -> AsyncIterator[bytes]:
        """Yield all bytes from `start` on, in parts."""
        while start < self.size:
            part = await self.read(start, start + PART)
            if not part:
                raise UpstreamDown("Google sent less of the file than it has.")
            yield part
            start += len(part)


async def open_source(access: Access, id: str, type: str | None, path: str = "") -> Source:
    """Return the bytes of a file; a Google file is converted to a type.

    Without one, to what the path ends with that they are meant for, or else to one that can be read.

    Raises:
        Failure: it cannot be converted to that, or it has no bytes.
    """
    file = await access.call(
        "drive_files_get", fileId=id, fields="id,name,mimeType,size,version,modifiedTime,md5Checksum"
    )
    media = file["mimeType"]
    if is_google(media):
        return await _converted(access, file, _target(word_of(media), type or type_of_ending(path)))
    if type is not None and MEDIA.get(type, type) != media:
        message = f"'{file['name']}' is {media} and cannot be converted: only Google files can."
        raise BadArguments([Problem("type", message, type)])
    address, query = f"drive/v3/files{path_of(id)}", {"alt": "media", "supportsAllDrives": True}
    return Source(access, file, media, int(file.get("size") or 0), address, query)


def _target(word: str, type: str | None) -> str:
    known = EXPORTS.get(word)
    if known is None:
        message = f"A {word} has no content that can be read."
        raise BadArguments([Problem("fileId", message)])
    if type is None:
        return MEDIA[known[0]]
    if type not in known and type not in [MEDIA[one] for one in known]:
        names = [MEDIA[one] for one in known] if "/" in type else known
        near = nearest(type, known) if names is known else []
        hint = did_you_mean(near, otherwise=f"Known: {', '.join(names)}.")
        raise BadArguments([Problem("type", f"A {word} cannot become '{type[:40]}'.{hint}", type)])
    return MEDIA.get(type, type)


async def _converted(access: Access, file: Mapping[str, Any], media: str) -> Source:
    """Convert a file: at once if that is small enough, else as a download that Google prepares."""
    began = access.kept.now()
    known = await access.kept.get(file["id"], media) if is_text(media) else None
    if known is not None and known.revision == file.get("version"):
        return Source(access, file, media, len(known.text.encode()), content=known.text.encode())
    arguments = {"fileId": file["id"], "mimeType": media}
    export = operation("drive_files_export")
    request = ApiRequest(
        path=f"drive/v3/files{path_of(file['id'])}/export",
        query={"mimeType": media},
        reads="bytes",
        most=_CONVERTED,
        group="drive",
        cost=DOWNLOAD_COST,
    )
    try:
        content: bytes = (await access.send(export, request, arguments)).data
    except TooLarge:
        return await _prepared(access, file, media)
    if is_text(media):
        new = KeptText(
            file["name"], media, str(file.get("version", "")), content.decode(errors="replace"), began
        )
        await access.kept.put(file["id"], media, new)
    return Source(access, file, media, len(content), content=content)


async def _prepared(access: Access, file: Mapping[str, Any], media: str) -> Source:
    started = await access.call("drive_files_download", fileId=file["id"], mimeType=media)
    for _ in range(_ASKS):
        if started.get("done"):
            break
        await asyncio.sleep(_PAUSE)
        started = await access.call("drive_operations_get", name=started["name"])
    address = (started.get("response") or {}).get("downloadUri")
    if not started.get("done") or not address:
        raise UpstreamDown("Google did not prepare the download in time.", advice="Try again later.")
    where, _, query = str(address).partition("?")
    chosen = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair)
    _, size = await _fetched(access, where, chosen, 0, 1)
    return Source(access, file, media, size, where, chosen)


async def _fetched(
    access: Access, address: str, query: Mapping[str, Any], start: int, end: int
) -> tuple[bytes, int]:
    """Fetch a part of a file; return it, and how long the whole is."""
    request = ApiRequest(
        path=address,
        query=query,
        headers={"range": f"bytes={start}-{end - 1}", "accept-encoding": "identity"},
        reads="bytes",
        most=max(end - start, _CONVERTED),
        group="drive",
        cost=DOWNLOAD_COST,
    )
    reply = await access.send(operation("drive_files_get"), request, {"fileId": ""})
    total = re.search(r"/(\d+)$", reply.headers.get("content-range", ""))
    if reply.status == 206 and total:
        return reply.data, int(total[1])
    whole: bytes = reply.data  # a server that knows no ranges
    return whole[start:end], len(whole)
