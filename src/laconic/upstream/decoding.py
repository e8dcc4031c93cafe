"""Bodies: unpacked within a limit, and read as JSON; what is not JSON is named for what it is."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterable
from typing import Any, Final

from laconic.lazily import regex

__all__ = ["Damaged", "gathered", "json_of", "kind_of"]

_GZIP: Final = 31  # what zlib calls a gzip header
_DEEPEST: Final = 100  # levels of JSON
_PLAIN: Final = ("", "identity")
_ALIKE: Final = bytes.maketrans(b"{}", b"[]")
_OTHERS: Final = bytes(set(range(256)) - set(b'[]{}"'))
_STRING: Final = regex(rb'"[^"]*"')


class Damaged(Exception):
    """The body is not what its headers say."""


async def gathered(chunks: AsyncIterable[bytes], encoding: str, most: int) -> tuple[bytes, bool]:
    """Return a body and whether it was cut because it is longer than `most`; unpacks no more than that.

    Raises:
        Damaged: it cannot be unpacked.
    """
    if encoding not in (*_PLAIN, "gzip", "x-gzip"):
        raise Damaged(f"it is packed as {encoding[:20]!r}, which was not asked for")
    unpacking = None if encoding in _PLAIN else _Unpacking()
    parts, size = [], 0
    async for chunk in chunks:
        part = chunk[: most - size + 1] if unpacking is None else unpacking.more(chunk, most - size + 1)
        parts.append(part)
        size += len(part)
        if size > most:
            return b"".join(parts)[:most], True
    if unpacking is not None and not unpacking.is_complete:
        raise Damaged("it ends in the middle")
    return b"".join(parts), False


class _Unpacking:
    """Unpacks gzip by parts, each within a limit: a few bytes can stand for gigabytes."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(_GZIP)
        self._is_begun = False

    @property
    def is_complete(self) -> bool:
        """True if nothing is missing at the end."""
        return self._inner.eof or not self._is_begun

    def more(self, packed: bytes, most: int) -> bytes:
        parts: list[bytes] = []
        while packed and most > 0:
            if self._inner.eof:  # another member follows
                self._inner = zlib.decompressobj(_GZIP)
            self._is_begun = True
            try:
                parts.append(self._inner.decompress(packed, most))
            except zlib.error as error:
                raise Damaged("it cannot be unpacked") from error
            most -= len(parts[-1])
            packed = self._inner.unused_data
        return b"".join(parts)


def json_of(content: bytes) -> Any:
    """Read JSON.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        value = _JSON.decode(content.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if len(content) > 2 * _DEEPEST and _is_deep(content):
        raise ValueError("nested too deeply")
    return value


def _is_deep(content: bytes) -> bool:
    """True if JSON has more levels than functions that walk through it can go down.

    Without its strings it is only brackets, from which the innermost pairs are taken away level by level.
    """
    if b"\\" in content:
        content = content.replace(rb"\\", b"").replace(rb"\"", b"")
    # now every quote begins or ends a string, and most strings have no brackets
    marks = content.translate(_ALIKE, _OTHERS).replace(b'""', b"")
    if b'"' in marks:
        marks = _STRING.sub(b"", marks)
    for _ in range(_DEEPEST):
        if not marks:
            return False
        marks = marks.replace(b"[]", b"")
    return bool(marks)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_JSON: Final = json.JSONDecoder(parse_constant=_refuse)


def kind_of(content: bytes, media: str) -> str:
    """Return in words what a body is that is not JSON."""
    start = content[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or "html" in media:
        return "an HTML page, such as one to sign in or of a proxy,"
    if not content:
        return "nothing"
    if "json" in media or start.startswith((b"{", b"[")):
        return "JSON that is damaged or ends in the middle"
    return f"{media[:60]}" if media.isprintable() and media else "something else"
