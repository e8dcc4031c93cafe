"""Asked: a query as a shape, which decides the SQL, and the words, tags and texts that fill it in.

Each word, tag, and text in a group of fields is one bit: an item's bits say what of the query it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from laconic.stores.shelf.models import ItemKind
from laconic.stores.shelf.names import is_name
from laconic.stores.shelf.search.language import Clause, TextQuery

__all__ = ["FIELDS", "Asked", "Groups", "QueryPart", "QueryShape", "Sought", "asked", "groups_of", "pattern"]
__all__ += ["quoted"]

FIELDS: Final = ("name", "title", "description", "terms", "body")
Groups = tuple[tuple[str, ...], ...]
Way = Literal["tokens", "grams", "like", "scan"]
"""How a text is found: by the words that contain it, by trigrams of SQLite or PostgreSQL, or by reading."""


@dataclass(frozen=True)
class Sought:
    """A text, how it is found, and the words that contain it if that is the way."""

    text: str
    way: Way
    words: tuple[str, ...] = ()

    def values(self, number: int, groups: Groups) -> dict[str, str]:
        """Return the values of the parameters for it."""
        if self.way in ("like", "scan"):
            return {f"text{number}": pattern(self.text)}
        within = " OR ".join(map(quoted, self.words or ("",)))
        wanted = f"({within})" if self.way == "tokens" else quoted(self.text)
        return {
            f"text{number}_{place}": f"{{{' '.join(fields)}}} : {wanted}"
            for place, fields in enumerate(groups)
        }


@dataclass(frozen=True)
class QueryPart:
    """One clause: which words, tag or text it means, by their numbers."""

    words: tuple[int, ...]
    tag: int | None
    text: int | None
    is_wanted: bool


@dataclass(frozen=True)
class QueryShape:
    """What is asked, without the words themselves. Text 0 is the whole query."""

    alternatives: tuple[tuple[QueryPart, ...], ...]
    ranks: tuple[bool, ...]  # of each word: whether it counts for the rank
    tags: tuple[int, ...]  # of each tag: how often it counts
    texts: tuple[tuple[bool, Way], ...]  # of each text: whether it counts, and how it is found

    @property
    def has_rest(self) -> bool:
        """True if an alternative only says what must not be there."""
        return any(not any(part.is_wanted for part in parts) for parts in self.alternatives)


@dataclass(frozen=True)
class Asked:
    """A query, taken apart."""

    shape: QueryShape
    words: tuple[str, ...]
    tags: tuple[str, ...]
    texts: tuple[Sought, ...]

    def values(self, groups: Groups) -> dict[str, Any]:
        """Return the values of the parameters that `ranking` names."""
        found: dict[str, Any] = {f"word{number}": word for number, word in enumerate(self.words)}
        found |= {f"tag{number}": tag for number, tag in enumerate(self.tags)}
        for number, text in enumerate(self.texts):
            found |= text.values(number, groups)
        return found


def asked(query: TextQuery, seek: Callable[[str], Sought]) -> Asked:
    """Take a query apart; `seek` says how a text is found."""
    clauses = [clause for clauses in query.alternatives for clause in clauses]
    wanted = [clause for clause in clauses if clause.is_wanted]
    words = _once(word for clause in clauses for word in clause.words)
    tags = _once(clause.text for clause in clauses if _may_be_tag(clause))
    texts = _once([query.whole, *(clause.text for clause in clauses if not clause.words)])
    ranking = {query.whole, *(clause.text for clause in wanted if not clause.words)}
    sought = tuple(map(seek, texts))

    def part(clause: Clause) -> QueryPart:
        if not clause.words:
            return QueryPart((), None, texts.index(clause.text), clause.is_wanted)
        tag = tags.index(clause.text) if _may_be_tag(clause) else None
        return QueryPart(tuple(map(words.index, clause.words)), tag, None, clause.is_wanted)

    shape = QueryShape(
        alternatives=tuple(tuple(map(part, clauses)) for clauses in query.alternatives),
        ranks=tuple(word in query.words for word in words),
        tags=tuple(sum(clause.text == tag and bool(clause.words) for clause in wanted) for tag in tags),
        texts=tuple((one.text in ranking, one.way) for one in sought),
    )
    return Asked(shape, tuple(words), tuple(tags), sought)


def groups_of(kinds: Sequence[ItemKind]) -> Groups:
    """Return the fields, those that weigh the same in each of these kinds together; the body is alone."""
    found: dict[tuple[int, ...], list[str]] = {}
    for field in FIELDS:
        weights = tuple(kind.weights()[field] for kind in kinds)
        found.setdefault((field == "body", *weights), []).append(field)
    return tuple(map(tuple, found.values()))


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _may_be_tag(clause: Clause) -> bool:
    return bool(clause.words) and is_name(clause.text)


def quoted(text: str) -> str:
    """Return a text as FTS5 takes it literally."""
    return '"' + text.replace('"', '""') + '"'


def pattern(text: str) -> str:
    """Return the pattern of LIKE for whatever contains a text."""
    for special in "\\%_":
        text = text.replace(special, f"\\{special}")
    return f"%{text}%"
