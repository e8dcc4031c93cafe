"""Reading back: the values in a text that the kit wrote, for a reader who knows the types of the fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from laconic.kit.answers.cells import CellShape
from laconic.kit.answers.views import NONE, View

__all__ = ["NotReadBack", "inside", "outside", "read_cell", "read_many", "read_one"]

Values = dict[str, Any]

_TAG = re.compile(r"<([^\W\d]\w*)(-\d+)?>")


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
    head = "\t".join(view.wire(name) for name in view.row_columns())
    lines = iter(text.split("\n"))
    if not any(line == head for line in lines):
        return []
    return list(_rows(lines, view))


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


def _rows(lines: Iterator[str], view: View) -> Iterator[Values]:
    columns, group = view.row_columns(), None
    for line in lines:
        if not line:
            return
        heading = f"{view.wire(view.group)} " if view.group else ""
        if view.group and line.startswith(heading) and line.endswith(":") and "\t" not in line:
            name = line.removeprefix(heading).removesuffix(":")
            group = None if name == NONE else read_cell(name, view.shapes[view.group])
            continue
        cells = line.split("\t")
        values = _empty(view) | ({view.wire(view.group): group} if view.group else {})
        for name, cell in zip(columns, cells, strict=False):
            values[view.wire(name)] = read_cell(cell, view.shapes[name]) if cell else None
        yield values


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
