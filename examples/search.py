"""One search in two ways over a sqlite table: a discriminated union whose fields are at the top.

Each way refuses the other's fields, a rule connects two arguments, and words are trimmed.

    laconic call --server examples.search:toolset book_search type=text query=sea
    laconic call --server examples.search:toolset book_search type=regex pattern='^The .*s$' since=1900
    laconic serve examples.search:toolset
"""

import re
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

from laconic.kit import Inline, Page, Record, Toolset, Window, ordered

BOOKS = [(1851, "Moby-Dick"), (1870, "Twenty Thousand Leagues Under the Sea"), (1883, "Treasure Island")]
BOOKS += [(1902, "The Hound of the Baskervilles"), (1931, "The Waves"), (1952, "The Old Man and the Sea")]


class Book(Record):
    id: int
    title: str
    year: int


def compilable(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"Invalid regex: {error}") from None
    return pattern


class TextSearch(BaseModel, extra="forbid", str_strip_whitespace=True, str_to_lower=True):
    type: Literal["text"]
    query: Annotated[str, Field(min_length=1, description="Words of the title.")]

    def fits(self, title: str) -> bool:
        return self.query in title.lower()


class RegexSearch(BaseModel, extra="forbid"):
    type: Literal["regex"]
    pattern: Annotated[str, AfterValidator(compilable), Field(description="Fits part of the title.")]
    ignore_case: bool = False

    def fits(self, title: str) -> bool:  # for strangers: in a process that can be ended, patterns can be slow
        return re.search(self.pattern, title, re.IGNORECASE if self.ignore_case else 0) is not None


toolset = Toolset("search", "A search in two ways.", provides=(sqlite3.Connection,))


@toolset.factory
async def open_books(section: Mapping[str, Any]) -> AsyncIterator[sqlite3.Connection]:
    """Make the table; from then on it can only be read."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, year INTEGER, title TEXT)")
        database.executemany("INSERT INTO book (year, title) VALUES (?, ?)", BOOKS)
        database.execute("PRAGMA query_only = ON")
        yield database


@toolset.read(rules=[ordered("since", "before")])
async def book_search(
    database: sqlite3.Connection,
    search: Annotated[TextSearch | RegexSearch, Field(discriminator="type"), Inline()],
    window: Window = Window(size=10, most=100),
    since: Annotated[int, "The first year."] = 0,
    before: Annotated[int, "The year after the last."] = 9999,
) -> Page[Book]:
    """Find books by words or by a pattern in the title, oldest first."""
    database.create_function("fits", 1, search.fits)
    sql = "SELECT * FROM book WHERE fits(title) AND year >= ? AND year < ?"
    found = [Book(id=row[0], year=row[1], title=row[2]) for row in database.execute(sql, (since, before))]
    return window.cut(found, key=lambda book: (book.year, book.id))
