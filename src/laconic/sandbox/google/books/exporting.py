"""Exporting: the first sheet as delimited text."""

from __future__ import annotations

import csv
from io import StringIO

from laconic.sandbox.google.books.a1 import Area
from laconic.sandbox.google.books.book import book_of
from laconic.sandbox.google.books.rendering import rendered
from laconic.sandbox.state import State

__all__ = ["delimited"]


def delimited(state: State, id: str, sign: str) -> str:
    """Return the first sheet of a spreadsheet, its cells as people see them."""
    book = book_of(state, id)
    file = StringIO()
    csv.writer(file, delimiter=sign).writerows(rendered(book, Area(book["sheets"][0])))
    return file.getvalue()
