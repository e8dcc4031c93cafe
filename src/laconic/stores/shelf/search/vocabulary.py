"""The vocabulary: every word that any text has or had, so that a part of a word is found by whole words.

There are far fewer words than texts. Only SQLite has one: its index of words then leads to the items.
PostgreSQL has trigrams of texts, and would make writers wait for each other's new words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, column, literal_column, select, table

from laconic.stores.shelf.search.asked import FIELDS, Sought, pattern, quoted
from laconic.stores.shelf.search.words import is_token, tokens
from laconic.stores.shelf.statements import statement
from laconic.stores.shelf.tables import TEXTS

__all__ = ["learn", "learn_all", "seek"]

_GRAM: Final = 3  # letters: a shorter text is in no index of trigrams
_MOST: Final = 200  # words; where more contain a text, its trigrams are faster
_WORDS: Final = table("vocabulary", column("n"), column("word"))


def seek(connection: Connection, text: str) -> Sought:
    """Return how a text is found."""
    is_short = len(text) < _GRAM
    if connection.dialect.name != "sqlite":
        return Sought(text, "scan" if is_short else "like")
    if is_token(text):
        words = _words_with(connection, text)
        if len(words) <= _MOST:
            return Sought(text, "tokens", words)
    return Sought(text, "scan" if is_short else "grams")


def learn(connection: Connection, texts: Iterable[str]) -> None:
    """Add what is new to the vocabulary; nothing is taken out of it."""
    if connection.dialect.name == "sqlite":
        words = sorted(set().union(*map(tokens, texts)))
        if words:
            rows = [(word,) for word in words]
            connection.exec_driver_sql("INSERT OR IGNORE INTO vocabulary (word) VALUES (?)", rows)


def learn_all(connection: Connection) -> None:
    """Add the words of all texts."""
    for row in connection.execute(select(*(TEXTS.c[field] for field in FIELDS))):
        learn(connection, row)


def _words_with(connection: Connection, text: str) -> tuple[str, ...]:
    """Return the words that contain a text: all of them, or more than are of use."""
    is_short = len(text) < _GRAM
    prepared = statement(connection, ("words", is_short), lambda: _containing(is_short))
    values = {"text": pattern(text) if is_short else quoted(text), "most": _MOST + 1}
    return tuple(prepared.run(connection, values).scalars())


def _containing(is_short: bool) -> Select[Any]:
    if is_short:
        has_text = _WORDS.c.word.like(bindparam("text"), escape="\\")
    else:
        grams = table("vocabulary_grams", column("rowid"))
        hits = select(grams.c.rowid).where(literal_column("vocabulary_grams").op("MATCH")(bindparam("text")))
        has_text = _WORDS.c.n.in_(hits)
    return select(_WORDS.c.word).where(has_text).limit(bindparam("most"))
