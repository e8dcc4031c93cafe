"""Texts that a database cannot keep: refused on every database alike, before they are sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Engine, event

from laconic.stores.errors import BadValue

__all__ = ["refuse_bad_texts"]

_BAD: Final = re.compile("[\0\ud800-\udfff]")


def refuse_bad_texts(engine: Engine) -> None:
    """Refuse NUL and halves of surrogate pairs: SQLite keeps the first, PostgreSQL neither."""

    @event.listens_for(engine, "before_cursor_execute")
    def _(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        for row in parameters if many else (parameters,):
            _check(row)


def _check(row: Mapping[str, object] | Iterable[object]) -> None:
    for value in row.values() if isinstance(row, Mapping) else row:
        if isinstance(value, str) and not _is_sound(value):
            raise BadValue("A text holds a NUL character or half of a surrogate pair; neither can be kept.")


def _is_sound(text: str) -> bool:
    return "\0" not in text if text.isascii() else _BAD.search(text) is None
