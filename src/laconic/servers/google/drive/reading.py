"""Reading a file's text: what it is first, then all of it, a part, or the lines with a word."""

from __future__ import annotations

from typing import Final, Literal

from laconic.kit import BadArguments, Link, Problem, Progress, Text, Verbatim
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.sources import PART, Source, open_source
from laconic.servers.google.drive.types import is_text

ReturnMode = Literal["summary", "full"]
Answer = list[Text | Link | Verbatim]
_SMALL: Final = 4_000  # bytes that come at once: a second call would cost more
_MOST: Final = 1_000_000  # bytes of one answer
_LINES: Final = 50  # lines that contain a word
_LONGEST: Final = 300  # letters of such a line


async def read_text(
    access: Access,
    id: str,
    type: str | None,
    mode: ReturnMode,
    start: int,
    find: str | None,
    progress: Progress,
) -> Answer:
    """Return the text of a file, or what it is and how to read it."""
    source = await _text_source(access, id, type)
    if find:
        return [Text(await _found(source, find, start, progress))]
    if mode == "summary" and source.size > _SMALL:
        return await _summary(source)
    return await _part(source, start)


async def slice_of(access: Access, id: str, start: int, end: int | None) -> str:
    """Return a part of a file's text, by bytes.

    Raises:
        BadArguments: there is no such part, or the file is no text.
    """
    source = await _text_source(access, id, None)
    last = min(source.size, start + _MOST if end is None else end)
    if start < 0 or start > last or (end is not None and end < start):
        message = f"There are no bytes {start} to {end}: the file has {source.size}."
        raise BadArguments([Problem("start", message, start)])
    return (await source.read(start, min(last, start + _MOST))).decode(errors="ignore")


async def _text_source(access: Access, id: str, type: str | None) -> Source:
    source = await open_source(access, id, type)
    if not is_text(source.media):
        message = f"'{source.file['name']}' is {source.media}, which is no text. Use drive_downloadFile."
        raise BadArguments([Problem("fileId", message, id)])
    return source


async def _summary(source: Source) -> Answer:
    head = (await source.read(0, _SMALL)).decode(errors="ignore")
    first = head[: head.rfind("\n", 0, 600) + 1] or head[:600]
    uri = f"gdrive://files/{source.file['id']}/content/0-20000"
    words = (
        f"{source.file['name']}: {source.size:,} bytes of {source.media}. It begins:\n\n{first}\n"
        "Read on with returnMode full (start is a byte), or find lines with find."
    )
    return [Text(words), Link(uri, source.file["name"], source.media)]


async def _part(source: Source, start: int) -> Answer:
    raw = await source.read(start, start + _MOST)
    text = raw.decode(errors="ignore")
    end = start + len(raw)
    if end < source.size:
        cut = raw.rfind(b"\n") + 1 or len(raw)
        text, end = raw[:cut].decode(errors="ignore"), start + cut
    parts: Answer = [Verbatim(text, "content")]
    if start or end < source.size:
        more = f" Pass start {end} to read on." if end < source.size else ""
        parts.insert(0, Text(f"Bytes {start:,} to {end:,} of {source.size:,}.{more}"))
    return parts


async def _found(source: Source, word: str, start: int, progress: Progress) -> str:
    """Return the lines that contain a word, with where they begin."""
    wanted, lines = word.lower(), list[str]()
    place, rest = start, b""
    async for part in source.parts(start):
        held = rest + part
        complete, newline, rest = held.rpartition(b"\n")
        for line in (complete + newline).splitlines(keepends=True):
            if wanted in line.decode(errors="ignore").lower():
                lines.append(f"{place}\t{line.decode(errors='ignore').strip()[:_LONGEST]}")
            place += len(line)
        await progress(min(place, source.size), source.size)
        if len(rest) > PART:
            place, rest = place + len(rest), b""
        if len(lines) >= _LINES:
            more = f"\nThere may be more: pass start {place}."
            return f"The first {_LINES} lines with '{word}':\n" + "\n".join(lines[:_LINES]) + more
    if rest and wanted in rest.decode(errors="ignore").lower():
        lines.append(f"{place}\t{rest.decode(errors='ignore').strip()[:_LONGEST]}")
    if not lines:
        return f"No line contains '{word}'."
    return f"{len(lines)} lines with '{word}', each after the byte that it begins at:\n" + "\n".join(lines)
