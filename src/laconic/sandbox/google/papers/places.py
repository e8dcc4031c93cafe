"""Places: which block, perhaps in a cell of a table, an index of a segment is in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter
from typing import Any

from laconic.sandbox.google.papers.blocks import is_paragraph, with_cell
from laconic.sandbox.google.papers.runs import Row

__all__ = ["Blocks", "Spot", "Step", "cells_of", "changed", "end_of", "put", "rebuilt", "spot", "walk"]

Step = tuple[int, int, int]  # a table among the blocks, a row and a column


_SIZE = itemgetter("size")


class Blocks(list[Row]):
    """The blocks of a segment, which know where each of them begins, however many they are."""

    def __init__(self, blocks: Iterable[Row]) -> None:
        super().__init__(blocks)
        self._starts: list[int] | None = None

    @property
    def starts(self) -> list[int]:
        """Where each block begins, and where the last one ends."""
        if self._starts is None:
            self._starts = list(accumulate(map(_SIZE, self), initial=0))
        return self._starts

    def __setitem__(self, place: Any, new: Any) -> None:
        if not isinstance(place, slice) and new["size"] == self[place]["size"]:
            super().__setitem__(place, new)
            return
        first, stop = (place.start, place.stop) if isinstance(place, slice) else (place, place + 1)
        if self._starts is not None:
            sizes = map(_SIZE, new if isinstance(place, slice) else [new])
            fresh = list(accumulate(sizes, initial=self._starts[first]))
            by = fresh[-1] - self._starts[stop]
            rest = self._starts[stop + 1 :]
            self._starts = [*self._starts[:first], *fresh, *([one + by for one in rest] if by else rest)]
        super().__setitem__(place, new)


@dataclass(frozen=True)
class Spot:
    """Where an index is: a block of a container, which is a segment or a cell."""

    path: tuple[Step, ...]  # from the segment to the container
    blocks: list[Row]  # of the container
    base: int  # where the container begins
    at: int  # which block
    start: int  # where it begins

    @property
    def block(self) -> Row:
        """The block."""
        return self.blocks[self.at]

    @property
    def end(self) -> int:
        """Where the container ends."""
        return self.base + end_of(self.blocks)


def end_of(blocks: list[Row]) -> int:
    """Return how many units blocks take."""
    return blocks.starts[-1] if isinstance(blocks, Blocks) else sum(map(_SIZE, blocks))


def spot(blocks: list[Row], index: int, base: int = 0, path: tuple[Step, ...] = ()) -> Spot:
    """Return where an index inside of blocks is; in a table, but in none of its cells, that is the table."""
    if isinstance(blocks, Blocks):
        starts = blocks.starts
    else:
        starts = list(accumulate(map(_SIZE, blocks), initial=base))
    at = bisect_right(starts, index) - 1
    here = Spot(path, blocks, base, at, starts[at])
    for row, column, start, cell in cells_of(here.block, here.start):
        if start <= index < start + end_of(cell["blocks"]):
            return spot(cell["blocks"], index, start, (*path, (at, row, column)))
    return here


def cells_of(block: Row, start: int) -> Iterator[tuple[int, int, int, Row]]:
    """Yield the cells of a block that is a table, each with where its content begins."""
    place = start + 1
    for number, row in enumerate(block.get("rows", ())):
        place += 1
        for column, cell in enumerate(row["cells"]):
            place += 1
            yield number, column, place, cell
            place += end_of(cell["blocks"])


def put(container: Row, path: tuple[Step, ...], start: int, stop: int, new: list[Row]) -> None:
    """Replace blocks of a container inside of another one, whose list of blocks may be changed."""
    if not path:
        container["blocks"][start:stop] = new
        return
    (at, row, column), *rest = path
    outer = container["blocks"][at]
    inner = dict(outer["rows"][row]["cells"][column])
    inner["blocks"] = list(inner["blocks"])
    put(inner, tuple(rest), start, stop, new)
    container["blocks"][at] = with_cell(outer, row, column, inner)


def walk(blocks: list[Row], base: int = 0) -> Iterator[tuple[Row, int]]:
    """Yield all paragraphs, also those in tables, each with where it begins."""
    place = base
    for block in blocks:
        if is_paragraph(block):
            yield block, place
        for _, _, start, cell in cells_of(block, place):
            yield from walk(cell["blocks"], start)
        place += block["size"]


def rebuilt(blocks: list[Row], change: Callable[[Row, int], Row], base: int = 0) -> list[Row]:
    """Return blocks with each paragraph changed, also in tables; their sizes may become others."""
    found, place = [], base
    for block in blocks:
        new = change(block, place) if is_paragraph(block) else block
        for row, column, start, cell in cells_of(block, place):
            inner = {**cell, "blocks": rebuilt(cell["blocks"], change, start)}
            if inner["blocks"] != cell["blocks"]:
                new = with_cell(new, row, column, inner)
        found.append(new)
        place += block["size"]
    return found


def changed(container: Row, start: int, end: int, change: Callable[[Row, int], Row], base: int = 0) -> None:
    """Change each paragraph that overlaps a range, also in tables; their sizes must stay as they are."""
    blocks = container["blocks"]
    first, place = 0, base
    if isinstance(blocks, Blocks):
        first = bisect_right(blocks.starts, start) - 1
        place = blocks.starts[first]
    for at in range(first, len(blocks)):
        block = blocks[at]
        stop = place + block["size"]
        if place >= end:
            break
        if stop > start:
            if is_paragraph(block):
                container["blocks"][at] = change(block, place)
            for row, column, inside, cell in cells_of(block, place):
                if inside < end and inside + end_of(cell["blocks"]) > start:
                    inner = {**cell, "blocks": list(cell["blocks"])}
                    changed(inner, start, end, change, inside)
                    container["blocks"][at] = with_cell(container["blocks"][at], row, column, inner)
        place = stop
