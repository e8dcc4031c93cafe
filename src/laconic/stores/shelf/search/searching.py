"""Searching: lists and search, in the same order on every database, and going on after any item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    case,
    column,
    func,
    literal,
    literal_column,
    or_,
    select,
    table,
    tuple_,
    union,
)

from laconic.stores.shelf.ground import Ground
from laconic.stores.shelf.models import ItemPage, ItemQuery
from laconic.stores.shelf.names import tag_names
from laconic.stores.shelf.search.language import Clause, TextQuery, parse
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, TAGS, TEXTS, USES, WORDS

__all__ = ["Searching"]

_GRAM: Final = 3  # letters: a shorter text is in no index of trigrams
_TAG: Final = 400  # the weight of a tag that is one of the words
_FIELDS: Final = ("name", "title", "description", "terms", "body")
_KEYS: Final[dict[str, ColumnElement[Any]]] = {
    "created_at": ITEMS.c.created_at,
    "updated_at": ITEMS.c.updated_at,
    "last_used_at": USES.c.last_used_at,
    "title": ITEMS.c.order_title,
    "name": func.coalesce(ITEMS.c.name, ""),
    "archived_at": func.coalesce(ITEMS.c.archived_at, 0),
    "deleted_at": func.coalesce(ITEMS.c.deleted_at, 0),
}


class Searching(Ground):
    """Finds items."""

    def search(
        self, query: ItemQuery, count: int, after: Sequence[int | str] | None = None, skip: int = 0
    ) -> ItemPage:
        """Return items without their bodies, after the last one of the page before, or after so many.

        A hit in a name counts more than one in a body; items of equal rank come newest first.

        Raises:
            BadValue: the text is too long, or a tag is none.
        """
        text = parse(query.text)
        sort = query.sort or ("relevance" if text else "created_at")
        if sort == "relevance" and text:
            found = self._ranked(query, text, after)
        else:
            key = _KEYS.get(sort, ITEMS.c.created_at)
            found = self._sorted(query, text, key, after)
        rows = self._connection.execute(found.limit(count + 1).offset(skip)).all()
        items = self._loaded([row.n for row in rows[:count]])
        return ItemPage(items, tuple(rows[count - 1][1:]) if len(rows) > count else None)

    def count(self, query: ItemQuery) -> int:
        """Return how many items a query has in all."""
        where = self._where(query, parse(query.text))
        return int(
            self._connection.execute(select(func.count()).select_from(ITEMS).where(where)).scalar_one()
        )

    def _sorted(
        self,
        query: ItemQuery,
        text: TextQuery | None,
        key: ColumnElement[Any],
        after: Sequence[int | str] | None,
    ) -> Select[Any]:
        found = select(ITEMS.c.n, key, ITEMS.c.id).join(USES).where(self._where(query, text))
        if after is not None:
            here, there = tuple_(key, ITEMS.c.id), tuple_(*after)
            found = found.where(here > there if query.ascending else here < there)
        order = [key, ITEMS.c.id]
        return found.order_by(*(one.asc() if query.ascending else one.desc() for one in order))

    def _ranked(self, query: ItemQuery, text: TextQuery, after: Sequence[int | str] | None) -> Select[Any]:
        score = self._score(query, text).label("score")
        inner = (
            select(ITEMS.c.n, score, ITEMS.c.created_at, ITEMS.c.id)
            .join(TEXTS)
            .where(self._where(query, text))
            .subquery()
        )
        keys = (inner.c.score, inner.c.created_at, inner.c.id)
        found = select(inner)
        if after is not None:
            found = found.where(tuple_(*keys) < tuple_(*after))
        return found.order_by(*(key.desc() for key in keys))

    def _loaded(self, numbers: list[int]) -> tuple[Any, ...]:
        rows = {row.n: row for row in self._connection.execute(self._listed().where(ITEMS.c.n.in_(numbers)))}
        return self._items([rows[number] for number in numbers])

    def _where(self, query: ItemQuery, text: TextQuery | None) -> ColumnElement[bool]:
        # With a text its hits come first: an index of kinds, which SQLite would prefer, leads to all items.
        kind = func.coalesce(ITEMS.c.kind, "") if text else ITEMS.c.kind
        conditions = [kind.in_(query.kinds), self._in_states(query.states)]
        if tags := [_has_tag(tag) for tag in tag_names(query.tags)]:
            conditions.append(or_(*tags) if query.any_tag else and_(*tags))
        if text:
            conditions.append(ITEMS.c.n.in_(self._hits(text)))
        return and_(*conditions)

    def _hits(self, text: TextQuery) -> CompoundSelect[Any]:
        """Return the query for the numbers of items that hold one alternative, or contain the whole text."""
        return union(*map(self._holding, text.alternatives), self._containing(text.whole))

    def _holding(self, clauses: Sequence[Clause]) -> Select[Any]:
        items = ITEMS.alias()
        conditions = []
        for clause in clauses:
            numbers = self._numbers(clause)
            conditions.append(items.c.n.in_(numbers) if clause.is_wanted else items.c.n.not_in(numbers))
        return select(items.c.n).where(*conditions)

    def _numbers(self, clause: Clause) -> Select[Any] | CompoundSelect[Any]:
        if not clause.words:
            return self._containing(clause.text)
        with_words = select(WORDS.c.item).where(WORDS.c.word.in_(clause.words)).group_by(WORDS.c.item)
        return union(with_words.having(func.count() == len(clause.words)), _tagged(clause.text))

    def _containing(self, text: str) -> Select[Any]:
        """Return the query for the numbers of items with a field that contains a folded text."""
        if self._connection.dialect.name == "sqlite" and len(text) >= _GRAM:
            quoted = '"' + text.replace('"', '""') + '"'
            grams = table("item_grams", column("rowid"))
            return select(grams.c.rowid).where(literal_column("item_grams").op("MATCH")(literal(quoted)))
        hits = or_(*(TEXTS.c[field].contains(text, autoescape=True) for field in _FIELDS))
        return select(TEXTS.c.item).where(hits)

    def _score(self, query: ItemQuery, text: TextQuery) -> ColumnElement[int]:
        clauses = [clause for one in text.alternatives for clause in one if clause.is_wanted]
        texts = dict.fromkeys([text.whole, *(clause.text for clause in clauses if not clause.words)])
        parts: list[ColumnElement[int]] = [self._best_field(query.kinds, one) for one in texts]
        if text.words:
            weights = select(func.coalesce(func.sum(WORDS.c.weight), 0))
            of_item = weights.where(WORDS.c.item == ITEMS.c.n, WORDS.c.word.in_(text.words))
            parts.append(of_item.scalar_subquery())
        parts += [case((_has_tag(clause.text), _TAG), else_=0) for clause in clauses if clause.words]
        score = sum(parts[1:], parts[0])
        if {"active", "archived"} <= set(query.states):  # what is archived counts half
            score = score * case((self._in_states(["archived"]), 1), else_=2)
        return score

    def _best_field(self, kinds: Iterable[str], text: str) -> ColumnElement[int]:
        """Return the weight of the best field that contains a text."""
        by_kind = []
        for kind in dict.fromkeys(kinds):
            weights = self._kind(kind).weights().items()
            hits = [(TEXTS.c[field].contains(text, autoescape=True), weight) for field, weight in weights]
            by_kind.append((ITEMS.c.kind == kind, case(*hits, else_=0)))
        return case(*by_kind, else_=0)


def _has_tag(name: str) -> ColumnElement[bool]:
    return ITEMS.c.n.in_(_tagged(name))


def _tagged(name: str) -> Select[Any]:
    return select(ITEM_TAGS.c.item).join(TAGS).where(TAGS.c.name == name)
