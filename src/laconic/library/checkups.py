"""Checkups: what `laconic doctor` says about the library."""

from __future__ import annotations

from laconic.kit import Diagnosis
from laconic.stores import Shelf

__all__ = ["tables_of"]


async def tables_of(shelf: Shelf) -> Diagnosis:
    """Say whether the next use changes the tables; nothing is changed or created here.

    Raises:
        StoreError: the library cannot be read, or is of a newer Laconic.
    """
    pending = await shelf.pending()
    if not pending:
        return Diagnosis("library", "up to date")
    return Diagnosis("library", f"the next use brings its tables up to date: {', '.join(pending)}")
