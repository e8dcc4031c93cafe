"""Ground: what all operations of a desk share, the connection, the time, and how rows become items."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, and_, func, null, or_, select

from laconic.stores.database.rows import read_rows
from laconic.stores.errors import BadValue, Missing
from laconic.stores.shelf.models import START, Item, ItemKind, State
from laconic.stores.shelf.statements import as_list
from laconic.stores.shelf.tables import ITEMS, USES

__all__ = [
    "Ground",
    "bounded",
    "in_states",
    "item_columns",
    "json_of",
    "micros",
    "moment",
    "new_id",
    "read_json",
]

_LARGEST: Final = 2**31 - 1  # that every database takes for any of its numbers
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_decode: Final = json.JSONDecoder().raw_decode  # `json.loads` first looks at more than that
_TAGS: Final = {
    True: "SELECT item, name FROM json_each(?) AS wanted CROSS JOIN item_tags ON item = wanted.value"
    " JOIN tags ON tags.n = tag ORDER BY item, position",
    False: "SELECT item, name FROM item_tags JOIN tags ON tags.n = tag WHERE item = ANY(%s)"
    " ORDER BY item, position",
}


class Ground:
    """A connection in a transaction, at one time."""

    def __init__(self, connection: Connection, kinds: Mapping[str, ItemKind], now: datetime) -> None:
        self._connection = connection
        self._kinds = kinds
        self._now = micros(now)
        self.told: list[tuple[str, tuple[str, ...], dict[str, tuple[Any, Any]]]] = []  # what was changed

    def _tell(self, id: str, /, *texts: str, **fields: tuple[Any, Any]) -> None:
        """Tell which fields of an item changed, for the journal of calls; texts by name alone."""
        self.told.append((id, texts, fields))

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

    def _items(self, rows: Sequence[Sequence[Any]]) -> tuple[Item, ...]:
        """Return the items of a list, which leaves out their bodies."""
        tags = self._tags_of([row[0] for row in rows])
        return tuple([self._item(row, tags.get(row[0], ()), bodies=False) for row in rows])

    def _item(self, row: Sequence[Any], tags: Iterable[str], bodies: bool) -> Item:
        # in the order of `item_columns`: by name each value takes several times as long
        id, kind, name, title, description, extra, terms, version, created, updated = row[1:11]
        archived, deleted, body, length, used, uses = row[11:17]
        made = moment(created)  # most items were never changed, and many never used
        # in the order of its fields: with keywords it takes twice as long
        return Item(
            id,
            kind,
            name,
            title,
            description,
            body if bodies else None,
            body[:START] if body else "",
            len(body or "") if length is None else length,
            read_json(extra),
            terms,
            tuple(tags),
            version,
            self._state_at(archived, deleted),
            made,
            made if updated == created else moment(updated),
            made if used == created else moment(used),
            uses,
            None if archived is None else moment(archived),
            None if deleted is None else moment(deleted),
        )

    def _state(self, row: Row[Any]) -> State:
        return self._state_at(row.archived_at, row.deleted_at)

    def _state_at(self, archived: int | None, deleted: int | None) -> State:
        if deleted is not None:
            return "deleted"
        return "archived" if archived is not None and archived <= self._now else "active"

    def _in_states(self, states: Iterable[State]) -> ColumnElement[bool]:
        return in_states(states, self._now)

    def _tags_of(self, numbers: Sequence[int]) -> dict[int, list[str]]:
        """Return the tags of items in their order."""
        found: dict[int, list[str]] = {}
        if numbers:
            query = _TAGS[self._connection.dialect.name == "sqlite"]
            for item, name in read_rows(self._connection, query, (as_list(self._connection, numbers),)):
                found.setdefault(item, []).append(name)
        return found

    def _kind(self, word: str) -> ItemKind:
        return self._kinds.get(word) or ItemKind(word)


def item_columns(bodies: bool = False) -> list[ColumnElement[Any]]:
    """Return what is read of an item and its uses; without bodies only their beginnings and lengths."""
    columns = [column for column in ITEMS.c if column.name not in ("body", "order_title")]
    if bodies:
        return [*columns, ITEMS.c.body, null().label("length"), USES.c.last_used_at, USES.c.uses]
    body = func.substr(ITEMS.c.body, 1, START).label("body")
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


def read_json(text: str) -> Any:
    """Return what a JSON of ours says."""
    return _decode(text)[0]


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
    return _EPOCH + timedelta(0, 0, number)  # with a keyword it takes twice as long


def new_id(now: int) -> str:
    """Return a UUID of version 7 for a time in microseconds: those made later sort later."""
    millis, rest = divmod(now, 1000)
    random = int.from_bytes(os.urandom(8)) >> 2
    value = millis << 80 | 7 << 76 | (rest * 4096 // 1000) << 64 | 0b10 << 62 | random
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
