"""Reading values: pages of ranges of any size, and the rows with a word, each reading at one version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from laconic.kit import Conflict, Page, Progress, Verbatim, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.models.sheets import SheetRow, cells_text
from laconic.servers.google.sheets.blocks import RowBlock, RowBlocks, version_of
from laconic.servers.google.sheets.structure import telling_sheets
from laconic.servers.google.sheets.windows import RowPlace

_LOOKS: Final = 40  # blocks that are looked at for more rows
_EMPTY: Final = "These cells are empty."


async def read_values(
    access: Access, id: str, ranges: Sequence[str], render: str, window: Window, *, ahead: bool = True
) -> Page[SheetRow]:
    """Return rows of ranges, as many as the window takes.

    `ahead`: those after them are fetched as well and kept, so that the next pages are of the same version.
    """
    start, version = _begin(window)
    async with telling_sheets(access, id):
        blocks = RowBlocks(access, id, ranges, render, version, window.count)
        if not version and (await blocks.reader()).after(start, window.count) is not None:
            blocks.version = await version_of(access, id)
        is_kept = bool(blocks.version) and (ahead or window.position is not None)
        block = await (blocks.at(start) if is_kept else blocks.first(start, window.count))
        end = (await blocks.reader()).after(start, window.count)
        end = min((one for one in (end, block.after) if one is not None), default=None)
        rows = [row for _, row in block.rows(start, end)]
        end = await _next_filled(blocks, block, end) if end is not None else None
    total = len(rows) if end is None and not window.position else None
    next = (*end, blocks.version) if end is not None else None
    return Page(rows, total, next=next, remark=blocks.remark or ("" if rows else _EMPTY))


def _begin(window: Window) -> tuple[RowPlace, str]:
    """Return where a page begins, and the version of the spreadsheet that the pages before were of."""
    which, row, *version = window.position or (0, 0)
    return (int(which), int(row)), str(version[0]) if version else ""


async def _next_filled(blocks: RowBlocks, block: RowBlock, start: RowPlace) -> RowPlace | None:
    """Return the first place from another one on that has values; None if there is none.

    Where it is depends on nothing that is shown, so the version is not asked for: whoever reads on there is
    told if it is another one.
    """
    for _ in range(_LOOKS):
        for found, row in block.rows(start, None):
            if row.cells:
                return found
        if block.after is None:
            return None
        start = block.after
        block = await blocks.as_many_as_fit(start)
    return start


async def values_text(access: Access, id: str, range: str, at: str | None) -> Verbatim:
    """Return the values of a range as text: its first rows, as many as fit a block, and where the rest is.

    Raises:
        Conflict: the spreadsheet is at another version than `at`.
    """
    async with telling_sheets(access, id):
        blocks = RowBlocks(access, id, [range], "formatted", at or await version_of(access, id), 1)
        whole = (await blocks.reader()).ranges[0]
        block = await blocks.at((0, whole.top))
    text = "\n".join(cells_text(row.cells) for _, row in block.rows((0, 0), None))
    if block.after is None:
        return Verbatim(text, remark=blocks.remark)
    last, rest = block.after[1], whole.rows(block.after[1], whole.bottom or 0)
    cells = quote(rest.written(), safe="!:'")
    address = f"gdrive://sheets/{id}/values/{cells}?at={blocks.version}"
    return Verbatim(text, remark=f"{blocks.remark} Up to row {last:,}. Read on: {address}.".strip())


async def find_rows(
    access: Access, id: str, ranges: Sequence[str], render: str, word: str, window: Window, progress: Progress
) -> Page[SheetRow]:
    """Return the rows that have a word in a cell, whatever the case."""
    start, version = _begin(window)
    place: RowPlace | None = start
    wanted, found = word.lower(), list[SheetRow]()
    async with telling_sheets(access, id):
        blocks = RowBlocks(access, id, ranges, render, version or await version_of(access, id), 1)
        while place is not None:
            try:
                block = await blocks.at(place)
            except Conflict:
                if not found:
                    raise
                return Page(found, next=(*place, blocks.version), remark=blocks.remark)
            for here, row in block.rows(place, None):
                if any(wanted in str(cell).lower() for cell in row.cells):
                    if len(found) == window.count:
                        return Page(found, next=(*here, blocks.version), remark=blocks.remark)
                    is_first = not found or found[-1].range != row.range
                    found.append(row.model_copy(update={"is_first": is_first}))
            place = block.after
            rows = (await blocks.reader()).ranges[-1].bottom
            await progress(place[1] if place else rows or 0, rows)
    total = len(found) if not window.position else None
    return Page(found, total, remark=blocks.remark)
