"""Cursors: a position in a list as a short, signed string, bound to its query."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import count
from typing import Any, Final

from pydantic import BaseModel

from laconic.data import dataclass
from laconic.kit.answers.pages import Place, Within
from laconic.kit.answers.positions import as_json, from_json, pack, unpack
from laconic.kit.errors import BadCursor
from laconic.stores.keyvalue import KeyValue

__all__ = ["LONGEST", "Cursors", "Onward", "canonical"]

KEPT: Final = 24 * 3600.0
LONGEST: Final = 30  # characters of a cursor
_SIGNATURE: Final = 4  # bytes: a forged cursor grants nothing that the caller may not read anyway
_HERE: Final = 2  # of these: for the caller and tool; the others are for the query
_DIGEST: Final = 3
_ROOM: Final = LONGEST * 6 // 8 - 1 - _DIGEST - _SIGNATURE  # bytes of position that fit
_INSIDE_0_1, _KEPT_0_1, _INSIDE, _KEPT = range(4)  # where the position is; version 0.1 signed less


def canonical(arguments: Mapping[str, Any]) -> bytes:
    """Return arguments as bytes that are equal when the arguments are."""
    return _CANONICAL.encode(arguments).encode("utf-8", "surrogatepass")  # as json.loads decodes bytes


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(_CANONICAL.encode(one) for one in value)  # each process has its own order
    # as text unless there are sets inside: version 0.1 recorded keys so
    return _members(value) if _has_sets(value) else str(value)


def _members(value: Any) -> dict[str, Any]:
    """Return what a model or a dataclass consists of."""
    if isinstance(value, BaseModel):
        return dict(value)
    names = [field.name for field in fields(value)] if is_dataclass(value) else []
    return {name: getattr(value, name) for name in names}


def _has_sets(value: Any) -> bool:
    if isinstance(value, set | frozenset):
        return True
    if isinstance(value, Mapping):
        return any(_has_sets(one) for one in value.values())
    inner = value if isinstance(value, list | tuple) else _members(value).values()
    return any(_has_sets(one) for one in inner)


_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain
)


@dataclass(frozen=True)
class Onward:
    """What a cursor leads to: where the page begins, its filters, and the view of the page before."""

    place: Place
    query: dict[str, Any]
    view: dict[str, Any]


class Cursors:
    """Seals places into cursors and opens cursors, each for one caller and tool."""

    def __init__(self, keys: Sequence[bytes], state: KeyValue) -> None:
        self._keys = list(keys)  # the first signs; the others still open what they signed
        self._state = state

    async def seal(
        self,
        scope: str,
        query: Mapping[str, Any],
        place: Place,
        view: Mapping[str, Any] | None = None,
        secret: Collection[str] = (),
    ) -> str:
        """Return a cursor for the page after this place, and keep its query and view for a day.

        Of filters that are `secret`, only digests are kept.

        Raises:
            TypeError: the place has a value of a type that a cursor cannot hold.
        """
        asked = _asked(_veiled(self._keys[0], scope, query, secret), view)
        digest = await self._keep(scope, asked)
        packed = None if isinstance(place, Within) else pack(place)
        if packed is None or len(packed) > _ROOM:
            whole = canonical(as_json(place))
            reference = hashlib.blake2b(scope.encode() + b"\0" + whole, digest_size=8).digest()
            await self._state.put(_name("position", scope, reference), whole, KEPT)
            body = bytes([_KEPT]) + digest + reference  # the same page, the same cursor
        else:
            body = bytes([_INSIDE]) + digest + packed
        return _b64(body + _signature(self._keys[0], scope, body, asked))

    async def _keep(self, scope: str, asked: bytes) -> bytes:
        """Keep a query under a short digest under which no other query is kept, and return the digest."""
        for attempt in count():
            digest = _digest(scope, asked, attempt)
            name = _name("asked", scope, digest)
            kept = await self._state.get(name)
            if kept is None and await self._state.put_new(name, asked, KEPT):
                return digest
            if (kept or await self._state.get(name)) == asked:
                await self._state.touch(name, KEPT)
                return digest
        raise AssertionError  # `count` has no end

    async def open(
        self,
        scope: str,
        cursor: str,
        given: Mapping[str, Any],
        view: Mapping[str, Any] | None = None,
        secret: Collection[str] = (),
    ) -> Onward:
        """Check a cursor and return where it leads.

        `given` are the filters sent with the cursor: none, or the same as before. Those that are `secret`
        must be sent again. The view may differ.
        """
        raw = _bytes(cursor)
        body, signature = raw[:-_SIGNATURE], raw[-_SIGNATURE:]
        keys = [key for key in self._keys if _same(_mac(key, scope, body)[:_HERE], signature[:_HERE])]
        if not keys or len(body) < 1 + _DIGEST or body[0] > _KEPT:
            raise _invalid()
        plain, given = given, _veiled(keys[0], scope, given, secret)
        kind, digest, rest = body[0], body[1 : 1 + _DIGEST], body[1 + _DIGEST :]
        if kind in (_INSIDE, _KEPT):
            kept = await self._state.get(_name("asked", scope, digest))
            for asked in (kept, _asked(given, view), _asked(given), _asked({})):
                if asked and any(_same(_signature(key, scope, body, asked), signature) for key in keys):
                    break
            else:
                raise _forgotten()
        elif any(_same(_mac(key, scope, body)[:_SIGNATURE], signature) for key in keys):
            asked = await self._asked_of_0_1(scope, digest, given)
        else:
            raise _invalid()
        found = json.loads(asked)
        query: dict[str, Any] = found["query"]
        _compare(given, query)
        for name in secret:
            if name in query and name not in plain:
                raise _not_repeated(name)
        repeated = {name: plain[name] for name in secret if name in plain}
        return Onward(await self._place(scope, kind, rest), query | repeated, found.get("view", {}))

    async def _asked_of_0_1(self, scope: str, digest: bytes, given: Mapping[str, Any]) -> bytes:
        kept = await self._state.get(_name("query", scope, digest))
        if kept is not None:
            return _asked(json.loads(kept))
        for query in (given, {}):
            if (
                hashlib.blake2b(scope.encode() + b"\0" + canonical(query), digest_size=_DIGEST).digest()
                == digest
            ):
                return _asked(query)
        raise _forgotten()

    async def _place(self, scope: str, kind: int, rest: bytes) -> Place:
        if kind in (_INSIDE, _INSIDE_0_1):
            return unpack(rest)
        kept = await self._state.get(_name("position", scope, rest))
        if kept is None:
            raise BadCursor("This cursor has expired.")
        return from_json(json.loads(kept))


def _asked(query: Mapping[str, Any], view: Mapping[str, Any] | None = None) -> bytes:
    """Return what was asked for as bytes: the filters, and the view if it was not the default."""
    return canonical({"query": query, "view": view} if view else {"query": query})


def _veiled(key: bytes, scope: str, query: Mapping[str, Any], secret: Collection[str]) -> Mapping[str, Any]:
    """Return filters with digests in place of secrets, which nobody who reads the store can guess."""
    if not any(name in secret for name in query):
        return query
    return {
        name: _mac(key, scope, canonical({name: value})).hex() if name in secret else value
        for name, value in query.items()
    }


def _compare(given: Mapping[str, Any], query: Mapping[str, Any]) -> None:
    other = [
        name for name, value in given.items() if canonical({"": value}) != canonical({"": query.get(name)})
    ]
    if other:
        raise BadCursor(
            f"This cursor was made for other filters: {', '.join(other)} differs.",
            advice="Pass the cursor alone to go on, or leave it out to start over with the new filters.",
        )


def _invalid() -> BadCursor:
    return BadCursor("This cursor is not valid here: it was changed, or made by another tool or caller.")


def _not_repeated(name: str) -> BadCursor:
    return BadCursor(
        f"This cursor needs {name} again: it is a secret, so it was not kept.",
        advice=f"Pass the cursor together with {name}.",
    )


def _forgotten() -> BadCursor:
    return BadCursor(
        "The filters of this cursor are no longer kept.",
        advice="Pass the cursor with the same arguments as before, or start over without cursor.",
    )


def _digest(scope: str, asked: bytes, attempt: int) -> bytes:
    salt = attempt.to_bytes(8, "big")
    return hashlib.blake2b(scope.encode() + b"\0" + asked, digest_size=_DIGEST, salt=salt).digest()


def _signature(key: bytes, scope: str, body: bytes, asked: bytes) -> bytes:
    """Sign a cursor for its caller and tool, which can be checked alone, and for its query."""
    return _mac(key, scope, body)[:_HERE] + _mac(key, scope, body + b"\0" + asked)[: _SIGNATURE - _HERE]


def _mac(key: bytes, scope: str, content: bytes) -> bytes:
    return hmac.digest(key, scope.encode() + b"\0" + content, "sha256")


def _same(one: bytes, other: bytes) -> bool:
    return hmac.compare_digest(one, other)


def _name(kind: str, scope: str, digest: bytes) -> str:
    return f"{kind}:{hashlib.blake2b(scope.encode(), digest_size=8).hexdigest()}:{digest.hex()}"


def _bytes(cursor: str) -> bytes:
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except (binascii.Error, ValueError):
        raise _invalid() from None
    if _b64(raw) != cursor:
        raise _invalid()
    return raw


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
