"""Cursors: a position in a list as a short, signed string, bound to its query."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from laconic.kit.answers.pages import Position
from laconic.kit.errors import BadCursor
from laconic.stores.keyvalue import KeyValue

__all__ = ["Cursors", "canonical"]

KEPT: Final = 24 * 3600.0
_SIGNATURE: Final = 4  # bytes: a forged cursor grants nothing that the caller may not read anyway
_DIGEST: Final = 3
_ROOM: Final = 14  # bytes of position that keep the cursor within 30 characters
_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
_NUMBERED: Final = re.compile(r"(\D{0,15}?)(\d{1,15})", re.ASCII)


def canonical(arguments: Mapping[str, Any]) -> bytes:
    """Return arguments as bytes that are equal when the arguments are."""
    return _CANONICAL.encode(arguments).encode()


class Cursors:
    """Seals positions into cursors and opens cursors, each for one caller and tool."""

    def __init__(self, keys: Sequence[bytes], state: KeyValue) -> None:
        self._keys = list(keys)  # the first signs; the others still open what they signed
        self._state = state

    async def seal(self, scope: str, query: Mapping[str, Any], position: Position) -> str:
        """Return a cursor for the page after this position, and keep its query for a day."""
        digest = _digest(scope, query)
        await self._state.put(_query_key(scope, digest), canonical(query), KEPT)
        packed = pack(position)
        if packed is None or len(packed) > _ROOM:
            whole = scope.encode() + b"\0" + canonical({"at": list(position)})
            reference = hashlib.blake2b(whole, digest_size=8).digest()  # the same page, the same cursor
            await self._state.put(_position_key(scope, reference), canonical({"at": list(position)}), KEPT)
            body = bytes([1]) + digest + reference
        else:
            body = bytes([0]) + digest + packed
        return _b64(body + _sign(self._keys[0], scope, body))

    async def open(
        self, scope: str, cursor: str, given: Mapping[str, Any]
    ) -> tuple[Position, dict[str, Any]]:
        """Check a cursor and return its position and its whole query.

        `given` are the filters sent with the cursor: none, or the same as before.
        """
        body = self._verified(scope, cursor)
        digest = body[1 : 1 + _DIGEST]
        query = await self._query(scope, digest, given)
        rest = body[1 + _DIGEST :]
        if body[0] == 0:
            return unpack(rest), query
        kept = await self._state.get(_position_key(scope, rest))
        if kept is None:
            raise BadCursor("This cursor has expired.")
        return tuple(json.loads(kept)["at"]), query

    def _verified(self, scope: str, cursor: str) -> bytes:
        try:
            raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        except (binascii.Error, ValueError):
            raw = b""
        body, signature = raw[:-_SIGNATURE], raw[-_SIGNATURE:]
        good = any(hmac.compare_digest(_sign(key, scope, body), signature) for key in self._keys)
        if not good or len(body) < 1 + _DIGEST or _b64(raw) != cursor:
            raise BadCursor(
                "This cursor is not valid here: it was changed, or made by another tool or caller."
            )
        return body

    async def _query(self, scope: str, digest: bytes, given: Mapping[str, Any]) -> dict[str, Any]:
        if given and _digest(scope, given) == digest:
            return dict(given)
        kept = await self._state.get(_query_key(scope, digest))
        if kept is None:
            if _digest(scope, {}) == digest:
                return {}
            raise BadCursor(
                "The filters of this cursor are no longer kept.",
                advice="Pass the cursor with the same filters as before, or start over without cursor.",
            )
        query: dict[str, Any] = json.loads(kept)
        other = [
            name
            for name, value in given.items()
            if canonical({"": value}) != canonical({"": query.get(name)})
        ]
        if other:
            raise BadCursor(
                f"This cursor was made for other filters: {', '.join(other)} differs.",
                advice="Pass the cursor alone to go on, or leave it out to start over with the new filters.",
            )
        return query


def _digest(scope: str, query: Mapping[str, Any]) -> bytes:
    return hashlib.blake2b(scope.encode() + b"\0" + canonical(query), digest_size=_DIGEST).digest()


def _sign(key: bytes, scope: str, body: bytes) -> bytes:
    return hmac.digest(key, scope.encode() + b"\0" + body, "sha256")[:_SIGNATURE]


def _query_key(scope: str, digest: bytes) -> str:
    return f"query:{hashlib.blake2b(scope.encode(), digest_size=8).hexdigest()}:{digest.hex()}"


def _position_key(scope: str, reference: bytes) -> str:
    return f"position:{hashlib.blake2b(scope.encode(), digest_size=8).hexdigest()}:{reference.hex()}"


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


# A packed position is a sequence of values. Each starts with a byte: its kind in the upper three bits,
# a length in the lower five.
_NONE, _INT, _STR, _TIME, _NUMBER, _FLOAT, _BOOL = range(7)


def pack(position: Position) -> bytes | None:
    """Return a position in few bytes; None if a value does not fit."""
    parts = [_pack_one(value) for value in position]
    return (
        None if any(part is None for part in parts) else b"".join(part for part in parts if part is not None)
    )


def _pack_one(value: str | int | float | bool | None) -> bytes | None:
    if value is None:
        return bytes([_NONE << 5])
    if isinstance(value, bool):
        return bytes([_BOOL << 5 | value])
    if isinstance(value, int):
        raw = value.to_bytes((value.bit_length() + 8) // 8, "big", signed=True)
        return bytes([_INT << 5 | len(raw)]) + raw if len(raw) < 32 else None
    if isinstance(value, float):
        return bytes([_FLOAT << 5]) + struct.pack(">d", value)
    return _pack_time(value) or _pack_numbered(value) or _pack_text(value)


def _pack_text(value: str) -> bytes | None:
    raw = value.encode("utf-8", "surrogatepass")
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
    prefix, digits = match[1].encode(), match[2]
    number = int(digits)
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    if len(prefix) > 31 or len(prefix) + 2 + len(raw) >= len(value.encode()) + 1:
        return None
    return bytes([_NUMBER << 5 | len(prefix)]) + prefix + bytes([len(digits) << 4 | len(raw)]) + raw


def unpack(raw: bytes) -> Position:
    """Return the position that `pack` wrote."""
    values: list[str | int | float | bool | None] = []
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
            values.append(raw[:length].decode("utf-8", "surrogatepass"))
            raw = raw[length:]
        elif kind == _TIME:
            values.append(_time(int.from_bytes(raw[:5], "big")))
            raw = raw[5:]
        elif kind == _FLOAT:
            values.append(struct.unpack(">d", raw[:8])[0])
            raw = raw[8:]
        else:
            prefix, shape = raw[:length].decode(), raw[length]
            width, size = shape >> 4, shape & 15
            number = int.from_bytes(raw[length + 1 : length + 1 + size], "big")
            values.append(f"{prefix}{number:0{width}d}")
            raw = raw[length + 1 + size :]
    return tuple(values)
