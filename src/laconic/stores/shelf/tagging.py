"""Tagging: one set of tags for all kinds of items; a renamed tag is renamed everywhere at once."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select, update

from laconic.stores.errors import Missing, Taken
from laconic.stores.shelf.models import State, TagCount
from laconic.stores.shelf.names import tag_name
from laconic.stores.shelf.search.indexing import Indexing
from laconic.stores.shelf.search.postings import of_tag
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, POSTINGS, TAGS

__all__ = ["Tagging"]


class Tagging(Indexing):
    """Reads and changes tags."""

    def tags(
        self, kinds: Sequence[str], states: Sequence[State] = ("active",), unused: bool = False
    ) -> list[TagCount]:
        """Return the tags of the given kinds with the number of their items, by name; `unused` ones too."""
        counted = (
            select(ITEM_TAGS.c.tag, func.count().label("number"))
            .join(ITEMS, ITEMS.c.n == ITEM_TAGS.c.item)
            .where(ITEMS.c.kind.in_(kinds), self._in_states(states))
            .group_by(ITEM_TAGS.c.tag)
            .subquery()
        )
        joined = TAGS.join(counted, counted.c.tag == TAGS.c.n, isouter=unused)
        query = (
            select(TAGS.c.name, func.coalesce(counted.c.number, 0)).select_from(joined).order_by(TAGS.c.name)
        )
        return [TagCount(name, items) for name, items in self._connection.execute(query)]

    def rename_tag(self, old: str, new: str) -> None:
        """Rename a tag on all items; their versions and times stay.

        Raises:
            Missing: there is no such tag.
            Taken: there is one of the new name.
        """
        number, name = self._tag(old), tag_name(new)
        other = self._connection.scalar(select(TAGS.c.n).where(TAGS.c.name == name))
        if other is not None and other != number:
            raise Taken(f"There is a tag {name} already.", {"tag": name})
        self._touch_tagged(number)
        self._connection.execute(update(TAGS).where(TAGS.c.n == number).values(name=name))

    def drop_tag(self, name: str) -> None:
        """Delete a tag and take it off all items.

        Raises:
            Missing: there is no such tag.
        """
        number = self._tag(name)
        self._touch_tagged(number)
        self._connection.execute(delete(TAGS).where(TAGS.c.n == number))
        self._flush()
        self._connection.execute(delete(POSTINGS).where(POSTINGS.c.term == of_tag(number)))

    def _tag(self, name: str) -> int:
        wanted = tag_name(name)
        query = select(TAGS.c.n).where(TAGS.c.name == wanted).with_for_update()
        number: int | None = self._connection.scalar(query)
        if number is None:
            raise Missing(f"There is no tag {wanted}.")
        return number

    def _put_tags(self, item: int, kind: str, names: Sequence[str]) -> None:
        """Give an item exactly these tags; new ones are made in one order, so no two wait in a circle."""
        old = self._connection.scalars(select(ITEM_TAGS.c.tag).where(ITEM_TAGS.c.item == item)).all()
        known = self._known_tags(names)
        for name in sorted(set(names) - set(known)):
            self._connection.execute(insert(TAGS).values(name=name))
        known = self._known_tags(names)
        self._connection.execute(delete(ITEM_TAGS).where(ITEM_TAGS.c.item == item))
        rows = [{"item": item, "tag": known[name], "position": place} for place, name in enumerate(names)]
        if rows:
            self._connection.execute(insert(ITEM_TAGS), rows)
        self._index_tags(item, kind, old, known.values())

    def _known_tags(self, names: Sequence[str]) -> dict[str, int]:
        if not names:
            return {}
        query = select(TAGS.c.name, TAGS.c.n).where(TAGS.c.name.in_(names))
        return dict(self._connection.execute(query).all())
