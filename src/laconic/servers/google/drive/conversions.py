"""Conversions: a file's bytes as they are, or as what it is converted to, whole or not at all."""

from __future__ import annotations

from typing import Final

from laconic.kit import Resource, Text, TooLarge, one_line
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.reading import ReturnMode
from laconic.servers.google.drive.sources import Source
from laconic.servers.google.models.texts import TextRead
from laconic.upstream import path_of

_MOST: Final = 1_000_000  # bytes of one answer
_ROOT: Final = "https://www.googleapis.com/drive/v3/files"


async def read_bytes(access: Access, source: Source, mode: ReturnMode) -> TextRead | list[Text | Resource]:
    """Return what a file of bytes is, or all of it: never a part, of which nothing could be made.

    Raises:
        TooLarge: an answer cannot have that many bytes.
    """
    name, id = one_line(source.file["name"]), source.file["id"]
    what = f"'{name}' as {source.media}: {source.size:,} bytes."
    if mode == "summary":
        hint = "returnMode full gives all of them, in base64."
        return TextRead(title=name, document_id=id, hint=hint).saying(f"{what} {hint}")
    if source.size > _MOST:
        raise TooLarge(
            f"{what} An answer has at most {_MOST:,}.",
            advice="Served with --tools google=lean, drive_downloadFile writes files of any size.",
        )
    content = await source.read(0, source.size)
    address = f"{_ROOT}{path_of(id)}/export?mimeType={source.media}"
    return [Text(what), Resource(address, content, source.media)]
