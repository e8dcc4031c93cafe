"""Limits: how long the texts of an item may be, whoever writes them."""

from __future__ import annotations

from typing import Final

from laconic.kit import BadArguments, Unset

__all__ = ["DESCRIPTION", "TITLE", "refuse_long_words"]

TITLE: Final = 500  # characters
DESCRIPTION: Final = 2000


def refuse_long_words(title: str | Unset | None, description: str | Unset | None) -> None:
    """Refuse a title or a description that is too long; tools have done so before.

    Raises:
        BadArguments: one is.
    """
    for field, text, most in (("title", title, TITLE), ("description", description, DESCRIPTION)):
        if isinstance(text, str) and len(text) > most:
            said = f"Invalid {field}. Expected: at most {most:,} characters, not {len(text):,}."
            raise BadArguments(said, field=field)
