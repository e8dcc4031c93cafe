"""Packing: the rows of a page as data, with what many of them have in common said once.

* A row leaves out its last cells if they are null, or what `default` has for their columns, which come last.
  The default `{"as": "x"}` is the row's value of x.
* `year`: a cell such as "09-27" of these columns is a day of that year.
* An object among the rows is a heading: its values are those of the rows after it, which have no cells for
  them, up to the next object.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from laconic.kit.answers.sharing import FEWEST, Stretch, runs_of
from laconic.kit.compact import compact

__all__ = ["packed", "unpacked"]

Row = dict[str, Any]
_DAY: Final = re.compile(r"(\d{4})-(\d\d-\d\d)")
_PUNCTUATION: Final = 4  # characters around a name in a heading


def packed(columns: Sequence[str], rows: Sequence[Sequence[Any]], shared: Sequence[str]) -> dict[str, Any]:
    """Return `columns`, `rows`, and what they have in common; only columns in `shared` are said once."""
    names = [name for name in shared if name in columns]
    if not names or len(rows) < FEWEST:
        return {"columns": list(columns), "rows": [list(row) for row in rows]}
    return _Packing(columns, [dict(zip(columns, row, strict=True)) for row in rows], names).data()


def unpacked(table: Mapping[str, Any]) -> list[Row]:
    """Return the rows of such data as objects, each with all columns."""
    columns, default, years = table["columns"], table.get("default", {}), table.get("year", {})
    heading: Row = {}
    found: list[Row] = []
    for row in table["rows"]:
        if isinstance(row, dict):
            heading = row
            continue
        own = dict(zip([name for name in columns if name not in heading], row, strict=False))
        values = {**dict.fromkeys(columns), **default, **heading, **own}
        for name in default.keys() - heading.keys() - own.keys():
            if isinstance(default[name], dict):
                values[name] = values[default[name]["as"]]
        found.append({name: _restored(values[name], years.get(name)) for name in columns})
    return found


def _restored(value: Any, year: int | None) -> Any:
    is_short = year is not None and isinstance(value, str) and len(value) == len("09-27")
    return f"{year}-{value}" if is_short else value


class _Packing:
    """One page on its way to data."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Row], names: Sequence[str]) -> None:
        self._rows = rows
        self._years = self._without_year(names)
        self._texts = [{name: compact(row[name]) for name in names} for row in self._rows]
        self._default: Row = {}
        counts = {name: self._add_default(name, names) for name in names}
        later = sorted(self._default, key=lambda name: counts[name])
        self._columns = [*(name for name in columns if name not in self._default), *later]
        self._own = [{name: self._beside_default(text, name) for name in names} for text in self._texts]
        self._runs = runs_of(self._own, names, {name: len(name) + _PUNCTUATION for name in names})

    def _without_year(self, names: Iterable[str]) -> dict[str, int]:
        """Shorten the days of columns that have only days; return the year, for each of these columns."""
        found = {name: [_day(row[name]) for row in self._rows if row[name] is not None] for name in names}
        days = {
            name: [day for day in column if day] for name, column in found.items() if column and all(column)
        }
        years = Counter(day[1] for column in days.values() for day in column)
        if not years:
            return {}
        ((year, _),) = years.most_common(1)
        for name in days:
            for row in self._rows:
                day = _day(row[name])
                row[name] = day[2] if day and day[1] == year else row[name]
        return dict.fromkeys(days, int(year))

    def _add_default(self, name: str, names: Sequence[str]) -> int:
        """Find what most rows have in a column, or with which other column it agrees; count these rows."""
        text, count = Counter(row[name] for row in self._texts).most_common(1)[0]
        if 2 * count > len(self._rows) and not text.startswith("{"):
            self._default[name] = next(row[name] for row in self._rows if compact(row[name]) == text)
            return count
        for other in names[: names.index(name)]:
            if other not in self._default:
                same = sum(row[name] == row[other] for row in self._texts)
                if 2 * same > len(self._rows):
                    self._default[name] = {"as": other}
                    return same
        return 0

    def _beside_default(self, texts: Mapping[str, str], name: str) -> str:
        """Return the text of a value; nothing if it is the default."""
        default = self._default.get(name)
        usual = texts[default["as"]] if isinstance(default, dict) else compact(default)
        return "" if name in self._default and texts[name] == usual else texts[name]

    def data(self) -> dict[str, Any]:
        """Return the packed page."""
        rows: list[Any] = []
        heading: Row = {}
        for run in self._runs:
            if run.names or heading:
                heading = {name: self._rows[run.start][name] for name in run.names}
                rows.append(heading)
            rows += [self._cells(place, run) for place in range(run.start, run.end)]
        default = {name: value for name, value in self._default.items() if value is not None}
        said = {"default": default, "year": self._years}
        return {
            "columns": self._columns,
            **{name: value for name, value in said.items() if value},
            "rows": rows,
        }

    def _cells(self, place: int, run: Stretch) -> list[Any]:
        columns = [name for name in self._columns if name not in run.names]
        while columns[-1:] and columns[-1] in self._default and not self._own[place][columns[-1]]:
            columns.pop()
        return [self._rows[place][name] for name in columns]


def _day(value: Any) -> re.Match[str] | None:
    return _DAY.fullmatch(value) if isinstance(value, str) else None
