"""Blocks: many rows are fetched at once and kept, so that all pages of a reading are of one version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from laconic.kit import Conflict, Refused, TooLarge
from laconic.servers.google.api.access import Access
from laconic.servers.google.kept import KeptText, mark_of
from laconic.servers.google.models.sheets import SheetRow
from laconic.servers.google.sheets.ranges import SheetRange
from laconic.servers.google.sheets.windows import ORDINARY, ROWS, RowPlace, RowReader, open_reader

_CELLS: Final = 100_000  # of a block, about
_FEWER: Final = 4  # times fewer rows, if they are too large together
_SAID: Final = 3  # ranges that a refusal names
OURS: Final = "You changed the spreadsheet since the page before, so rows may have moved."
THEIRS: Final = "It was changed since the first page, perhaps only by a comment: rows are as they were."


@dataclass(frozen=True)
class RowBlock:
    """Rows of ranges from a place on, as they were at a version."""

    start: RowPlace
    after: RowPlace | None  # where the next block begins; None at the end
    parts: list[tuple[int, int, str, list[list[Any]]]]  # which range, its first row here, its columns, values
    ranges: list[SheetRange]  # of the whole reading
    is_typed: bool = False  # numbers are numbers, not how they are shown

    def covers(self, place: RowPlace) -> bool:
        """True if it has the row at a place."""
        return self.start <= place and (self.after is None or place < self.after)

    def rows(self, start: RowPlace, end: RowPlace | None) -> Iterator[tuple[RowPlace, SheetRow]]:
        """Yield the rows from one place up to another, each with its place."""
        for which, top, columns, values in self.parts:
            is_first = True
            for number, cells in enumerate(values, top):
                if (which, number) >= start and (end is None or (which, number) < end):
                    row = SheetRow(
                        row=number + 1,
                        range=columns,
                        cells=cells,
                        is_first=is_first,
                        is_typed=self.is_typed,
                    )
                    yield (which, number), row
                    is_first = False


@dataclass
class RowBlocks:
    """The blocks of one reading; `version` is the file's when the first of them was asked for."""

    access: Access
    id: str
    asked: Sequence[str]  # ranges
    render: str
    version: str
    least: int  # rows that are needed
    remark: str = field(default="", init=False)
    _reader: RowReader | None = field(default=None, init=False)

    async def reader(self) -> RowReader:
        """Return what reads the ranges, as they were when the reading began."""
        if self._reader is None:
            self._reader = await open_reader(self.access, self.id, self.asked, self.render)
        return self._reader

    async def at(self, place: RowPlace) -> RowBlock:
        """Return the block with a place: as it was kept, or else as it is, if that is the same version.

        Raises:
            Conflict: somebody changed the spreadsheet; with how to read on.
        """
        kept, view = self.access.kept, " ".join(["rows", self.render, *self.asked])
        mark = mark_of(self.version)
        found = await kept.get(self.id, view, mark)
        block = _unpacked(found.data) if found else None
        if block is not None:
            self._reader = RowReader(self.access, self.id, block.ranges, self.render)
        if block is not None and block.covers(place):
            present = kept.present(self.id) or await version_of(self.access, self.id)
            kept.tell(self.id, present)
            self.remark = THEIRS if present not in ("", self.version) else ""
            return block
        began, before = kept.now(), await version_of(self.access, self.id)
        if before not in ("", self.version):
            if not await kept.was_ours(self.id, view, mark):
                raise await self._changed(place)
            self.version, self.remark = before, OURS
        block = await self.as_many_as_fit(place)
        if not self.remark and await version_of(self.access, self.id) not in ("", self.version):
            raise await self._changed(place)
        await kept.put(self.id, view, KeptText.of_data(asdict(block), self.version, began))
        return block

    async def first(self, place: RowPlace, count: int) -> RowBlock:
        """Return so many rows as they are now, and one more: an ordinary sheet as a whole, in one request."""
        return await self.as_many_as_fit(place, max(count + 1, ORDINARY // await self._columns()))

    async def _columns(self) -> int:
        return max(1, *((one.right or 1) - one.left for one in (await self.reader()).ranges))

    async def as_many_as_fit(self, place: RowPlace, count: int = 0) -> RowBlock:
        """Return so many rows as they are now, or fewer if they are too large together."""
        count = count or max(self.least, min(ROWS, _CELLS // await self._columns()))
        while True:
            try:
                return await self.fetched(place, count)
            except TooLarge:
                if count == 1:
                    raise
                count = max(1, count // _FEWER)

    async def fetched(self, place: RowPlace, count: int) -> RowBlock:
        """Return so many rows as they are now."""
        reader = await self.reader()
        parts = list(reader.parts(place, count))
        values = await reader.fetched([part for _, part in parts]) if parts else []
        found = [
            (which, part.top, part.columns, rows) for (which, part), rows in zip(parts, values, strict=True)
        ]
        is_typed = self.render != "formatted"
        return RowBlock(place, reader.after(place, count), found, list(reader.ranges), is_typed)

    async def _changed(self, place: RowPlace) -> Conflict:
        which, top = place
        first, *others = (await self.reader()).ranges[which:]
        rest = [first.rows(max(top, first.top), first.bottom or 0), *others][:_SAID]
        ranges = ", ".join(f"'{one.written()}'" for one in rest)
        return Conflict(
            "The spreadsheet was changed since the page before, so rows may have moved.",
            code="RESOURCE_LOCKED",
            advice=f"Begin again, or read on in it as it is now with ranges [{ranges}] and no cursor.",
        )


def _unpacked(found: Mapping[str, Any]) -> RowBlock:
    after = found["after"]
    parts = [(which, top, columns, rows) for which, top, columns, rows in found["parts"]]
    ranges = [SheetRange(**one) for one in found["ranges"]]
    end = None if after is None else tuple(after)
    return RowBlock(tuple(found["start"]), end, parts, ranges, bool(found.get("is_typed")))


async def version_of(access: Access, id: str) -> str:
    """Return what changes whenever a spreadsheet does; empty if the account may not ask."""
    try:
        return str((await access.call("drive_files_get", fileId=id, fields="version")).get("version", ""))
    except Refused:
        return ""
