"""The past: a version for each edit, an entry without a number for what leaves the content as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, func, insert, or_, select

from laconic.stores.errors import Missing
from laconic.stores.shelf.ground import bounded, json_of, micros, moment
from laconic.stores.shelf.models import Action, By, ItemVersion
from laconic.stores.shelf.revising import Revising
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, LABELS, LINKS, TAGS, VERSIONS

__all__ = ["Past"]


class Past(Revising):
    """Writes and reads what was."""

    def versions(
        self, id: str, count: int, before: int | None = None, *, numbered: bool = False, skip: int = 0
    ) -> list[ItemVersion]:
        """Return the newest entries of an item's history, without bodies; `before` an entry to go on.

        `numbered` leaves out what changed no content, such as archiving.
        """
        query = self._feed(count, before, skip=skip).where(VERSIONS.c.item == self._row(id).n)
        return self._entries(query.where(VERSIONS.c.number.is_not(None)) if numbered else query)

    def history(
        self,
        kinds: Sequence[str],
        count: int,
        before: int | None = None,
        *,
        actions: Sequence[Action] = (),
        sources: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        skip: int = 0,
    ) -> list[ItemVersion]:
        """Return the newest entries of all items of these kinds, without bodies, after so many."""
        where = _chosen(kinds, actions, sources, since, until)
        return self._entries(self._feed(count, before, skip=skip).where(*where))

    def count_history(
        self,
        kinds: Sequence[str],
        *,
        item: str | None = None,
        actions: Sequence[Action] = (),
        sources: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> int:
        """Return how many entries there are, of one item or of all items of these kinds."""
        where = _chosen(kinds, actions, sources, since, until)
        if item is not None:
            where.append(ITEMS.c.id == item)
        query = select(func.count()).select_from(VERSIONS.join(ITEMS, ITEMS.c.n == VERSIONS.c.item))
        return int(self._connection.execute(query.where(*where)).scalar_one())

    def version(self, id: str, number: int) -> ItemVersion:
        """Return an item as it was in one version, with its body.

        Raises:
            Missing: there is no such item or version.
        """
        item = self._row(id)
        row = self._version_row(item, number)
        body = row.body if row.body_number == number else self._version_row(item, row.body_number).body
        return self._entry(row, self._labels(item.n).get(number, ()), body)

    def _version_row(self, item: Row[Any], number: int) -> Row[Any]:
        query = self._feed(1, None, bodies=True).where(VERSIONS.c.item == item.n)
        query = query.where(VERSIONS.c.number == bounded(number))
        row = self._connection.execute(query).one_or_none()
        if row is None:
            what = f"{item.kind} {item.name or item.title or item.id}"
            raise Missing(f"The {what} has no version {number}; the newest is {item.version}.")
        return row

    def _feed(self, count: int, before: int | None, bodies: bool = False, skip: int = 0) -> Select[Any]:
        columns = [column for column in VERSIONS.c if bodies or column.name != "body"]
        query = select(*columns, ITEMS.c.id, ITEMS.c.kind).join(ITEMS, ITEMS.c.n == VERSIONS.c.item)
        query = query.order_by(VERSIONS.c.n.desc()).limit(count).offset(bounded(skip))
        return query if before is None else query.where(VERSIONS.c.n < bounded(before))

    def _entries(self, query: Select[Any]) -> list[ItemVersion]:
        rows = self._connection.execute(query).all()
        labels = {item: self._labels(item) for item in {row.item for row in rows}}
        return [self._entry(row, labels[row.item].get(row.number, ())) for row in rows]

    def _entry(self, row: Row[Any], labels: Sequence[str], body: str | None = None) -> ItemVersion:
        then = json.loads(row.snapshot)
        return ItemVersion(
            entry=row.n,
            item=row.id,
            kind=row.kind,
            number=row.number,
            action=row.action,
            at=moment(row.at),
            by=By(row.author, row.source, json.loads(row.details)),
            changed=tuple(json.loads(row.changed)),
            name=then.get("name"),
            title=then.get("title"),
            description=then.get("description"),
            extra=then.get("extra", {}),
            terms=then.get("terms", ""),
            tags=tuple(name for _, name in then.get("tags", ())),
            links=tuple(id for id, _ in then.get("links", ())),
            labels=tuple(labels),
            body=body,
        )

    def _labels(self, item: int) -> dict[int, list[str]]:
        query = select(LABELS.c.number, LABELS.c.label).where(LABELS.c.item == item).order_by(LABELS.c.label)
        found: dict[int, list[str]] = {}
        for number, label in self._connection.execute(query):
            found.setdefault(number, []).append(label)
        return found

    def _record(self, row: Row[Any], action: Action, by: By, changed: Sequence[str] = ()) -> None:
        """Write an entry; with changed fields it is the version that the item has now."""
        self._touch(row.kind)
        is_version = action in ("create", "update", "restore")
        snapshot = self._snapshot(row) if is_version else {"name": row.name, "title": row.title}
        has_body = is_version and "body" in changed
        values: dict[str, Any] = {
            "item": row.n,
            "number": row.version if is_version else None,
            "action": action,
            "at": self._now,
            "author": by.author,
            "source": by.source,
            "details": json_of(dict(by.details), "details"),
            "changed": json_of(sorted(changed), "changed"),
            "snapshot": json_of(snapshot, "extra"),
            "body": row.body if has_body or (row.version == 1 and is_version) else None,
            "body_number": self._body_number(row, has_body) if is_version else None,
        }
        self._connection.execute(insert(VERSIONS).values(values))
        if is_version:
            self._tell(row.id, *sorted(changed), version=(row.version - 1 or None, row.version))

    def _body_number(self, row: Row[Any], has_body: bool) -> int:
        if has_body or row.version == 1:
            return int(row.version)
        query = select(VERSIONS.c.body_number).where(
            VERSIONS.c.item == row.n, VERSIONS.c.number == row.version - 1
        )
        return int(self._connection.execute(query).scalar_one())

    def _snapshot(self, row: Row[Any]) -> Mapping[str, Any]:
        tags = select(TAGS.c.n, TAGS.c.name).join(ITEM_TAGS).where(ITEM_TAGS.c.item == row.n)
        ordered = self._connection.execute(tags.order_by(ITEM_TAGS.c.position))
        return {
            "name": row.name,
            "title": row.title,
            "description": row.description,
            "extra": json.loads(row.extra),
            "terms": row.terms,
            "tags": [list(tag) for tag in ordered],
            "links": [list(link) for link in self._link_rows(row.n)],
        }

    def _link_rows(self, item: int) -> list[tuple[str, str | None]]:
        is_end = or_(
            and_(LINKS.c.item == item, LINKS.c.other == ITEMS.c.n),
            and_(LINKS.c.other == item, LINKS.c.item == ITEMS.c.n),
        )
        query = select(ITEMS.c.id, LINKS.c.description).select_from(LINKS.join(ITEMS, is_end))
        rows = self._connection.execute(query.order_by(LINKS.c.created_at, ITEMS.c.id))
        return [(id, description) for id, description in rows]


def _chosen(
    kinds: Sequence[str],
    actions: Sequence[Action],
    sources: Sequence[str],
    since: datetime | None,
    until: datetime | None,
) -> list[ColumnElement[bool]]:
    """Return the conditions for entries of the history."""
    where: list[ColumnElement[bool]] = [ITEMS.c.kind.in_(kinds)]
    if actions:
        where.append(VERSIONS.c.action.in_(actions))
    if sources:
        where.append(VERSIONS.c.source.in_(sources))
    if since:
        where.append(VERSIONS.c.at >= micros(since))
    if until:
        where.append(VERSIONS.c.at <= micros(until))
    return where
