"""Positions: where a page ends or begins, in few bytes or as JSON, with the types of its values."""

from __future__ import annotations

import re
import struct
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from laconic.kit.answers.pages import Place, Position, Within
from laconic.kit.answers.typed import plain, restored

__all__ = ["as_json", "from_json", "pack", "unpack"]

_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_NUMBERED: Final = re.compile(r"(\D{0,15}?)(\d{1,15})", re.ASCII)


def as_json(place: Place) -> dict[str, Any]:
    """Return a place as JSON that keeps the types of its values.

    Raises:
        TypeError: a value has a type that a cursor cannot hold.
    """
    if not isinstance(place, Within):
        return {"at": [plain(value) for value in place]}
    page = None if place.page is None else [plain(value) for value in place.page]
    shown = place.shown if isinstance(place.shown, int) else list(place.shown)
    return {"page": page, "start": place.start, "limit": place.limit, "shown": shown}


def from_json(stored: dict[str, Any]) -> Place:
    """Return the place that `as_json` wrote."""
    if "at" in stored:
        return tuple(restored(value) for value in stored["at"])
    page = None if stored["page"] is None else tuple(restored(value) for value in stored["page"])
    shown = stored["shown"] if isinstance(stored["shown"], int) else tuple(stored["shown"])
    return Within(page, stored["start"], stored["limit"], shown)


# A packed position is a sequence of values. Each starts with a byte: its kind in the upper three bits,
# a length in the lower five.
_NONE, _INT, _STR, _TIME, _NUMBER, _FLOAT, _BOOL = range(7)


def pack(position: Position) -> bytes | None:
    """Return a position in few bytes; None if a value does not fit."""
    parts = [_pack_one(value) for value in position]
    packed = [part for part in parts if part is not None]
    return b"".join(packed) if len(packed) == len(parts) else None


def _pack_one(value: Any) -> bytes | None:
    if value is None:
        return bytes([_NONE << 5])
    if isinstance(value, bool):
        return bytes([_BOOL << 5 | value])
    if isinstance(value, int):
        raw = value.to_bytes((value.bit_length() + 8) // 8, "big", signed=True)
        return bytes([_INT << 5 | len(raw)]) + raw if len(raw) < 32 else None
    if isinstance(value, float):
        return bytes([_FLOAT << 5]) + struct.pack(">d", value)
    if isinstance(value, str):
        return _pack_time(value) or _pack_numbered(value) or _pack_text(value)
    return None


def _pack_text(value: str) -> bytes | None:
    raw = _bytes(value)
    return bytes([_STR << 5 | len(raw)]) + raw if len(raw) < 32 else None


def _pack_time(value: str) -> bytes | None:
    if len(value) != 24 or not value.endswith("Z"):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    milliseconds = (moment - _EPOCH) // timedelta(milliseconds=1)
    if not 0 <= milliseconds < 1 << 40 or _time(milliseconds) != value:
        return None
    return bytes([_TIME << 5]) + milliseconds.to_bytes(5, "big")


def _time(milliseconds: int) -> str:
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _pack_numbered(value: str) -> bytes | None:
    match = _NUMBERED.fullmatch(value)
    if match is None:
        return None
    prefix, digits = _bytes(match[1]), match[2]
    number = int(digits)
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    if len(prefix) > 31 or len(prefix) + 2 + len(raw) >= len(_bytes(value)) + 1:
        return None
    return bytes([_NUMBER << 5 | len(prefix)]) + prefix + bytes([len(digits) << 4 | len(raw)]) + raw


def unpack(raw: bytes) -> Position:
    """Return the position that `pack` wrote."""
    values: list[Any] = []
    while raw:
        kind, length, raw = raw[0] >> 5, raw[0] & 31, raw[1:]
        if kind == _NONE:
            values.append(None)
        elif kind == _BOOL:
            values.append(bool(length))
        elif kind == _INT:
            values.append(int.from_bytes(raw[:length], "big", signed=True))
            raw = raw[length:]
        elif kind == _STR:
            values.append(_text(raw[:length]))
            raw = raw[length:]
        elif kind == _TIME:
            values.append(_time(int.from_bytes(raw[:5], "big")))
            raw = raw[5:]
        elif kind == _FLOAT:
            values.append(struct.unpack(">d", raw[:8])[0])
            raw = raw[8:]
        else:
            prefix, shape = _text(raw[:length]), raw[length]
            width, size = shape >> 4, shape & 15
            number = int.from_bytes(raw[length + 1 : length + 1 + size], "big")
            values.append(f"{prefix}{number:0{width}d}")
            raw = raw[length + 1 + size :]
    return tuple(values)


def _bytes(text: str) -> bytes:
    """Encode any text: a file name may have bytes that are no text, which Python reads as half characters."""
    return text.encode("utf-8", "surrogatepass")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")
