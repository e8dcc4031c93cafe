"""Reading values: windows over ranges of any size, and the rows with a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.kit import Page, Progress, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.models.sheets import SheetRow, cell_text
from laconic.servers.google.sheets.ranges import SheetRange, parsed_range
from laconic.servers.google.sheets.structure import Structure, telling_sheets

RENDER: Final = {"formatted": "FORMATTED_VALUE", "unformatted": "UNFORMATTED_VALUE", "formulas": "FORMULA"}
_BLOCK: Final = 5_000  # rows that are searched at once
_LOOKS: Final = 40  # blocks that are looked at for more rows


@dataclass(frozen=True)
class Reader:
    """Reads rows of ranges of one spreadsheet."""

    access: Access
    id: str
    ranges: Sequence[SheetRange]
    render: str

    async def fetched(self, parts: Sequence[SheetRange]) -> list[list[list[Any]]]:
        """Return the rows of several parts."""
        answer = await self.access.call(
            "sheets_values_batchGet",
            spreadsheetId=self.id,
            ranges=[one.written() for one in parts],
            valueRenderOption=RENDER[self.render],
            dateTimeRenderOption="FORMATTED_STRING",
        )
        return [one.get("values", []) for one in answer.get("valueRanges", [])]

    async def rows(self, parts: Sequence[SheetRange]) -> list[SheetRow]:
        """Return the rows of several parts that have anything in them."""
        found: list[SheetRow] = []
        for part, values in zip(parts, await self.fetched(parts), strict=True):
            for place, cells in enumerate(values):
                row = part.top + place + 1
                found.append(SheetRow(row=row, range=part.columns, cells=cells, is_first=not place))
        return found

    def parts(self, start: tuple[int, int], count: int) -> Iterator[SheetRange]:
        """Yield the parts of the ranges that hold the next `count` rows from a place on."""
        which, top = start
        for one in self.ranges[which:]:
            begin, end = max(top, one.top), one.bottom or 0
            top = 0
            take = min(count, end - begin)
            if take > 0:
                yield one.rows(begin, begin + take)
                count -= take
            if count <= 0:
                return

    def after(self, start: tuple[int, int], count: int) -> tuple[int, int] | None:
        """Return the place after `count` rows from another one on; None at the end."""
        which, top = start
        while which < len(self.ranges):
            one = self.ranges[which]
            begin, end = max(top, one.top), one.bottom or 0
            if end - begin > count:
                return which, begin + count
            count -= max(0, end - begin)
            which, top = which + 1, 0
        return None

    async def next_filled(self, start: tuple[int, int] | None) -> tuple[int, int] | None:
        """Return the first place from another one on that has values; None if there is none."""
        for _ in range(_LOOKS):
            if start is None:
                return None
            part = next(self.parts(start, _BLOCK), None)
            if part is None:
                return None
            for place, cells in enumerate((await self.fetched([part]))[0]):
                if cells:
                    return start[0], part.top + place
            start = self.after(start, (part.bottom or 0) - part.top)
        return start


async def open_reader(access: Access, id: str, ranges: Sequence[str], render: str) -> Reader:
    """Return a reader; asks for the structure unless every range says its own rows."""
    known = [parsed_range(one) for one in ranges]
    if ranges and all(one is not None and one.is_bounded and one.right is not None for one in known):
        return Reader(access, id, [one for one in known if one is not None], render)
    structure = await Structure.of(access, id)
    wanted = ranges or [one["title"] for one in structure.sheets[:1]]
    return Reader(access, id, [structure.resolved(one) for one in wanted], render)


async def read_values(
    access: Access, id: str, ranges: Sequence[str], render: str, window: Window
) -> Page[SheetRow]:
    """Return rows of ranges, as many as the window takes."""
    async with telling_sheets(access, id):
        reader = await open_reader(access, id, ranges, render)
        first: Any = window.position or (0, 0)
        start = (int(first[0]), int(first[1]))
        parts = list(reader.parts(start, window.count))
        rows = await reader.rows(parts) if parts else []
        after = reader.after(start, window.count)
        asked = sum((one.bottom or 0) - one.top for one in parts)
        if after is not None and len(rows) < asked:
            after = await reader.next_filled(after)
    total = len(rows) if after is None and not window.position else None
    return Page(rows, total, next=after, remark="" if rows else "These cells are empty.")


async def values_text(access: Access, id: str, range: str) -> str:
    """Return the values of a range as text: its first rows, as many as fit a block."""
    async with telling_sheets(access, id):
        reader = await open_reader(access, id, [range], "formatted")
        rows = await reader.rows(list(reader.parts((0, 0), _BLOCK)))
    return "\n".join("\t".join(map(cell_text, row.cells)) for row in rows)


async def find_rows(
    access: Access, id: str, ranges: Sequence[str], render: str, word: str, window: Window, progress: Progress
) -> Page[SheetRow]:
    """Return the rows that have a word in a cell, whatever the case."""
    async with telling_sheets(access, id):
        reader = await open_reader(access, id, ranges, render)
        first: Any = window.position or (0, 0)
        place: tuple[int, int] | None = (int(first[0]), int(first[1]))
        wanted, found = word.lower(), list[SheetRow]()
        while place is not None:
            part = next(reader.parts(place, _BLOCK), None)
            if part is None:
                break
            for row in await reader.rows([part]):
                if any(wanted in str(cell).lower() for cell in row.cells):
                    is_first = not found or found[-1].range != row.range
                    found.append(row.model_copy(update={"is_first": is_first}))
                    if len(found) > window.count:
                        return Page(found[:-1], next=(place[0], row.row - 1))
            await progress(part.bottom or 0, reader.ranges[place[0]].bottom)
            place = reader.after(place, (part.bottom or 0) - part.top)
    total = len(found) if not window.position else None
    return Page(found, total, remark="" if found else f"No cell contains '{word}'.")
