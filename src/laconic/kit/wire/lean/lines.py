"""Lines: one message per line, split, read and written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from laconic.kit.compact import writer
from laconic.kit.wire.protocol import INVALID_REQUEST, PARSE_ERROR, ProtocolError

__all__ = ["LONGEST", "LineSplitter", "Overlong", "encoded", "read", "write"]

LONGEST: Final = 16 * 1024 * 1024  # bytes of one line; an argument of twelve million bytes fits in base64
_SHOWN: Final = 512  # bytes kept at both ends of a longer line: the id is there

_escaped: Final = writer(allow_nan=False)
_plain: Final = writer(allow_nan=False, ensure_ascii=False)
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
# In these two forms the id is certainly that of the outermost object; clients write one of them.
_ID: Final = rb'"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")\s*'
_FIRST: Final = re.compile(rb"\s*\{\s*" + _ID + rb",")
_LAST: Final = re.compile(rb".*," + _ID + rb"\}\s*", re.DOTALL)


class Overlong(bytes):
    """A line that was too long: its beginning and its end."""


class LineSplitter:
    """Splits a stream of bytes into lines; keeps only both ends of a line that is too long."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._partial = bytearray()  # the line without an end so far
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Return the lines that end in these bytes, in order."""
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._keep(part)
            yield self._take()
        self._keep(rest)

    def end(self) -> bytes:
        """Return the last line, which has no end."""
        return self._take()

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        self._partial += part
        if self._size > self._longest:
            del self._partial[_SHOWN : max(_SHOWN, len(self._partial) - _SHOWN)]

    def _take(self) -> bytes:
        line = Overlong(self._partial) if self._size > self._longest else bytes(self._partial)
        self._partial, self._size = bytearray(), 0
        return line


def read(line: bytes) -> Any:
    """Return the message in a line.

    Raises:
        ProtocolError: the line is not JSON in UTF-8, or too long.
    """
    if isinstance(line, Overlong):
        raise ProtocolError(INVALID_REQUEST, f"A message may have {LONGEST:,} bytes; this one has more.")
    try:
        message = _parsed(line.decode())
        if b"\\u" in line and _SURROGATE.search(line):  # half a character can be read, but not written
            _plain(message).encode()
    except RecursionError:
        raise ProtocolError(PARSE_ERROR, "Parse error: this is nested too deeply.") from None
    except UnicodeEncodeError:
        words = "Parse error: this contains half a character, such as \\ud83d without its other half."
        raise ProtocolError(PARSE_ERROR, words) from None
    except UnicodeDecodeError:
        raise ProtocolError(PARSE_ERROR, "Parse error: this is not UTF-8.") from None
    except ValueError as error:
        raise ProtocolError(PARSE_ERROR, f"Parse error: {str(error)[:100]}.") from None
    return message


def _parsed(text: str) -> Any:
    """Return the value in a text; its beginning is tried first, since hardly a line has more than that."""
    try:
        message, end = _DECODER.raw_decode(text)
    except ValueError:
        end = -1
    return message if end == len(text) else _DECODER.decode(text)


def id_of(line: bytes) -> Any:
    """Return the id of a message that cannot be parsed, if the id can be found."""
    found = _FIRST.match(line) or _LAST.fullmatch(line)
    try:
        return json.loads(found[1]) if found else None
    except ValueError:
        return None


def write(message: Any) -> bytes:
    """Return a message as one line.

    Raises:
        ValueError: the message cannot be written as JSON.
    """
    return encoded(message) + b"\n"


def encoded(message: Any) -> bytes:
    """Return a message as JSON, without a line break.

    Raises:
        ValueError: the message cannot be written as JSON.
    """
    try:
        return _plain(message).encode()
    except UnicodeEncodeError:  # half a character, from a file name perhaps
        return _escaped(message).encode()


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_number)
