"""Facts: the data of an answer before it is in an envelope, so that a part can be left out by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, field, replace
from typing import Any

from laconic.data import dataclass
from laconic.kit.answers.envelope import Envelope, PageFacts

__all__ = ["Facts"]


@dataclass(frozen=True)
class Facts:
    """The values of one record, or the rows of a page or batch."""

    values: Any = None  # of one record, or a plain value
    page: PageFacts | None = None
    failures: Mapping[str, Any] | None = None  # of a batch
    key: str | None = None  # the field by which records are known
    about: Mapping[str, Any] = field(default_factory=dict)  # further fields of the envelope

    def inside(self, envelope: Envelope) -> dict[str, Any]:
        """Return the data in its envelope."""
        inside = self._inside(envelope)
        return envelope.extended(inside, self.about) if self.about else inside

    def _inside(self, envelope: Envelope) -> dict[str, Any]:
        if self.page is None:
            return envelope.one(self.values)
        if self.failures is None:
            return envelope.page(self.page)
        return envelope.batch(self.page, self.failures)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The fields of each record."""
        if self.page is not None:
            return self.page.items
        return [self.values] if isinstance(self.values, dict) else []

    def names(self) -> list[str]:
        """Return how to name each record: by its key, else by its place."""
        keys = [row.get(self.key or "") for row in self.rows]
        return [str(place if key is None else key) for place, key in enumerate(keys, start=1)]

    def without(self, fields: Collection[str]) -> Facts:
        """Leave fields out of every record."""
        fields = frozenset(fields)
        if self.page is None:
            return replace(self, values=_without(self.values, fields))
        columns = [name for name in self.page.columns if name not in fields]
        rows = [list(_without(row, fields).values()) for row in self.rows]
        return replace(self, page=replace(self.page, columns=columns, rows=rows))

    def only_fields(self, fields: Collection[str]) -> Facts:
        """Leave all other fields out of every record."""
        if self.page is None:
            return replace(self, values={name: self.values[name] for name in fields if name in self.values})
        places = [self.page.columns.index(name) for name in fields if name in self.page.columns]
        columns = [self.page.columns[place] for place in places]
        rows = [[row[place] for place in places] for row in self.page.rows]
        return replace(self, page=replace(self.page, columns=columns, rows=rows))

    def only(self, places: Sequence[int]) -> Facts:
        """Leave out all other rows."""
        if self.page is None:
            return self
        return replace(self, page=replace(self.page, rows=[self.page.rows[place] for place in places]))

    def as_json(self) -> dict[str, Any]:
        """Return these facts as JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> Facts:
        """Return the facts that `as_json` wrote."""
        page = stored.get("page")
        return Facts(**{**stored, "page": PageFacts(**page) if page else None})


def _without(row: Mapping[str, Any], fields: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in fields}
