"""Blocks: paragraphs, tables and section breaks. A block is never changed, only replaced by another.

So a draft of a document costs a copy of its list of blocks, however long their texts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laconic.sandbox.google.papers.runs import Row, joined, lines, run_size, text_run

__all__ = [
    "cell",
    "empty_paragraph",
    "is_empty",
    "is_paragraph",
    "new_table",
    "paragraph",
    "paragraphs",
    "plain",
    "references",
    "section_break",
    "table",
    "table_of",
    "with_cell",
]

_PLAIN: Row = {"namedStyleType": "NORMAL_TEXT", "direction": "LEFT_TO_RIGHT"}


def is_paragraph(block: Row) -> bool:
    """Whether a block is a paragraph."""
    return "runs" in block


def paragraph(runs: Sequence[Row], like: Row | None = None, **more: Any) -> Row:
    """Return a paragraph of runs that end with a newline, with the style and the list of another."""
    other = {key: value for key, value in (like or {"style": _PLAIN}).items() if key not in ("runs", "size")}
    kept = joined(runs)
    return {**other, **more, "runs": kept, "size": sum(map(run_size, kept))}


def paragraphs(runs: Sequence[Row], like: Row) -> list[Row]:
    """Return one paragraph for each line of runs; what one paragraph alone can have stays with the first."""
    found = [paragraph(line, like) for line in lines(runs)]
    return [found[0], *(_copied(one) for one in found[1:])]


def _copied(block: Row) -> Row:
    style = {key: value for key, value in block["style"].items() if key != "headingId"}
    return {**{key: value for key, value in block.items() if key != "positioned"}, "style": style}


def empty_paragraph() -> Row:
    """Return a paragraph that is a newline alone."""
    return paragraph([text_run("\n")])


def is_empty(blocks: Sequence[Row]) -> bool:
    """Whether blocks are a newline alone."""
    return len(blocks) == 1 and blocks[0]["size"] == 1


def section_break(style: Row | None = None) -> Row:
    """Return a section break."""
    usual = {"columnSeparatorStyle": "NONE", "contentDirection": "LEFT_TO_RIGHT", "sectionType": "CONTINUOUS"}
    return {"section": {**usual, **(style or {})}, "size": 1}


def cell(blocks: Sequence[Row] | None = None, style: Row | None = None) -> Row:
    """Return a cell of a table."""
    return {"blocks": list(blocks or [empty_paragraph()]), "style": style or {}}


def table(rows: Sequence[Row], like: Row) -> Row:
    """Return a table of other rows: one unit for itself, each row and each cell, and one for its end."""
    size = 2 + sum(1 + sum(1 + _size(one) for one in row["cells"]) for row in rows)
    return {**like, "rows": list(rows), "size": size}


def _size(container: Row) -> int:
    return sum(block["size"] for block in container["blocks"])


def new_table(rows: int, columns: int) -> Row:
    """Return an empty table."""
    made = [{"cells": [cell() for _ in range(columns)], "style": {}} for _ in range(rows)]
    return table(made, {"columns": [{"widthType": "EVENLY_DISTRIBUTED"} for _ in range(columns)]})


def table_of(texts: Sequence[Sequence[Sequence[Row]]]) -> Row:
    """Return a table with one paragraph of runs in each cell."""
    made = new_table(len(texts), max(map(len, texts)))
    rows = []
    for row, given in zip(made["rows"], texts, strict=True):
        cells = [cell([paragraph([*runs, text_run("\n")])]) for runs in given]
        rows.append({**row, "cells": cells + row["cells"][len(cells) :]})
    return table(rows, made)


def with_cell(block: Row, row: int, column: int, inner: Row) -> Row:
    """Return a table with another cell."""
    rows = list(block["rows"])
    cells = list(rows[row]["cells"])
    cells[column] = inner
    rows[row] = {**rows[row], "cells": cells}
    return table(rows, block)


def plain(blocks: Sequence[Row]) -> Iterator[str]:
    """Yield the text of blocks, paragraph by paragraph."""
    for block in blocks:
        if is_paragraph(block):
            yield "".join(run.get("text", "") for run in block["runs"])
        for row in block.get("rows", ()):
            for one in row["cells"]:
                yield from plain(one["blocks"])


_REFERRING = ("footnoteReference", "footnoteId"), ("inlineObjectElement", "inlineObjectId")


def references(blocks: Sequence[Row]) -> Iterator[str]:
    """Yield the ids of footnotes and objects that blocks refer to."""
    for block in blocks:
        for run in block.get("runs", ()):
            for kind, name in _REFERRING:
                if kind in run.get("element", ()):
                    yield run["element"][kind][name]
        for row in block.get("rows", ()):
            for one in row["cells"]:
                yield from references(one["blocks"])
