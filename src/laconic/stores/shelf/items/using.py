"""Using: when an item was used last and how often, apart from when it was changed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import update

from laconic.stores.shelf.ground import Ground
from laconic.stores.shelf.tables import USES

__all__ = ["Using"]

_MINUTE: Final = timedelta(minutes=1)


class Using(Ground):
    """Notes uses."""

    def use(self, id: str, every: timedelta = _MINUTE) -> bool:
        """Note a use; False if one was noted within the last minute, or however long `every` is."""
        earlier = self._now - every // timedelta(microseconds=1)
        is_due = (USES.c.last_used_at <= earlier) | (USES.c.uses == 0)
        noted = update(USES).where(USES.c.item == self._row(id).n, is_due)
        done = self._connection.execute(noted.values(last_used_at=self._now, uses=USES.c.uses + 1))
        return bool(done.rowcount)
