"""Structure: a spreadsheet's sheets and named ranges; a range that does not exist is answered with them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from laconic.kit import BadArguments, Failure
from laconic.servers.google.api.access import Access
from laconic.servers.google.sheets.ranges import (
    SheetRange,
    grid_range,
    is_like_a_title,
    parsed_range,
    quoted_title,
)
from laconic.text import did_you_mean, nearest
from laconic.upstream import Invalid

FIELDS: Final = (
    "properties.title,namedRanges,sheets.properties(sheetId,title,index,hidden,sheetType,"
    "gridProperties(rowCount,columnCount,frozenRowCount))"
)
_MOST: Final = 20  # sheets that an error names
_INSTEAD: Final = "Pass a range within one of these."
_GROWING: Final = f"{_INSTEAD} sheets_appendValues adds rows below the last one."
_LARGER: Final = "Pass a range with a place for every value, or only its first cell."


@dataclass(frozen=True)
class Structure:
    """What a spreadsheet has."""

    title: str
    sheets: list[Mapping[str, Any]]  # the properties of each
    named: Mapping[str, Mapping[str, Any]]  # grid ranges by name

    @classmethod
    async def of(cls, access: Access, id: str) -> Structure:
        """Ask for it."""
        return cls.read(await access.call("sheets_get", spreadsheetId=id, fields=FIELDS))

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> Structure:
        """Read it from what the API answered."""
        sheets = [one["properties"] for one in found.get("sheets", [])]
        named = {one["name"]: one.get("range", {}) for one in found.get("namedRanges", [])}
        return cls(found["properties"]["title"], sheets, named)

    def size_of(self, sheet: Mapping[str, Any]) -> tuple[int, int]:
        """Return how many rows and columns a sheet has."""
        grid = sheet.get("gridProperties", {})
        return grid.get("rowCount", 0), grid.get("columnCount", 0)

    def sheet(self, title: str | None) -> Mapping[str, Any] | None:
        """Return a sheet by its title; without one, the first that is not hidden."""
        for one in self.sheets:
            if (title is None and not one.get("hidden")) or one["title"] == title:
                return one
        return None

    def resolved(self, text: str) -> SheetRange:
        """Return a range with its sheet and all its ends.

        Raises:
            BadArguments: there is no such sheet or named range, with those that there are.
        """
        grid = self.named.get(text) or grid_range(text)
        if grid is not None and any(_is_of(one, grid) for one in self.sheets):
            return self._named(grid)
        found, sheet = self._found(text)
        rows, columns = self.size_of(sheet)
        if rows and (found.top >= rows or found.left >= columns):
            message = f"The range '{text[:80]}' begins beyond the end of its sheet. {self.words()}"
            raise BadArguments(message, advice=_INSTEAD, field="range", given=text)
        bottom = rows if found.bottom is None else min(found.bottom, rows)
        right = columns if found.right is None else min(found.right, columns)
        return SheetRange(sheet["title"], found.top, bottom, found.left, right)

    def grid(self, text: str) -> dict[str, Any]:
        """Return a range as requests take it: the id of its sheet, and the ends that it names.

        Raises:
            BadArguments: there is no such sheet or named range, with those that there are.
        """
        if text in self.named:
            return dict(self.named[text])
        found, sheet = self._found(text)
        grid: dict[str, Any] = {"sheetId": sheet.get("sheetId", 0)}
        ends = {"Row": (found.top, found.bottom), "Column": (found.left, found.right)}
        for name, (first, last) in ends.items():
            grid |= {f"start{name}Index": first} if first or last is not None else {}
            grid |= {f"end{name}Index": last} if last is not None else {}
        return grid

    def _found(self, text: str) -> tuple[SheetRange, Mapping[str, Any]]:
        found = parsed_range(text)
        if found is None or (found.title is None and self.sheet(text) is not None and ":" not in text):
            found = SheetRange(text)
        sheet = self.sheet(found.title)
        if sheet is None:
            raise BadArguments(self.no_such(text), advice=_INSTEAD, field="range", given=text)
        return found, sheet

    def _named(self, grid: Mapping[str, Any]) -> SheetRange:
        sheet = next(one for one in self.sheets if _is_of(one, grid))
        rows, columns = self.size_of(sheet)
        return SheetRange(
            sheet["title"],
            grid.get("startRowIndex", 0),
            min(grid.get("endRowIndex", rows), rows),
            grid.get("startColumnIndex", 0),
            min(grid.get("endColumnIndex", columns), columns),
        )

    def no_such(self, text: str) -> str:
        """Return the words for a range that does not exist: what there is instead."""
        title = text.rpartition("!")[0].strip("'") or text
        hint = did_you_mean(nearest(title, [one["title"] for one in self.sheets]), quote="'")
        return f"There is no range '{text[:80]}'.{hint} {self.words(ids=text.startswith('{'))}"

    def words(self, *, ids: bool = False) -> str:
        """Return the sheets with their sizes, perhaps with their ids, and the named ranges, in a sentence."""
        shown = []
        for one in self.sheets[:_MOST]:
            size = "{} x {}".format(*self.size_of(one))
            known = f", sheetId {one.get('sheetId', 0)}" if ids else ""
            shown.append(f"{quoted_title(one['title'])} ({size}{known})")
        more = f" and {len(self.sheets) - _MOST} more" if len(self.sheets) > _MOST else ""
        names = f" Named ranges: {', '.join(list(self.named)[:_MOST])}." if self.named else ""
        return f"Sheets (rows x columns): {', '.join(shown)}{more}.{names}"


def _is_of(sheet: Mapping[str, Any], grid: Mapping[str, Any]) -> bool:
    return bool(sheet.get("sheetId", 0) == grid.get("sheetId", 0))


async def in_a1(access: Access, id: str, texts: Sequence[str]) -> list[str]:
    """Return ranges as values are written to them.

    Asks for the structure, once, only for ranges of indices, and for those that may be a cell or a sheet.

    Raises:
        BadArguments: one is both.
    """
    if not any(grid_range(text) is not None or is_like_a_title(text) for text in texts):
        return list(texts)
    structure = await Structure.of(access, id)
    return [_written(structure, text) for text in texts]


def _written(structure: Structure, text: str) -> str:
    if grid_range(text) is not None:
        return structure.resolved(text).written()
    if is_like_a_title(text) and structure.sheet(text) is not None:
        first = quoted_title((structure.sheet(None) or structure.sheets[0])["title"])
        message = f"'{text}' is a sheet, and a cell of {first} as well."
        advice = f"Pass {quoted_title(text)}!A1 for the sheet, {first}!{text} for the cell."
        raise BadArguments(message, advice=advice, field="range", given=text)
    return text


async def grid_of(access: Access, id: str, text: str) -> dict[str, Any]:
    """Return a range as requests take it; asks each time which sheet has a name, unless it has indices.

    Raises:
        Failure: there is no such spreadsheet, sheet or named range.
    """
    return grid_range(text) or (await Structure.of(access, id)).grid(text)


@asynccontextmanager
async def telling_sheets(access: Access, id: str) -> AsyncIterator[None]:
    """Add the sheets and their sizes to a refusal that is about a range."""
    try:
        yield
    except Failure as failure:
        words = failure.message.lower()
        is_range = "range" in words or "grid" in words or "writing" in words
        if not isinstance(failure.__cause__, Invalid) or not is_range:
            raise
        try:
            structure = await Structure.of(access, id)
        except Failure:  # what was refused matters more
            raise failure from failure.__cause__
        told = f"{failure.message.rstrip('.')}. {structure.words(ids='with id' in words)}"
        advice = _LARGER if "tried writing" in words else _GROWING if "exceeds" in words else _INSTEAD
        raise BadArguments(told, advice=access.advice(advice), about=failure.about) from failure.__cause__
