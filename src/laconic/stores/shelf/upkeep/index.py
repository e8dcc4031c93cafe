"""The index of search: compared with what the items say, and rebuilt from it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from laconic.stores.database.unhurried import unhurried
from laconic.stores.shelf.search.changes import keep_writers_out
from laconic.stores.shelf.search.postings import BLOCK, decoded, members, of_chunk
from laconic.stores.shelf.search.reindexing import index_all, terms_of_all
from laconic.stores.shelf.search.vocabulary import GRAM, chunks_with, unlearn
from laconic.stores.shelf.search.words import FIELDS, fold
from laconic.stores.shelf.tables import ITEMS, POSTINGS, TEXTS, VOCABULARY

__all__ = ["faults_of_index", "rebuild_index"]

_AT_ONCE: Final = 500  # items in memory
_REBUILD: Final = "INSERT INTO vocabulary_grams (vocabulary_grams) VALUES ('rebuild')"
_Key = tuple[str, str, int]  # term, kind, field


def faults_of_index(connection: Connection) -> list[str]:
    """Return where the index differs from what the items say, one sentence for each kind of fault."""
    found = {
        "items whose text search lacks or has otherwise": sum(1 for _ in _wrong_texts(connection)),
        "entries of the index of search that are missing or wrong": _wrong_sets(connection),
        "words that search lacks, or has though no text does": len(_wrong_words(connection)),
        "words of which search does not find a part": _unfound_words(connection),
    }
    return [f"{number:,} {words}" for words, number in found.items() if number]


def rebuild_index(connection: Connection) -> None:
    """Rebuild the index; others read the old one meanwhile, and wait if they write."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_REBUILD)
    with unhurried(connection):
        keep_writers_out(connection)
        for number, is_there, folded in [*_wrong_texts(connection)]:
            changed = update(TEXTS).where(TEXTS.c.item == number).values(folded)
            connection.execute(changed if is_there else insert(TEXTS).values(item=number, **folded))
        connection.execute(delete(POSTINGS))
        index_all(connection)
        unlearn(connection, _wrong_words(connection))


def _wrong_texts(connection: Connection) -> Iterator[tuple[int, bool, dict[str, str]]]:
    """Return the number of each item whose folded text differs, whether it has one, and what it should be."""
    kept = [TEXTS.c[field].label(f"kept_{field}") for field in FIELDS]
    query = select(ITEMS.c.n, TEXTS.c.item, *(ITEMS.c[field] for field in FIELDS), *kept)
    query = query.join(TEXTS, isouter=True).order_by(ITEMS.c.n).limit(_AT_ONCE)
    last = -1
    while rows := connection.execute(query.where(ITEMS.c.n > last)).all():
        for number, item, *fields in rows:
            folded = {field: fold(given) for field, given in zip(FIELDS, fields, strict=False)}
            if [*folded.values()] != fields[len(FIELDS) :]:
                yield number, item is not None, folded
        last = rows[-1].n


def _wrong_sets(connection: Connection) -> int:
    """Return how many sets of items are not what the texts and tags say; a block at a time in memory."""
    wrong, seen = 0, set()
    every = terms_of_all(connection)
    for block, items in groupby(every, lambda item: item[1] // BLOCK):
        seen.add(block)
        should: dict[_Key, list[int]] = {}
        for kind, number, fields in items:
            place = number % BLOCK
            for field, terms in enumerate(fields):
                for term in terms:
                    should.setdefault((term, kind, field), []).append(place)
        query = select(POSTINGS.c.term, POSTINGS.c.kind, POSTINGS.c.field, POSTINGS.c["items"])
        rows = connection.execute(query.where(POSTINGS.c.block == block))
        are = {(term, kind, field): kept for term, kind, field, kept in rows}
        wrong += len(are.keys() - should.keys())
        wrong += sum(key not in are or _numbers(are[key]) != numbers for key, numbers in should.items())
    others = select(func.count()).select_from(POSTINGS).where(POSTINGS.c.block.not_in(seen))
    return wrong + int(connection.scalar(others) or 0)


def _numbers(kept: bytes) -> list[int]:
    """Return the items of a set in their order; none if it cannot be read."""
    try:
        return members(decoded(kept))
    except (IndexError, struct.error):
        return []


def _wrong_words(connection: Connection) -> set[str]:
    """Return the words that only one of the vocabulary and the index has."""
    return _words(connection) ^ _chunks(connection)


def _words(connection: Connection) -> set[str]:
    return {*connection.scalars(select(VOCABULARY.c.word))}


def _chunks(connection: Connection) -> set[str]:
    query = select(POSTINGS.c.term).distinct().where(POSTINGS.c.term.startswith(of_chunk("")))
    return {term[len(of_chunk("")) :] for term in connection.scalars(query)}


def _unfound_words(connection: Connection) -> int:
    """Return how many words SQLite's index of the vocabulary does not lead to."""
    if connection.dialect.name != "sqlite":
        return 0
    words = [word for word in _words(connection) if len(word) >= GRAM]
    return sum(word not in chunks_with(connection, word, len(words)) for word in words)
