"""Reading back: the values in a text that the kit wrote, for a reader who knows the types of the fields."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.kit.answers.cells import CellShape
from laconic.kit.answers.days import MONTHS
from laconic.kit.answers.sharing import ALL
from laconic.kit.answers.views import View
from laconic.text.tags import is_like_ours

__all__ = ["NotReadBack", "inside", "outside", "read_cell", "read_many", "read_one"]

Values = dict[str, Any]

_TAG = re.compile(r"<([^\W\d]\w*)(-\d+)?>")
_YEAR = re.compile(r"(.*) \((\d{4})\)")
_DAY = re.compile(rf"({'|'.join(MONTHS)})(\d\d?)")


class NotReadBack(ValueError):
    """A line that the kit does not write."""


def read_one(text: str, view: View) -> Values:
    """Return the values of one record, by their names on the wire; those without a value are None."""
    return _block(_lines(text), view) or _empty(view)


def read_many(text: str, view: View) -> list[Values]:
    """Return the values of each record in a list, a page or a batch, in the order of its text."""
    if view.is_long:
        blocks = _lines(text)
        next(blocks, None)  # the heading
        return list(_blocks(blocks, view))
    lines = iter(text.split("\n"))
    return next((list(_rows(lines, table)) for line in lines if (table := _TableHead.under(line, view))), [])


def _empty(view: View) -> Values:
    return {view.wire(name): None for name in view.columns}


def _lines(text: str) -> Iterator[tuple[str, str | None]]:
    """Return each line outside of tags with None, and each text between tags with the name of its tag."""
    while text:
        line, _, rest = text.partition("\n")
        closing = f"\n</{line[1:]}"
        found = f"\n{rest}".find(closing) if _TAG.fullmatch(line) else -1
        if found < 0:
            yield line, None
            text = rest
        else:
            yield line[1:-1], rest[: max(found - 1, 0)]
            text = rest[found + len(closing) - 1 :].removeprefix("\n")


def outside(text: str) -> list[str]:
    """Return the lines that are not between tags."""
    return [line for line, between in _lines(text) if between is None]


def inside(text: str) -> list[str]:
    """Return the texts between tags."""
    return [between for _, between in _lines(text) if between is not None]


def _blocks(lines: Iterator[tuple[str, str | None]], view: View) -> Iterator[Values]:
    while (found := _block(lines, view)) is not None:
        yield found


def _block(lines: Iterator[tuple[str, str | None]], view: View) -> Values | None:
    """Return the next record; None if what follows is no record."""
    values, shapes = _empty(view), {view.wire(name): view.shapes[name] for name in view.columns}
    is_record = False
    for line, between in lines:
        if between is not None:
            values[_field(line, shapes)] = between
        elif line == "{}":
            pass
        elif not line:
            break
        else:
            name, colon, cell = line.partition(": ")
            if not colon or name not in shapes:
                if is_record:
                    raise NotReadBack(f"This line belongs to no field: {line}")
                continue
            values[name] = read_cell(cell, shapes[name])
        is_record = True
    return values if is_record else None


def _field(tag: str, shapes: dict[str, CellShape]) -> str:
    name = tag.partition("-")[0]
    if name not in shapes:
        raise NotReadBack(f"No field is called {tag}.")
    return name


@dataclass(frozen=True)
class _TableHead:
    """The columns of a table, what their empty cells are, and the year of their dates."""

    columns: Sequence[str]  # as they are in the table
    shapes: Mapping[str, CellShape]  # in the order of the view
    usual: Mapping[str, str]
    years: Mapping[str, int]

    @staticmethod
    def under(line: str, view: View) -> _TableHead | None:
        """Return the table under a line of column names; None for any other line."""
        known = {view.wire(name): view.shapes[name] for name in view.columns}
        found = [_column(cell, known) for cell in line.split("\t")]
        columns = [name for name, _, _ in found]
        if sorted(columns) != sorted(known):
            return None
        usual = {name: value for name, value, _ in found if value}
        return _TableHead(columns, known, usual, {name: year for name, _, year in found if year})

    def read(self, name: str, cell: str) -> Any:
        """Return the value of a cell."""
        day = _DAY.fullmatch(cell) if name in self.years else None
        if day:
            return f"{self.years[name]}-{MONTHS.index(day[1]) + 1:02}-{int(day[2]):02}"
        return read_cell(cell, self.shapes[name]) if cell else None


def _column(cell: str, known: Collection[str]) -> tuple[str, str, int]:
    """Return the name of a column, what its empty cells are, and the year of its dates."""
    name, _, value = cell.partition("=")
    if name in known:
        return name, value, 0
    year = _YEAR.fullmatch(cell)
    return (year[1], "", int(year[2])) if year else (cell, "", 0)


def _rows(lines: Iterator[str], table: _TableHead) -> Iterator[Values]:
    heading: dict[str, str] = {}
    was_empty = False
    for line in lines:
        if line.startswith(f"{ALL}: "):
            said = [pair.partition(" ") for pair in line.removeprefix(f"{ALL}: ").split("\t")]
            heading = {name: cell for name, _, cell in said}
        elif not line:
            heading = {}
        elif was_empty and _is_below(line.partition("\t")[0]):
            return
        else:
            cells = dict(zip(table.columns, line.split("\t"), strict=False))
            empty = {**table.usual, **heading}
            yield {name: table.read(name, cells.get(name) or empty.get(name, "")) for name in table.shapes}
        was_empty = not line


def _is_below(cell: str) -> bool:
    """True for a line of the kit below a table; a cell that looks like one is JSON."""
    try:
        json.loads(cell)
    except ValueError:
        return is_like_ours(cell)
    return False


def read_cell(cell: str, shape: CellShape) -> Any:
    """Return the value of a cell."""
    if shape.many:
        return list(_items(cell, shape)) if cell != "[]" else []
    return _single(cell, shape)


def _items(cell: str, shape: CellShape) -> Iterator[Any]:
    place = 0
    while place <= len(cell):
        if cell.startswith('"', place):
            value, place = json.JSONDecoder().raw_decode(cell, place)
            yield value
        else:
            end = cell.find(",", place) if "," in cell[place:] else len(cell)
            yield _single(cell[place:end], shape)
            place = end
        place += 1


def _single(cell: str, shape: CellShape) -> Any:
    if cell.startswith('"'):
        return json.loads(cell)
    if shape.kind == "text":
        return cell
    if shape.kind == "bool":
        return {"yes": True, "no": False}[cell]
    try:
        return json.loads(cell, parse_constant=str)
    except (ValueError, RecursionError):
        if shape.kind == "number":
            raise NotReadBack(f"This is no number: {cell}") from None
        return cell
