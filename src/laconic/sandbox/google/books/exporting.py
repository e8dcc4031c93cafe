"""Exporting: a sheet as delimited text."""

from __future__ import annotations

import csv
from io import StringIO

from laconic.sandbox.google.books.a1 import Area
from laconic.sandbox.google.books.book import book_of
from laconic.sandbox.google.books.rendering import rendered
from laconic.sandbox.state import State

__all__ = ["delimited", "sheets_of"]


def sheets_of(state: State, id: str) -> range:
    """Return the places of the sheets of a spreadsheet."""
    return range(len(book_of(state, id)["sheets"]))


def delimited(state: State, id: str, sign: str, number: int = 0) -> str:
    """Return a sheet of a spreadsheet, the first unless another is wanted, its cells as people see them."""
    book = book_of(state, id)
    file = StringIO()
    csv.writer(file, delimiter=sign).writerows(rendered(book, Area(book["sheets"][number])))
    return file.getvalue()
