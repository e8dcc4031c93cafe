"""Editing: items are added, read and changed; two edits of one item never run at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Row, insert, select, update

from laconic.stores.errors import BadValue, Stale, Taken
from laconic.stores.shelf.ground import json_of, new_id
from laconic.stores.shelf.models import Action, By, Draft, Item, ItemEdit
from laconic.stores.shelf.names import tag_names
from laconic.stores.shelf.search.words import fold
from laconic.stores.shelf.tables import ITEMS, USES
from laconic.stores.shelf.tagging import Tagging
from laconic.stores.shelf.versions.past import Past
from laconic.stores.shelf.whole import WholeItems

__all__ = ["Editing"]

_PLAIN: Final = ("name", "title", "description", "body", "terms")
_FIELDS: Final = frozenset({*_PLAIN, "extra", "tags"})
_LONGEST: Final = 2048  # bytes of a name: what an index of PostgreSQL takes
_ORDERED: Final = 200  # characters of a title that decide its place
Change = Mapping[str, Any] | Callable[[Item], Mapping[str, Any]]


class Editing(WholeItems, Tagging, Past):
    """Adds, reads and changes items."""

    def add(self, draft: Draft, by: By) -> Item:
        """Add an item.

        Raises:
            Taken: another item of its kind has the name, also if that one is archived.
        """
        self._refuse_taken(draft.kind, draft.name)
        tags = tag_names(draft.tags)
        values = {field: getattr(draft, field) for field in _PLAIN}
        self._now += 1  # items added in one transaction keep their order
        id = new_id(self._now)
        self._connection.execute(
            insert(ITEMS).values(
                id=id,
                kind=draft.kind,
                extra=json_of(dict(draft.extra), "extra"),
                order_title=_order_title(values),
                version=1,
                created_at=self._now,
                updated_at=self._now,
                **values,
            )
        )
        row = self._row(id)
        self._connection.execute(insert(USES).values(item=row.n, last_used_at=self._now, uses=0))
        self._put_tags(row.n, row.kind, tags)
        self._index(row)
        given = {**values, "extra": draft.extra, "tags": tags}
        self._record(
            row, "create", by, [field for field, value in given.items() if value and field != "terms"]
        )
        return self.get(id)

    def hold(self, ids: Iterable[str]) -> None:
        """Lock items until the transaction ends: what is read of them after this stays true.

        All are locked in one order, so that two who hold the same never wait in a circle. An item that there
        is not holds up nobody.
        """
        query = select(ITEMS.c.n).where(ITEMS.c.id.in_(list(ids))).order_by(ITEMS.c.n)
        self._connection.execute(query.with_for_update())

    def edit(self, id: str, change: Change, by: By, version: int | None = None) -> ItemEdit:
        """Change some fields of an item, or none if a value is the one it has already.

        `change` has the new values, or returns them for the item as it is now; nobody else changes the item
        between the two. A value of None clears the field.

        Raises:
            Missing: there is no such item, or it is in the trash.
            Stale: it has another version than the one given.
            Taken: another item of its kind has the new name.
        """
        row = self._alive(id)
        if version is not None and row.version != version:
            raise Stale(f"It was changed: it has version {row.version}, not {version}.", row.version)
        values = change if isinstance(change, Mapping) else change(self.get(id))
        return self._apply(row, values, "update", by)

    def _apply(
        self, row: Row[Any], values: Mapping[str, Any], action: Action, by: By, also: Sequence[str] = ()
    ) -> ItemEdit:
        """Write what differs; `also` are fields that were changed already."""
        if unknown := set(values) - _FIELDS:
            raise BadValue(f"An item has no field {min(unknown)}.", min(unknown))
        new = {field: values[field] for field in _PLAIN if field in values}
        if "terms" in new:
            new["terms"] = new["terms"] or ""
        if "extra" in values:
            new["extra"] = json_of(dict(values["extra"]), "extra")
        columns = {field: value for field, value in new.items() if value != getattr(row, field)}
        tags = self._new_tags(row.n, values)
        is_reordered = self._is_reordered(row, columns.get("extra"))
        silent = {"terms"} | ({"extra"} if is_reordered else set())
        changed = [field for field in columns if field not in silent] + ([] if tags is None else ["tags"])
        changed += also
        if not changed and not columns and action == "update":
            return ItemEdit(self.get(row.id), ())
        if "name" in columns:
            self._refuse_taken(row.kind, columns["name"])
        if tags is not None:
            self._put_tags(row.n, row.kind, tags)
        fresh = self._store(row, columns, bool(changed) or action == "restore")
        if "extra" in columns:  # lists of others may show it, also where it is no version
            self._touch(row.kind)
        if fresh.version != row.version:
            self._record(fresh, action, by, changed)
        return ItemEdit(self.get(row.id), tuple(sorted(changed)), is_reordered)

    def _is_reordered(self, row: Row[Any], extra: str | None) -> bool:
        """True if a new `extra` has only lists in another order whose order means nothing."""
        unordered = self._kind(row.kind).unordered
        return (
            extra is not None
            and bool(unordered)
            and _sorted(extra, unordered) == _sorted(row.extra, unordered)
        )

    def _new_tags(self, item: int, values: Mapping[str, Any]) -> tuple[str, ...] | None:
        """Return the tags to put on an item; None if it has them, in whatever order."""
        if values.get("tags") is None:
            return None
        wanted = tag_names(values["tags"])
        return None if set(wanted) == set(self._tags_of([item]).get(item, ())) else wanted

    def _store(self, row: Row[Any], columns: Mapping[str, Any], is_version: bool) -> Row[Any]:
        """Write the columns, and the next version if it is one; returns the row as it is then."""
        more: dict[str, Any] = {"version": row.version + 1, "updated_at": self._now} if is_version else {}
        if "title" in columns or "name" in columns:
            more["order_title"] = _order_title({**row._mapping, **columns})
        self._connection.execute(update(ITEMS).where(ITEMS.c.n == row.n).values({**columns, **more}))
        fresh = self._row(row.id)
        if columns:
            self._index(fresh)
        return fresh

    def _refuse_taken(self, kind: str, name: str | None) -> None:
        if name is None:
            return
        if len(name.encode(errors="replace")) > _LONGEST:
            raise BadValue(f"Expected a name of at most {_LONGEST:,} bytes.", "name")
        query = select(ITEMS).where(ITEMS.c.kind == kind, ITEMS.c.name == name, ITEMS.c.deleted_at.is_(None))
        other = self._connection.execute(query).one_or_none()
        if other is not None:
            state = self._state(other)
            which = "An archived" if state == "archived" else "A"
            raise Taken(f"{which} {kind} has the name {name}.", {"id": other.id, "state": state})


def _sorted(extra: str, unordered: Sequence[str]) -> Mapping[str, Any]:
    found = json.loads(extra)
    return {**found, **{name: sorted(map(json.dumps, found.get(name, ()))) for name in unordered}}


def _order_title(values: Mapping[str, Any]) -> str:
    return fold(values.get("title") or values.get("name"))[:_ORDERED]
