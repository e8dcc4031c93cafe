"""Checking a shelf: what it has, and rows that should have others beside them and do not."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, func, select

from laconic.stores.shelf.tables import ITEMS, USES, VERSIONS

__all__ = ["count_items", "count_versions", "faults_of_items"]


def count_items(connection: Connection) -> dict[str, int]:
    """Return how many items there are of each kind, in whatever state."""
    query = select(ITEMS.c.kind, func.count()).group_by(ITEMS.c.kind).order_by(ITEMS.c.kind)
    return {kind: number for kind, number in connection.execute(query)}


def count_versions(connection: Connection) -> int:
    """Return how many versions there are."""
    query = select(func.count()).select_from(VERSIONS).where(VERSIONS.c.number.is_not(None))
    return int(connection.scalar(query) or 0)


def faults_of_items(connection: Connection) -> list[str]:
    """Return what is wrong with items, one sentence for each kind of fault."""
    newest = select(VERSIONS.c.n).where(VERSIONS.c.item == ITEMS.c.n, VERSIONS.c.number == ITEMS.c.version)
    missing = {
        "without their newest version": ~newest.exists(),
        "without a time of use": ~select(USES.c.item).where(USES.c.item == ITEMS.c.n).exists(),
    }
    found = {words: _count(connection, select(ITEMS.c.n).where(where)) for words, where in missing.items()}
    return [f"{number} items {words}" for words, number in found.items() if number]


def _count(connection: Connection, query: Select[Any]) -> int:
    return int(connection.scalar(select(func.count()).select_from(query.subquery())) or 0)
