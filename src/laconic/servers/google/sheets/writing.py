"""Writing values, and batches of changes: each says what it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laconic.servers.google.api.access import Access
from laconic.servers.google.api.batches import send_batch
from laconic.servers.google.catalogue.batches import checked_requests
from laconic.servers.google.sheets.structure import in_a1, telling_sheets

Values = Sequence[Sequence[Any]]


async def write_values(access: Access, id: str, data: Sequence[tuple[str, Values]], *, raw: bool) -> str:
    """Write values to ranges in one request."""
    option = "RAW" if raw else "USER_ENTERED"
    async with telling_sheets(access, id):
        ranges = await in_a1(access, id, [range for range, _ in data])
        body = [
            {"range": range, "values": [list(row) for row in values]}
            for range, (_, values) in zip(ranges, data, strict=True)
        ]
        done = await access.call(
            "sheets_values_batchUpdate", spreadsheetId=id, data=body, valueInputOption=option
        )
    parts = [one.get("updatedRange", "") for one in done.get("responses", [])]
    return f"Wrote {_counted(done.get('totalUpdatedCells', 0), 'cell')}: {', '.join(parts)}."


async def append_values(
    access: Access, id: str, range: str, values: Values, *, raw: bool, insert: bool
) -> str:
    """Add rows after a table. Repeated, it adds them again."""
    async with telling_sheets(access, id):
        [place] = await in_a1(access, id, [range])
        done = await access.call(
            "sheets_values_append",
            spreadsheetId=id,
            range=place,
            values=[list(row) for row in values],
            valueInputOption="RAW" if raw else "USER_ENTERED",
            insertDataOption="INSERT_ROWS" if insert else "OVERWRITE",
        )
    updates = done.get("updates", {})
    after = f" after the table {done['tableRange']}" if done.get("tableRange") else ""
    added = _counted(updates.get("updatedRows", 0), "row")
    return f"Added {added} at {updates.get('updatedRange', '')}{after}."


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


async def edit(access: Access, id: str, requests: Sequence[Mapping[str, Any]], *, dry_run: bool) -> Any:
    """Carry out several requests of a batch: all of them, or none.

    Raises:
        BadArguments: one is unknown, or does not fit; with its place.
    """
    checked = checked_requests("sheets", "spreadsheetId", requests, "addSheet")
    if dry_run:
        count = _counted(len(checked), "request")
        return f"{count} would be sent; nothing was. Names and types fit; only Google checks ids and ranges."
    async with telling_sheets(access, id):
        done = await send_batch(access, "sheets", id, checked)
    replies = [reply for reply in done.get("replies", []) if reply]
    return {"done": len(checked), **({"replies": replies} if replies else {})}
