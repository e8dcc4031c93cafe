"""Days: how a list writes its dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from datetime import date, datetime
from typing import Final

from laconic.data import dataclass
from laconic.kit.answers.cells import is_date
from laconic.kit.answers.records import Record
from laconic.kit.answers.sharing import FEWEST
from laconic.kit.answers.views import View

__all__ = ["MONTHS", "Days"]

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Days:
    """Writes dates: without the year if it is the one that most dates of a list are in."""

    year: int | None = None
    names: tuple[str, ...] = field(default=())  # the fields that have dates

    def __call__(self, moment: date) -> str:
        """Return a day."""
        if moment.year == self.year:
            return f"{MONTHS[moment.month - 1]}{moment.day}"
        return (moment.date() if isinstance(moment, datetime) else moment).isoformat()

    @staticmethod
    def of(view: View, records: Sequence[Record]) -> Days:
        """Return how a list writes its dates."""
        names = [name for name in view.headings if view.days and is_date(view.record, name)]
        if not names or len(records) < FEWEST:
            return Days()
        found = [getattr(record, name) for record in records for name in names]
        years = Counter(one.year for one in found if one is not None)
        return Days(years.most_common(1)[0][0], tuple(names)) if years else Days()
