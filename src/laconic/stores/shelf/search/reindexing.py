"""Reindexing: what the index of a whole shelf should have, learned from its texts and tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, select

from laconic.stores.shelf.search.changes import IndexChanges
from laconic.stores.shelf.search.postings import ALL, of_junction, of_tag, terms_of
from laconic.stores.shelf.search.words import FIELDS, fold, junctions
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS

__all__ = ["index_all", "index_junctions", "terms_of_all"]

_AT_ONCE: Final = 500  # texts in memory


def index_all(connection: Connection) -> None:
    """Index everything that a shelf has, whose index is empty."""
    _write(connection, terms_of_all(connection))


def index_junctions(connection: Connection) -> None:
    """Index where chunks meet, and nothing else."""
    found = (
        (kind, number, [{*map(of_junction, junctions(text))} for text in texts])
        for kind, number, texts in _texts(connection)
    )
    _write(connection, found)


def terms_of_all(connection: Connection) -> Iterator[tuple[str, int, list[set[str]]]]:
    """Return the kind and the number of each item, by number, and the terms of each of its fields."""
    tags: dict[int, list[int]] = {}
    for item, tag in connection.execute(select(ITEM_TAGS.c.item, ITEM_TAGS.c.tag)):
        tags.setdefault(item, []).append(tag)
    for kind, number, texts in _texts(connection):
        fields = [*map(terms_of, texts)]
        fields[0] |= {ALL, *map(of_tag, tags.get(number, ()))}
        yield kind, number, fields


def _texts(connection: Connection) -> Iterator[tuple[str, int, list[str]]]:
    """Return the kind, the number and the folded texts of each item; those that search reads may be wrong."""
    query = select(ITEMS.c.kind, ITEMS.c.n, *(ITEMS.c[field] for field in FIELDS))
    last = -1
    while rows := connection.execute(query.where(ITEMS.c.n > last).order_by(ITEMS.c.n).limit(_AT_ONCE)).all():
        for row in rows:
            yield row[0], row[1], [*map(fold, row[2:])]
        last = rows[-1].n


def _write(connection: Connection, found: Iterator[tuple[str, int, list[set[str]]]]) -> None:
    changes = IndexChanges(connection)
    for kind, number, fields in found:
        for place, terms in enumerate(fields):
            changes.put(kind, number, place, terms)
        changes.write_if_many()
    changes.write()
