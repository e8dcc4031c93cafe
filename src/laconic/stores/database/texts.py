"""Texts that a database cannot keep: refused on every database alike, before they are sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Engine, event

from laconic.stores.errors import BadValue

__all__ = ["is_sound", "refuse_bad_texts", "refuse_bad_values"]

_BAD: Final = re.compile("[\0\ud800-\udfff]")


def refuse_bad_texts(engine: Engine) -> None:
    """Refuse NUL and halves of surrogate pairs: SQLite keeps the first, PostgreSQL neither."""

    @event.listens_for(engine, "before_cursor_execute")
    def _(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        for row in parameters if many else (parameters,):
            refuse_bad_values(row)


def refuse_bad_values(row: Mapping[str, object] | Iterable[object]) -> None:
    """Refuse the values of one statement, if a text among them cannot be kept.

    Raises:
        BadValue: there is one.
    """
    for value in row.values() if isinstance(row, Mapping) else row:
        if isinstance(value, str) and not is_sound(value):
            raise BadValue("A text holds a NUL character or half of a surrogate pair; neither can be kept.")


def is_sound(text: str) -> bool:
    """True if every database can keep a text."""
    return "\0" not in text if text.isascii() else _BAD.search(text) is None
