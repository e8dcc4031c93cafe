"""Ground: what all operations of a desk share, the connection, the time, and how rows become items."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, bindparam, func, or_, select

from laconic.stores.errors import BadValue, Missing
from laconic.stores.shelf.models import Item, ItemKind, State
from laconic.stores.shelf.statements import statement
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, TAGS, USES

__all__ = ["Ground", "bounded", "in_states", "item_columns", "json_of", "micros", "moment", "new_id"]

_LARGEST: Final = 2**31 - 1  # that every database takes for any of its numbers
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PREVIEW: Final = 500  # characters
_AT_ONCE: Final = (1, 10, 50, 100, 500)  # items in one statement


class Ground:
    """A connection in a transaction, at one time."""

    def __init__(self, connection: Connection, kinds: Mapping[str, ItemKind], now: datetime) -> None:
        self._connection = connection
        self._kinds = kinds
        self._now = micros(now)

    def _row(self, id: str, lock: bool = False) -> Row[Any]:
        """Return an item's row; no other transaction can change a locked one until this one ends."""
        query = select(ITEMS).where(ITEMS.c.id == id)
        row = self._connection.execute(query.with_for_update() if lock else query).one_or_none()
        if row is None:
            raise Missing(f"There is no item {id}.")
        return row

    def _alive(self, id: str) -> Row[Any]:
        """Return the locked row of an item that is not in the trash."""
        row = self._row(id, lock=True)
        if row.deleted_at is not None:
            raise Missing(f"The {row.kind} {row.name or row.title or id} is in the trash.")
        return row

    def _listed(self, bodies: bool = False) -> Select[Any]:
        """Return the query for items; without bodies only their beginnings are read."""
        return select(*item_columns(bodies)).join(USES)

    def _items(self, rows: Sequence[Row[Any]], bodies: bool = False) -> tuple[Item, ...]:
        tags = self._tags_of([row.n for row in rows])
        return tuple(self._item(row, tags.get(row.n, ()), bodies) for row in rows)

    def _item(self, row: Row[Any], tags: Iterable[str], bodies: bool) -> Item:
        return Item(
            id=row.id,
            kind=row.kind,
            name=row.name,
            title=row.title,
            description=row.description,
            body=row.body if bodies else None,
            preview=" ".join((row.body or "")[:_PREVIEW].split()),
            length=row.length,
            extra=json.loads(row.extra),
            terms=row.terms,
            tags=tuple(tags),
            version=row.version,
            state=self._state(row),
            created_at=moment(row.created_at),
            updated_at=moment(row.updated_at),
            last_used_at=moment(row.last_used_at),
            uses=row.uses,
            archived_at=None if row.archived_at is None else moment(row.archived_at),
            deleted_at=None if row.deleted_at is None else moment(row.deleted_at),
        )

    def _state(self, row: Row[Any]) -> State:
        if row.deleted_at is not None:
            return "deleted"
        return "archived" if row.archived_at is not None and row.archived_at <= self._now else "active"

    def _in_states(self, states: Iterable[State]) -> ColumnElement[bool]:
        return in_states(states, self._now)

    def _tags_of(self, numbers: Sequence[int]) -> dict[int, list[str]]:
        """Return the tags of items in their order."""
        found: dict[int, list[str]] = {}
        for start in range(0, len(numbers), _AT_ONCE[-1]):
            some = numbers[start : start + _AT_ONCE[-1]]
            size = next(size for size in _AT_ONCE if size >= len(some))
            prepared = statement(self._connection, ("tags", size), partial(_tags, size))
            padded = [*some, *[some[-1]] * (size - len(some))]
            values = {f"item{place}": number for place, number in enumerate(padded)}
            for row in prepared.run(self._connection, values):
                found.setdefault(row.item, []).append(row.name)
        return found

    def _kind(self, word: str) -> ItemKind:
        return self._kinds.get(word) or ItemKind(word)


def item_columns(bodies: bool = False) -> list[ColumnElement[Any]]:
    """Return what is read of an item and its uses; without bodies only their beginnings."""
    body = ITEMS.c.body if bodies else func.substr(ITEMS.c.body, 1, _PREVIEW).label("body")
    columns = [column for column in ITEMS.c if column.name not in ("body", "order_title")]
    length = func.coalesce(func.length(ITEMS.c.body), 0).label("length")
    return [*columns, body, length, USES.c.last_used_at, USES.c.uses]


def in_states(states: Iterable[State], now: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that an item is in one of these states at a time."""
    is_archived = and_(ITEMS.c.archived_at.is_not(None), ITEMS.c.archived_at <= now)
    alive = ITEMS.c.deleted_at.is_(None)
    conditions: dict[State, ColumnElement[bool]] = {
        "active": and_(alive, or_(ITEMS.c.archived_at.is_(None), ITEMS.c.archived_at > now)),
        "archived": and_(alive, is_archived),
        "deleted": ITEMS.c.deleted_at.is_not(None),
    }
    return or_(*(conditions[state] for state in states))


def _tags(size: int) -> Select[Any]:
    items = [bindparam(f"item{place}", type_=ITEM_TAGS.c.item.type) for place in range(size)]
    query = select(ITEM_TAGS.c.item, TAGS.c.name).join(TAGS).where(ITEM_TAGS.c.item.in_(items))
    return query.order_by(ITEM_TAGS.c.item, ITEM_TAGS.c.position)


def json_of(value: object, field: str) -> str:
    """Return a value as JSON.

    Raises:
        BadValue: it is no JSON, or has a text that no database keeps.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise BadValue(f"Expected JSON in {field}.", field) from None
    if "\\u0000" in text.replace("\\\\", ""):  # JSON would hide it
        raise BadValue(f"A text in {field} holds a NUL character, which cannot be kept.", field)
    return text


def bounded(number: int) -> int:
    """Return a number that every database takes: what is beyond it is beyond all items and versions, too."""
    return min(max(number, -1), _LARGEST)


def micros(at: datetime) -> int:
    """Return a time as a number; one without a zone is taken as UTC.

    Raises:
        BadValue: in UTC it is before the year 1 or after the year 9999.
    """
    try:
        aware = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except OverflowError:
        raise BadValue("Expected a time from the year 1 to the year 9999.", "at") from None
    return (aware - _EPOCH) // timedelta(microseconds=1)


def moment(number: int) -> datetime:
    """Return the time of a number."""
    return _EPOCH + timedelta(microseconds=number)


def new_id(now: int) -> str:
    """Return a UUID of version 7 for a time in microseconds: those made later sort later."""
    millis, rest = divmod(now, 1000)
    random = int.from_bytes(os.urandom(8)) >> 2
    value = millis << 80 | 7 << 76 | (rest * 4096 // 1000) << 64 | 0b10 << 62 | random
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
