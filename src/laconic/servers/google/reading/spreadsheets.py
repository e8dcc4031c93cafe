"""Spreadsheets: what they are, all their properties, and values as a summary or as the API has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from laconic.kit import About, Link, Page, one_line
from laconic.servers.google.api.access import Access
from laconic.servers.google.models.sheets import SheetRow, cell_text, cells_text
from laconic.servers.google.models.texts import SpreadsheetRead, TextRead, ValuesRead
from laconic.servers.google.sheets.ranges import quoted_title
from laconic.servers.google.sheets.structure import Structure, telling_sheets
from laconic.text import tagged

WITHOUT_CELLS: Final = (
    "spreadsheetId,properties,namedRanges,spreadsheetUrl,sheets(properties,merges,charts,tables)"
)
SMALL: Final = 4_000  # characters of values that come at once
Kind = TypeVar("Kind", bound=TextRead)
_LONGEST: Final = 25_000  # characters of properties that come at once, with cells
_ROWS: Final = 5  # rows that a summary shows


async def read_spreadsheet(
    access: Access, id: str, mode: str, ranges: Sequence[str] | None = None, *, cells: bool = False
) -> SpreadsheetRead | tuple[SpreadsheetRead, Link]:
    """Return what a spreadsheet has: in words, or all its properties, perhaps with its cells."""
    fields = None if cells else WITHOUT_CELLS
    async with telling_sheets(access, id):
        found = await access.call(
            "sheets_get", spreadsheetId=id, ranges=ranges, includeGridData=cells or None, fields=fields
        )
    structure = Structure.read(found)
    words = f"'{one_line(structure.title)}'. {structure.words(ids=True)}"
    size, text = len(json.dumps(found)), _markdown(found)  # noqa: TID251  # only its length
    if mode == "full" or (cells and len(text) <= SMALL and size <= _LONGEST):
        return SpreadsheetRead.model_validate({**found, "documentId": id}).saying(text)
    words += " Its cells: pass returnMode full, or a few ranges." if cells else ""
    return _summary(SpreadsheetRead, id, structure, words, size)


def _summary(
    kind: type[Kind], id: str, structure: Structure, words: str, characters: int
) -> tuple[Kind, Link]:
    first = structure.sheets[0]["title"] if structure.sheets else ""
    summary = kind(
        title=structure.title,
        document_id=id,
        character_count=characters,
        section_count=len(structure.sheets),
        resource_uri=f"gdrive://sheets/{id}/values/{{range}}",
        hint="Read cells with sheets_batchGetValues, or with resourceUri.",
    )
    return summary.saying(words), Link(
        f"gdrive://sheets/{id}/values/{quoted_title(first)}", first or structure.title
    )


def _markdown(found: Mapping[str, Any]) -> str:
    """Return the properties of a spreadsheet as an outline."""
    lines = [f"# {found['properties']['title']}", *_facts(found["properties"], ("title",))]
    for one in found.get("sheets", []):
        lines += ["", f"## {one['properties']['title']}", *_facts(one["properties"], ("title",))]
        more = {name: len(value) for name, value in one.items() if isinstance(value, list) and name != "data"}
        lines += [f"- {name}: {count}" for name, count in more.items()]
        lines += [_rows_of(part) for part in one.get("data", [])]
    names = [
        f"- {one['name']} ({one['namedRangeId']}): {_place(one)}" for one in found.get("namedRanges", [])
    ]
    return "\n".join([*lines, *(["", "## Named ranges", *names] if names else [])])


def _facts(facts: Mapping[str, Any], without: Sequence[str], before: str = "") -> list[str]:
    lines: list[str] = []
    for name, value in facts.items():
        if isinstance(value, Mapping):
            lines += _facts(value, (), f"{before}{name}.")
        elif name not in without:
            lines.append(f"- {before}{name}: {value}")
    return lines


def _place(named: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in named.get("range", {}).items())


def _rows_of(part: Mapping[str, Any]) -> str:
    rows = [
        "\t".join(cell_text(cell.get("formattedValue", "")) for cell in row.get("values", ()))
        for row in part.get("rowData", ())
    ]
    return "\n".join(rows)


async def summed_up(access: Access, id: str, page: Page[SheetRow], about: About) -> Page[SheetRow]:
    """Return rows as they are if they are few; of more, the first ones with what there is."""
    size = sum(len(cells_text(row.cells)) for row in page.items)
    if page.next is None and size <= SMALL:
        return page
    structure = await Structure.of(access, id)
    summary, _ = _summary(TextRead, id, structure, "", size)
    about.update(summary.model_dump(exclude_none=True, by_alias=True))
    first = [row for row in page.items[:_ROWS] if row.range == page.items[0].range]
    version = page.next[2] if isinstance(page.next, tuple) else ""
    remark = f"'{one_line(structure.title)}'. {structure.words()} Read them with returnMode full, or find."
    return Page(first, next=(0, first[-1].row, version), remark=remark)


async def read_ranges(
    access: Access, id: str, mode: str, ranges: Sequence[str], major: str | None, render: str | None
) -> ValuesRead | tuple[ValuesRead, Link]:
    """Return the values of ranges as the API has them; of many, what there is."""
    async with telling_sheets(access, id):
        found = await access.call(
            "sheets_values_batchGet",
            spreadsheetId=id,
            ranges=list(ranges),
            majorDimension=major,
            valueRenderOption=render,
        )
    is_typed = render not in (None, "FORMATTED_VALUE")
    texts = [_values_text(one, is_typed) for one in found.get("valueRanges", [])]
    size = sum(map(len, texts))
    if mode == "full" or size <= SMALL:
        return ValuesRead.model_validate({**found, "documentId": id}).saying(
            tagged("values", "\n\n".join(texts))
        )
    structure = await Structure.of(access, id)
    counts = [f"{one['range']}: {len(one.get('values', []))} rows" for one in found.get("valueRanges", [])]
    words = (
        f"'{one_line(structure.title)}': {size:,} characters of values.\n"
        + "\n".join(counts)
        + "\nIt begins:\n"
        f"{tagged('beginning', _beginning(texts[0]))}\n"
        "Read all with returnMode full, or a range with resourceUri."
    )
    return _summary(ValuesRead, id, structure, words, size)


def _values_text(one: Mapping[str, Any], is_typed: bool) -> str:
    rows = [cells_text(row, is_typed=is_typed) for row in one.get("values", [])]
    return "\n".join([str(one.get("range", "")), *(rows or ["(empty)"])])


def _beginning(text: str) -> str:
    return "\n".join(line[:400] for line in text.split("\n")[: _ROWS + 1])
