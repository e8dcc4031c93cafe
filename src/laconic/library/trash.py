"""The trash: what has been in it for long is deleted for good, if a person wants that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from pydantic import BaseModel, Field

from laconic.kit import UserOnly
from laconic.stores import Shelf

__all__ = ["TrashSettings", "empty_trash"]

_AGES: Final = 365_000  # days: longer than anything can have been there
_AT_ONCE: Final = 100  # items in one transaction: others who write do not wait for long


class TrashSettings(BaseModel):
    """How long the trash is kept; a repository must not decide that."""

    trash_days: Annotated[float | None, Field(ge=0), UserOnly()] = None  # None: until a person empties it


async def empty_trash(shelf: Shelf, kinds: Sequence[str], days: float, now: datetime | None = None) -> int:
    """Delete for good what has been in the trash for so many days; returns how many items."""
    before = (now or datetime.now(UTC)) - timedelta(days=min(days, _AGES))
    gone, number = 0, _AT_ONCE
    while number == _AT_ONCE:
        number = await shelf.run(lambda desk: desk.empty_trash(before, kinds, _AT_ONCE))
        gone += number
    return gone
