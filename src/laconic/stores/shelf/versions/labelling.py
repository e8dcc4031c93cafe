"""Labelling: names such as `production` that point to one version of an item and can be moved."""

from __future__ import annotations

from sqlalchemy import delete, insert, update

from laconic.stores.errors import Missing
from laconic.stores.shelf.names import label_name
from laconic.stores.shelf.tables import LABELS
from laconic.stores.shelf.versions.past import Past
from laconic.stores.shelf.whole import WholeItems

__all__ = ["Labelling"]


class Labelling(WholeItems, Past):
    """Puts labels on versions."""

    def label(self, id: str, label: str, number: int) -> None:
        """Put a label on a version, or move it there; nothing changes if that version has it.

        Raises:
            Missing: there is no such item or version.
        """
        name, row = label_name(label), self._alive(id)
        self._version_row(row, number)
        before = self.get(id).labels.get(name)
        if before == number:
            return
        self._touch(row.kind)
        is_it = (LABELS.c.item == row.n) & (LABELS.c.label == name)
        if not self._connection.execute(update(LABELS).where(is_it).values(number=number)).rowcount:
            self._connection.execute(insert(LABELS).values(item=row.n, label=name, number=number))
        self._tell(id, **{f"labels.{name}": (before, number)})

    def unlabel(self, id: str, label: str) -> None:
        """Take a label away.

        Raises:
            Missing: no version has it.
        """
        name, row = label_name(label), self._alive(id)
        before = self.get(id).labels.get(name)
        gone = delete(LABELS).where(LABELS.c.item == row.n, LABELS.c.label == name)
        if not self._connection.execute(gone).rowcount:
            raise Missing(f"No version has the label {name}.")
        self._touch(row.kind)
        self._tell(id, **{f"labels.{name}": (before, None)})
