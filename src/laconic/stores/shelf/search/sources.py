"""Sources: the rows that say which items have a word, a tag or a text; each gives points and one bit."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    String,
    bindparam,
    case,
    column,
    literal_column,
    not_,
    or_,
    select,
    table,
    union,
)

from laconic.stores.shelf.search.asked import FIELDS, Groups, QueryShape
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, TAGS, TEXTS, WORDS

__all__ = ["BITS", "Sources", "number"]

BITS: Final = 60  # of one sum
_TAG: Final = 400  # the weight of a tag that is one of the words


class Sources:
    """All sources of one shape, and which bit each has."""

    def __init__(self, shape: QueryShape, groups: Groups, dialect: str) -> None:
        self._shape, self._groups, self._dialect = shape, groups, dialect
        self._first_tag = len(shape.ranks)
        self._first_text = self._first_tag + len(shape.tags)
        self.sums = (self._first_text + len(shape.texts) * len(groups)) // BITS + 1

    def bit_of_tag(self, tag: int) -> int:
        """Return the bit of a tag; that of a word is its number."""
        return self._first_tag + tag

    def bit_of_text(self, text: int, place: int) -> int:
        """Return the bit of a text in a group of fields."""
        return self._first_text + text * len(self._groups) + place

    def all(self) -> list[Select[Any]]:
        """Return a query for each source."""
        found = [self._of_word(word) for word in range(len(self._shape.ranks))]
        found += [self._of_tag(tag) for tag in range(len(self._shape.tags))]
        for text in range(len(self._shape.texts)):
            found += self._of_text(text)
        return [*found, self._row(ITEMS.c.n, number(0), None)] if self._shape.has_rest else found

    def _of_word(self, word: int) -> Select[Any]:
        points = WORDS.c.weight if self._shape.ranks[word] else number(0)
        is_word = WORDS.c.word == bindparam(f"word{word}", type_=WORDS.c.word.type)
        return self._row(WORDS.c.item, points, word).where(is_word)

    def _of_tag(self, tag: int) -> Select[Any]:
        row = self._row(ITEM_TAGS.c.item, number(_TAG * self._shape.tags[tag]), self.bit_of_tag(tag))
        is_tag = TAGS.c.name == bindparam(f"tag{tag}", type_=TAGS.c.name.type)
        return row.join(TAGS, TAGS.c.n == ITEM_TAGS.c.tag).where(is_tag)

    def _of_text(self, text: int) -> list[Select[Any]]:
        way = self._shape.texts[text][1]
        if way in ("tokens", "grams"):
            return [self._indexed(text, place, way) for place in range(len(self._groups))]
        hit = or_(*(self._contains(field, text) for field in FIELDS))
        bits = [self._bits_of(text, one).label(f"bits{one}") for one in range(self.sums)]
        row = select(TEXTS.c.item.label("item"), number(0).label("points"), *bits).where(hit)
        anchor = self._anchor() if way == "scan" else None
        return [row if anchor is None else row.where(TEXTS.c.item.in_(anchor))]

    def _indexed(self, text: int, place: int, way: str) -> Select[Any]:
        if way == "tokens":
            index = "item_tokens"
        else:
            index = "item_grams" if "body" in self._groups[place] else "item_short_grams"
        row = self._row(table(index, column("rowid")).c.rowid, number(0), self.bit_of_text(text, place))
        return row.where(literal_column(index).op("MATCH")(bindparam(f"text{text}_{place}", type_=String())))

    def _bits_of(self, text: int, one: int) -> ColumnElement[int]:
        """Return the bits of a text that belong to one of the sums."""
        found = number(0)
        short = [self._contains(field, text) for field in FIELDS if field != "body"]
        for place, fields in enumerate(self._groups):
            bit = self.bit_of_text(text, place)
            if bit // BITS != one:
                continue
            hits = [(or_(*(self._contains(field, text) for field in fields)), _power(bit))]
            if (
                "body" in fields
            ):  # what is in none of the others is here, and long ones need not be read again
                hits.insert(0, (not_(or_(*short)), _power(bit)))
            found += case(*hits, else_=0)
        return found

    def _contains(self, field: str, text: int) -> ColumnElement[bool]:
        # A backslash is what PostgreSQL escapes by itself; where it is told so, it does not use its index.
        escape = "\\" if self._dialect == "sqlite" else None
        return TEXTS.c[field].like(bindparam(f"text{text}", type_=String()), escape=escape)

    def _anchor(self) -> Any:
        """Return the items that can be hits at all, whose texts are read; None if it may be any."""
        ways = [way for _, way in self._shape.texts]
        found: list[Select[Any]] = []
        for parts in self._shape.alternatives:
            wanted = [part for part in parts if part.is_wanted]
            by_word = next((part for part in wanted if part.words), None)
            by_text = next((part.text for part in wanted if part.text and ways[part.text] != "scan"), None)
            if by_word is not None:
                found.append(self._of_word(by_word.words[0]))
                found += [] if by_word.tag is None else [self._of_tag(by_word.tag)]
            elif by_text is not None:
                found += self._of_text(by_text)
            else:
                return None
        if ways[0] == "scan":
            return None
        return union(*(select(one.subquery().c.item) for one in [*found, *self._of_text(0)]))

    def _row(self, item: ColumnElement[int], points: ColumnElement[int], bit: int | None) -> Select[Any]:
        bits = [
            (number(0) if bit is None or bit // BITS != one else _power(bit)).label(f"bits{one}")
            for one in range(self.sums)
        ]
        columns: list[ColumnElement[Any]] = [item.label("item"), points.label("points"), *bits]
        return select(*columns)


def number(value: int) -> ColumnElement[int]:
    """Return a number of ours, as it is in the SQL."""
    return literal_column(str(value), BigInteger())


def _power(bit: int) -> ColumnElement[int]:
    return number(1 << bit % BITS)
