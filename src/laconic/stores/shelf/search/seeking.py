"""Seeking: which terms lead to a text as it is written, and which texts must be read to be sure of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Final

from sqlalchemy import Connection

from laconic.stores.database.rows import read_rows
from laconic.stores.shelf.search.postings import (
    Postings,
    members,
    of_chunk,
    of_gram,
    of_junction,
    of_unit,
    set_of,
)
from laconic.stores.shelf.search.vocabulary import GRAM, chunks_from, chunks_with
from laconic.stores.shelf.search.words import END, FIELDS, INSIDE, LONGEST, grams, is_unit, junction
from laconic.stores.shelf.statements import as_list

__all__ = ["Sought", "located", "meeting", "seek"]

_ALL: Final = 10**6  # chunks: all there are
_MOST: Final = 300  # chunks at one end of a text; where more fit, pairs of letters must do
_READ: Final = "SELECT {0}, item, {1} FROM json_each(?) AS some CROSS JOIN item_texts ON item = some.value"
_ASK: Final = "SELECT {0}, item FROM item_texts WHERE item = ANY(%s) AND strpos({1}, %s) > 0"


@dataclass(frozen=True)
class Sought:
    """A text: a field that has it has one term of each part; if that is not enough, the field is read."""

    text: str
    parts: tuple[tuple[str, ...], ...]
    is_sure: bool

    def candidates(self, postings: Postings, kind: str, field: int) -> int:
        """Return the items of a kind that may have it in a field."""
        found = -1
        for terms in self.parts:
            found &= postings.of_any(kind, field, terms)
            if not found:
                break
        return found


def seek(connection: Connection, text: str) -> Sought:
    """Return how a folded text is found."""
    if len(text) < GRAM:
        return Sought(text, ((of_gram(text),),), True)
    if is_unit(text):
        return Sought(text, ((of_unit(text),),), True)
    if " " not in text:
        start = text[:INSIDE]
        found = chunks_with(connection, start, _ALL)
        return Sought(text, (_terms(chunk for chunk in found if start in chunk),), start == text)
    pieces = text.split(" ")
    parts: list[tuple[str, ...]] = []
    for place, piece in enumerate(pieces):
        is_first, is_last = place == 0, place == len(pieces) - 1
        parts += _parts(connection, piece, is_first, is_last)
        if () in parts:  # nothing has this piece
            return Sought(text, ((),), True)
    return Sought(text, (*parts, *meeting(pieces)), False)


def meeting(pieces: Sequence[str]) -> Iterator[tuple[str]]:
    """Return the terms of where the pieces meet; the first and the last one may be cut too short for it."""
    for place, (left, right) in enumerate(pairwise(pieces), 1):
        if (place > 1 or len(left) >= END) and (place < len(pieces) - 1 or len(right) >= END):
            yield (of_junction(junction(left, right)),)


def _parts(connection: Connection, piece: str, is_first: bool, is_last: bool) -> list[tuple[str, ...]]:
    """Return the terms that a piece of a text asks for; only its first and last one may be cut."""
    if not is_first and not is_last:
        return [(of_chunk(piece[:LONGEST]),)]
    if is_last:
        found = chunks_from(connection, piece[:INSIDE], _MOST + 1)
        if len(found) <= _MOST:
            return [_terms(found)]
    elif len(piece) >= GRAM:
        end = piece[-INSIDE:]
        found = chunks_with(connection, end, _MOST + 1)
        if len(found) <= _MOST:
            return [_terms(chunk for chunk in found if chunk.endswith(end))]
    return [(of_gram(gram),) for gram in grams(piece) if len(gram) == min(len(piece), 2)]


def _terms(chunks: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(of_chunk, chunks))


def located(
    connection: Connection, sought: Sought, postings: Postings, kinds: Sequence[str]
) -> Mapping[tuple[str, int], int]:
    """Return the items that have a text, by kind and by field."""
    places = [(kind, field) for field in range(len(FIELDS)) for kind in kinds]
    found = {(kind, field): sought.candidates(postings, kind, field) for kind, field in places}
    if sought.is_sure or not any(found.values()):
        return found
    by_field = [reduce(or_, (found[kind, field] for kind in kinds), 0) for field in range(len(FIELDS))]
    sure = _reading(connection, sought.text, by_field)
    return {(kind, field): items & sure.get(field, 0) for (kind, field), items in found.items()}


def _reading(connection: Connection, text: str, by_field: Sequence[int]) -> dict[int, int]:
    """Return those of some items in each field that really have a text there."""
    fields = [field for field, items in enumerate(by_field) if items]
    numbers = [as_list(connection, members(by_field[field])) for field in fields]
    if connection.dialect.name == "sqlite":  # whose own search in a text is slower
        query = " UNION ALL ".join(_READ.format(field, FIELDS[field]) for field in fields)
        rows = [row for row in read_rows(connection, query, numbers) if text in row[2]]
    else:
        query = " UNION ALL ".join(_ASK.format(field, FIELDS[field]) for field in fields)
        rows = read_rows(connection, query, [value for some in numbers for value in (some, text)])
    return {field: set_of(row[1] for row in rows if row[0] == field) for field in fields}
