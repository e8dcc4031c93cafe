"""Watching: whether anything was written to a database, learned without reading it again."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count
from typing import Final, Protocol

__all__ = ["NUMBERS", "Mark", "Watch"]

Mark = Hashable
"""Equal to an earlier one only if nothing was written in between, by whomever."""

NUMBERS: Final = count()  # of the watches of this process: the marks of two never equal each other


class Watch(Protocol):
    """A connection that is only asked whether something was written."""

    @property
    def is_over(self) -> bool:
        """True if it broke: it knows nothing any more."""

    async def look(self) -> Mark | None:
        """Return the mark of what is there now; None if that is not known. Never fails, and never waits long.

        What was committed before the event loop had reason to run the caller is part of it, in any process.
        """

    def close(self) -> None:
        """Close the connection, in the thread of the event loop that looked."""
