"""The vocabulary: every chunk that any text has, so that a part of one leads to whole ones.

There are far fewer chunks than texts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection

from laconic.stores.database.rows import read_rows
from laconic.stores.shelf.search.postings import of_chunk
from laconic.stores.shelf.search.words import LONGEST
from laconic.stores.shelf.statements import as_list

__all__ = ["GRAM", "chunks_from", "chunks_with", "learn", "unlearn"]

GRAM: Final = 3  # letters of the shortest text that `chunks_with` finds
_IGNORING: Final = "ON CONFLICT DO NOTHING"
_ADD: Final = {
    True: f"INSERT INTO vocabulary (word) SELECT value FROM json_each(?) WHERE true {_IGNORING}",
    False: f"INSERT INTO vocabulary (word) SELECT unnest(%s::text[]) {_IGNORING}",
}
_UNUSED: Final = "NOT EXISTS (SELECT 1 FROM postings WHERE term = '" + of_chunk("") + "' || word)"
_TAKE: Final = {
    True: f"DELETE FROM vocabulary WHERE word IN (SELECT value FROM json_each(?)) AND {_UNUSED}",
    False: f"DELETE FROM vocabulary WHERE word = ANY(%s) AND {_UNUSED}",
}
_FIND: Final = (
    "SELECT word FROM vocabulary"
    " WHERE n IN (SELECT rowid FROM vocabulary_grams WHERE vocabulary_grams MATCH ?) LIMIT ?"
)
_FROM: Final = "SELECT word FROM vocabulary WHERE word >= {0} AND word <= {0} LIMIT {0}"
_STARTING: Final = {True: _FROM.format("?"), False: _FROM.format("%s")}
_LAST: Final = chr(sys.maxunicode) * LONGEST  # sorted after everything that a chunk can go on with
_FIND_LIKE: Final = "SELECT word FROM vocabulary WHERE word LIKE %s LIMIT %s"
_FIND_SIGNS: Final = "SELECT word FROM vocabulary WHERE strpos(word, %s) > 0 LIMIT %s"
_LETTERS: Final = re.compile(r"[^\W_]{3}")  # what the trigrams of PostgreSQL are made of; signs are in none


def learn(connection: Connection, chunks: Iterable[str]) -> None:
    """Add what is new to the vocabulary."""
    if new := sorted(chunks):
        is_sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(_ADD[is_sqlite], (as_list(connection, new),))


def unlearn(connection: Connection, chunks: Iterable[str]) -> None:
    """Take those of some chunks out of the vocabulary that no text has any longer."""
    if old := sorted(chunks):
        is_sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(_TAKE[is_sqlite], (as_list(connection, old),))


def chunks_from(connection: Connection, start: str, most: int) -> list[str]:
    """Return the chunks that start with a text; at most so many."""
    query = _STARTING[connection.dialect.name == "sqlite"]
    return [word for (word,) in read_rows(connection, query, (start, start + _LAST, most))]


def chunks_with(connection: Connection, text: str, most: int) -> list[str]:
    """Return chunks, among them those that contain a text of three letters or more; at most so many."""
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        found = read_rows(connection, _FIND, (_grams(text), most))
    elif _LETTERS.search(text):
        found = read_rows(connection, _FIND_LIKE, (_pattern(text), most))
    else:
        found = read_rows(connection, _FIND_SIGNS, (text, most))
    return [word for (word,) in found]


def _grams(text: str) -> str:
    """Return a query of FTS5 for what has the first, the middle and the last three letters of a text.

    Few other chunks have all of them, and a whole text takes several times as long.
    """
    last = len(text) - 3
    grams = {text[start : start + 3].replace('"', '""') for start in (0, last // 2, last)}
    return " AND ".join(f'"{gram}"' for gram in sorted(grams))


def _pattern(text: str) -> str:
    """Return the pattern of LIKE for whatever contains a text."""
    for special in "\\%_":
        text = text.replace(special, f"\\{special}")
    return f"%{text}%"
