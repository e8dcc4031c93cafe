"""Reading a file's text: what it is first, then all of it, a part, or the lines with a word."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Final, Literal

from laconic.kit import BadArguments, Link, Problem, Progress, TooLarge, Verbatim, one_line
from laconic.servers.google.api.access import Access
from laconic.servers.google.drive.sources import PART, Source, open_source
from laconic.servers.google.drive.types import is_text
from laconic.servers.google.models.texts import ALL_OF_IT, TextRead
from laconic.text import headings, tagged

ReturnMode = Literal["summary", "full"]
_SMALL: Final = 4_000  # bytes that come at once: a second call would cost more
_LINE: Final = 64 * 1024  # bytes of a line that is not cut
_MOST: Final = 1_000_000  # bytes of one answer
_LINES: Final = 50  # lines that contain a word
_LONGEST: Final = 300  # letters of such a line
_BEFORE: Final = 100  # of them before the word, if the line is longer


async def read_text(
    access: Access,
    id: str,
    type: str | None,
    mode: ReturnMode,
    start: int,
    find: str | None,
    progress: Progress,
) -> TextRead | tuple[TextRead, Link]:
    """Return the text of a file, or what it is and how to read it."""
    source = await _text_source(access, id, type)
    if find:
        words, _, lines = (await _found(source, find, start, progress)).partition("\n")
        return TextRead(title=source.file["name"], document_id=id, content=lines or None).saying(words)
    await access.kept.shown.go_on(f"files/{id}", source.revision, begins=not start)
    if mode == "summary" and not start and source.size > _SMALL:
        return await _summary(source)
    found = await _part(source, start)
    if mode == "full" or start:
        return found
    return found.model_copy(update={**await _counts(source), "resource_uri": _uri(id), "hint": ALL_OF_IT})


async def exported_text(access: Access, id: str, media: str) -> str:
    """Return a Google file as a text of some type.

    Raises:
        Failure: that is no text, or a very long one.
    """
    source = await _text_source(access, id, media)
    if source.size > _MOST:
        raise TooLarge(f"It has {source.size:,} bytes.", advice="drive_exportFile reads it in parts.")
    return (await source.read(0, source.size)).decode(errors="replace")


def _uri(id: str) -> str:
    return f"gdrive://files/{id}/content/{{start}}-{{end}}"


async def slice_of(access: Access, id: str, start: int, end: int | None) -> Verbatim:
    """Return a part of a file's text, by bytes: whole lines, so that parts that meet join to the text.

    Of more than a million bytes, the first, with the address of the rest.

    Raises:
        BadArguments: there is no such part, or the file is no text.
        Conflict: the file is another one than when the parts before were read.
    """
    source = await _text_source(access, id, None)
    last = min(source.size, start + _MOST if end is None else end)
    if start < 0 or start > last or (end is not None and end < start) or start >= max(1, source.size):
        message = f"There are no bytes {start} to {end}: the file has {source.size:,}."
        raise BadArguments([Problem("start", message, start)])
    await access.kept.shown.go_on(f"files/{id}", source.revision, begins=not start)
    first, last = await _line_at(source, start), await _line_at(source, min(last, start + _MOST))
    if last <= first:  # no line begins there: the one around it
        before = await source.read(max(0, start - _LINE), start)
        first, last = start - len(before) + before.rfind(b"\n") + 1, first
    wanted = source.size if end is None else min(end, source.size)
    rest = f"Up to byte {last:,} of {source.size:,}. Read on: gdrive://files/{id}/content/{last}-{wanted}."
    text = (await source.read(first, last)).decode(errors="replace")
    return Verbatim(text, remark=rest if start + _MOST < wanted else "")


async def _line_at(source: Source, place: int) -> int:
    """Return where the next line begins at a byte or after it; in a very long line, the next character."""
    if place <= 0 or place >= source.size:
        return max(0, min(place, source.size))
    near = await source.read(place - 1, place + _LINE)
    newline = near.find(b"\n")
    if newline >= 0 or place + _LINE >= source.size:
        return place + newline if newline >= 0 else source.size
    skipped = next((skip for skip, byte in enumerate(near[1:5]) if byte & 0xC0 != 0x80), 0)
    return place + skipped


async def _text_source(access: Access, id: str, type: str | None) -> Source:
    source = await open_source(access, id, type)
    if not is_text(source.media):
        what = (
            f"'{source.file['name']}' is {source.media}, which is not text."
            if type is None
            else f"{source.media} is not text."
        )
        raise BadArguments([Problem("fileId", what, id)], advice=access.advice("Use drive_downloadFile."))
    return source


async def _summary(source: Source) -> tuple[TextRead, Link]:
    head = (await source.read(0, _SMALL)).decode(errors="ignore")
    first = head[: head.rfind("\n", 0, 600) + 1] or head[:600]
    id, name = source.file["id"], source.file["name"]
    words = (
        f"'{one_line(name)}': {source.size:,} bytes of {source.media}. It begins:\n"
        f"{tagged('beginning', first)}\n"
        "Read on with returnMode full (start is a byte), or find lines with find."
    )
    hint = "Read a part with resourceUri, all with returnMode full."
    found = TextRead(title=name, document_id=id, resource_uri=_uri(id), hint=hint).saying(words)
    counts = await _counts(source) if source.size <= PART else {}
    link = Link(f"gdrive://files/{id}/content/0-20000", name, source.media)
    return found.model_copy(update=counts), link


async def _counts(source: Source) -> dict[str, int]:
    text = (await source.read(0, source.size)).decode(errors="ignore")
    sections = len(headings(text)) if source.media == "text/markdown" else 0
    return {"character_count": len(text), "section_count": sections}


async def _part(source: Source, start: int) -> TextRead:
    if start and start >= source.size:
        message = f"There is no byte {start:,}: the file has {source.size:,}, the first is 0."
        raise BadArguments([Problem("start", message, start)])
    raw = await source.read(start, start + _MOST)
    text = raw.decode(errors="ignore")
    end = start + len(raw)
    if end < source.size:
        cut = raw.rfind(b"\n") + 1 or len(raw)
        text, end = raw[:cut].decode(errors="ignore"), start + cut
    words = ""
    if start or end < source.size:
        more = f" Pass start {end} to read on." if end < source.size else ""
        words = f"Bytes {start:,} to {end:,} of {source.size:,}.{more}"
    about = {"title": source.file["name"], "document_id": source.file["id"]}
    return TextRead(**about, character_count=len(text), content=text).saying(words)


async def _found(source: Source, word: str, start: int, progress: Progress) -> str:
    """Return the lines that contain a word, with where they begin; of a long line, the parts with it."""
    wanted, lines = word.lower(), list[str]()
    async for place, line in _lines(source, start, wanted, progress):
        for found, text in _with_word(place, line.decode(errors="ignore"), wanted):
            if len(lines) == _LINES:
                more = f"There are more: pass start {found}."
                return f"The first {_LINES} lines with '{word}'. {more}\n" + "\n".join(lines)
            lines.append(f"{found}\t{text}")
    if not lines:
        return f"No line contains '{word}'."
    count = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
    return f"{count} with '{word}', each after the byte that it begins at:\n" + "\n".join(lines)


def _with_word(place: int, line: str, word: str) -> Iterator[tuple[int, str]]:
    """Yield a line if it contains a word; of a long one, each part with the word, and where that begins."""
    low = line.lower()
    here, shown = low.find(word), 0
    while here >= 0:
        first = max(shown, here - _BEFORE) if len(line) > _LONGEST else 0
        place, shown = place + len(line[shown:first].encode()), first
        end = max(first + _LONGEST, here + len(word))
        yield place, line[first:end].strip()
        here = low.find(word, end)


async def _lines(
    source: Source, start: int, word: str, progress: Progress
) -> AsyncIterator[tuple[int, bytes]]:
    """Yield lines of a file with their places, all that contain a word among them.

    A very long line comes in pieces that overlap, so that none cuts the word.
    """
    place, rest, overlap = start, b"", len(word.encode()) - 1
    async for part in source.parts(start):
        complete, newline, rest = (rest + part).rpartition(b"\n")
        if word in complete.decode(errors="ignore").lower():  # rarely: looking at each line takes long
            for line in (complete + newline).splitlines(keepends=True):
                yield place, line
                place += len(line)
        else:
            place += len(complete + newline)
        if len(rest) > PART:
            end = _at_letter(rest, len(rest) - 4)
            yield place, rest[:end]
            kept = _at_letter(rest, end - overlap)
            place, rest = place + kept, rest[kept:]
        await progress(place, source.size)
    if rest:
        yield place, rest


def _at_letter(raw: bytes, place: int) -> int:
    """Return a place, or where the character begins that it is inside of."""
    while raw[place] & 0xC0 == 0x80:
        place -= 1
    return place
