"""The language of queries: words, "phrases", -without and OR, read once for every database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from laconic.stores.database.texts import is_sound
from laconic.stores.errors import BadValue
from laconic.stores.shelf.search.words import fold, stems

__all__ = ["Clause", "TextQuery", "parse"]

_LONGEST: Final = 1000  # characters
_MOST: Final = 32  # words and phrases
_PART: Final = re.compile(r'(-?)"([^"]*)"|(\S+)')


@dataclass(frozen=True)
class Clause:
    """One word or phrase: by its stems, or if it has none or is quoted, by its text."""

    text: str
    words: tuple[str, ...]
    is_wanted: bool = True


@dataclass(frozen=True)
class TextQuery:
    """Alternatives of clauses that must all hold, and the whole query as a plain text."""

    whole: str
    alternatives: tuple[tuple[Clause, ...], ...]

    @property
    def words(self) -> list[str]:
        """The stems that are looked for, each once."""
        clauses = [clause for one in self.alternatives for clause in one if clause.is_wanted]
        return list(dict.fromkeys(word for clause in clauses for word in clause.words))


def parse(text: str) -> TextQuery | None:
    """Read a query; None if it is blank.

    Raises:
        BadValue: it is too long, or has a character that no text can have.
    """
    if len(text) > _LONGEST:
        raise BadValue(f"Expected a query of at most {_LONGEST:,} characters, not {len(text):,}.", "query")
    if not is_sound(text):
        raise BadValue("A query holds a NUL character or half of a surrogate pair; no text has one.", "query")
    alternatives: list[list[Clause]] = [[]]
    for minus, phrase, word in _PART.findall(text):
        if word == "OR":
            alternatives.append([])
        elif clause := _phrase(phrase, not minus) if not word else _word(word):
            alternatives[-1].append(clause)
    whole = fold(text)
    found = tuple(tuple(one) for one in alternatives if one) or ((Clause(whole, ()),),)
    if sum(map(len, found)) > _MOST:
        raise BadValue(f"Expected at most {_MOST} words and phrases in a query.", "query")
    return TextQuery(whole, found) if whole else None


def _phrase(text: str, is_wanted: bool) -> Clause | None:
    folded = fold(text)
    return Clause(folded, (), is_wanted) if folded else None


def _word(text: str) -> Clause | None:
    is_wanted = not (text.startswith("-") and len(text) > 1)
    folded = fold(text if is_wanted else text[1:])
    return Clause(folded, tuple(stems(folded)), is_wanted) if folded else None
