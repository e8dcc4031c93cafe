"""Expected: what a caller who changes an item believes it to be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from laconic.kit import Moved
from laconic.stores import Item

__all__ = ["Expected"]


@dataclass(frozen=True)
class Expected:
    """What a caller believes an item to be: another version, or a later change, is refused."""

    version: Any = None  # or a set of them, of which one must be it
    updated_at: datetime | None = None

    def check(self, item: Item) -> None:
        """Raise Moved if the item is something else by now."""
        what = f"{item.kind.capitalize()} {item.name or item.id}"
        if self.version is not None and str(item.version) not in self._versions:
            expected = " or ".join(sorted(self._versions)) or "that of something else"
            raise Moved(what, expected=expected, current=item.version)
        if self.updated_at is not None and item.updated_at > _aware(self.updated_at):
            given, now = self.updated_at.isoformat(), item.updated_at.isoformat()
            raise Moved(what, expected=given, current=now, field="updated_at")

    @property
    def _versions(self) -> set[str]:
        several = self.version if isinstance(self.version, frozenset) else (self.version,)
        return {str(version) for version in several}


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
