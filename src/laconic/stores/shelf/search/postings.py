"""Postings: for each term the set of items that have it, kept as bits, so that sets are joined in no time.

A set is an integer of which bit `n` is that of item `n`. It is kept in blocks of some thousand items.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import compress
from operator import or_
from typing import Final

from sqlalchemy import Connection

from laconic.stores.database.rows import read_rows
from laconic.stores.shelf.search.words import chunks, grams, junctions, stems, units
from laconic.stores.shelf.statements import as_list

__all__ = ["ALL", "BLOCK", "Postings", "decoded", "encoded", "highest", "members", "of_chunk", "of_gram"]
__all__ += ["of_junction", "of_stem", "of_tag", "of_unit", "set_of", "terms_of"]

BLOCK: Final = 8192  # items
_FEW: Final = 128  # items of a block; fewer are listed one by one
_JUNCTIONS: Final = 4096  # terms; a text of a few hundred words has one in twenty of them
ALL: Final = "a"  # the term of every item
_NAMED: Final = "n"  # what the terms of tags begin with that were asked for by name
_SPARSE: Final = 16  # items; if a set has fewer, each is looked for
_BITS: Final = [[bit for bit in range(8) if byte >> bit & 1] for byte in range(256)]


def of_stem(word: str) -> str:
    """Return the term of a word in all its forms."""
    return f"s{word}"


def of_chunk(text: str) -> str:
    """Return the term of what is between spaces."""
    return f"c{text}"


def of_gram(text: str) -> str:
    """Return the term of one or two letters or signs."""
    return f"g{text}"


def of_unit(text: str) -> str:
    """Return the term of a text in braces."""
    return f"u{text}"


def of_junction(text: str) -> str:
    """Return the term of where two chunks meet; others share it, so that there are not too many."""
    return f"j{zlib.crc32(text.encode()) % _JUNCTIONS}"


def of_tag(number: object) -> str:
    """Return the term of a tag."""
    return f"t{number}"


def terms_of(folded: str) -> set[str]:
    """Return the terms of a field."""
    found = {*map(of_stem, stems(folded)), *map(of_chunk, chunks(folded))}
    found.update(map(of_gram, grams(folded)), map(of_unit, units(folded)))
    return found.union(map(of_junction, junctions(folded)))


class Postings:
    """The sets of some terms and tags in the fields of some kinds of items, read in one statement."""

    def __init__(
        self, connection: Connection, terms: Iterable[str], kinds: Sequence[str], tags: Iterable[str] = ()
    ) -> None:
        self._sets: dict[tuple[str, int], dict[str, int]] = {}
        is_sqlite = connection.dialect.name == "sqlite"
        query, values = _READ[is_sqlite], [as_list(connection, terms), as_list(connection, kinds)]
        if names := sorted(tags):
            query += _READ_TAGS[is_sqlite]
            values += [as_list(connection, names), values[1]]
        for kind, field, term, block, items in read_rows(connection, query, values):
            sets = self._sets.setdefault((kind, field), {})
            sets[term] = sets.get(term, 0) | decoded(items) << block * BLOCK

    def of(self, kind: str, field: int, term: str) -> int:
        """Return the items of a kind that have a term in a field."""
        return self._sets.get((kind, field), _NONE).get(term, 0)

    def tagged(self, kind: str, name: str) -> int:
        """Return the items of a kind that have a tag."""
        return self.of(kind, 0, f"{_NAMED}{name}")

    def of_any(self, kind: str, field: int, terms: Iterable[str]) -> int:
        """Return the items of a kind that have one of some terms in a field."""
        sets = self._sets.get((kind, field))
        return reduce(or_, [sets[term] for term in terms if term in sets], 0) if sets else 0


_NONE: Final[Mapping[str, int]] = {}
_SELECT: Final = "SELECT kind, field, postings.term, block, items FROM"
_READ: Final[Mapping[bool, str]] = {
    True: f"{_SELECT} json_each(?) AS wanted CROSS JOIN postings ON postings.term = wanted.value"
    " WHERE kind IN (SELECT value FROM json_each(?))",
    False: f"{_SELECT} postings WHERE term = ANY(%s) AND kind = ANY(%s)",
}
_OF_TAGS: Final = (
    f" UNION ALL SELECT kind, field, '{_NAMED}' || name, block, items FROM {{}} JOIN postings"
    f" ON postings.term = '{of_tag('')}' || tags.n WHERE "
)
_READ_TAGS: Final[Mapping[bool, str]] = {
    True: _OF_TAGS.format("json_each(?) AS named CROSS JOIN tags ON name = named.value CROSS")
    + "kind IN (SELECT value FROM json_each(?))",
    False: f"{_OF_TAGS.format('tags')} name = ANY(%s) AND kind = ANY(%s)",
}


def encoded(items: int) -> bytes:
    """Return the set of a block as it is kept."""
    if items.bit_count() < _FEW:
        numbers = members(items)
        return b"\0" + struct.pack(f"<{len(numbers)}H", *numbers)
    return b"\1" + items.to_bytes((items.bit_length() + 7) // 8, "little")


@lru_cache(2000)  # a few megabytes at most, for the words that are asked for again and again
def decoded(kept: bytes) -> int:
    """Return a set as `encoded` keeps it."""
    if kept[0]:
        return int.from_bytes(kept[1:], "little")
    found = 0
    for number in struct.unpack_from(f"<{len(kept) // 2}H", kept, 1):
        found |= 1 << number
    return found


def set_of(numbers: Iterable[int]) -> int:
    """Return the set of these items, which may be in any order."""
    every = [*numbers]
    found = bytearray((max(every, default=0) >> 3) + 1)
    for number in every:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")


def members(items: int) -> list[int]:
    """Return the items of a set, the lowest number first."""
    if items.bit_count() < _SPARSE:
        return [*highest(items)][::-1]
    kept = items.to_bytes((items.bit_length() + 7) // 8, "little")
    return [place * 8 + bit for place in compress(range(len(kept)), kept) for bit in _BITS[kept[place]]]


def highest(items: int) -> Iterator[int]:
    """Return the items of a set, the highest number first."""
    while items:
        number = items.bit_length() - 1
        yield number
        items ^= 1 << number
