"""Writing values, and batches of changes: each says what it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laconic.kit import BadArguments, Problem
from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.arguments import OperationArguments
from laconic.servers.google.catalogue.index import entries
from laconic.servers.google.catalogue.operations import operation
from laconic.servers.google.sheets.structure import telling_sheets
from laconic.text import did_you_mean, nearest
from laconic.upstream import ApiRequest, path_of

Values = Sequence[Sequence[Any]]


async def write_values(access: Access, id: str, data: Sequence[tuple[str, Values]], *, raw: bool) -> str:
    """Write values to ranges in one request."""
    body = [{"range": range, "values": [list(row) for row in values]} for range, values in data]
    option = "RAW" if raw else "USER_ENTERED"
    async with telling_sheets(access, id):
        done = await access.call(
            "sheets_values_batchUpdate", spreadsheetId=id, data=body, valueInputOption=option
        )
    parts = [one.get("updatedRange", "") for one in done.get("responses", [])]
    return f"Wrote {done.get('totalUpdatedCells', 0)} cells: {', '.join(parts)}."


async def append_values(
    access: Access, id: str, range: str, values: Values, *, raw: bool, insert: bool
) -> str:
    """Add rows after a table. Repeated, it adds them again."""
    async with telling_sheets(access, id):
        done = await access.call(
            "sheets_values_append",
            spreadsheetId=id,
            range=range,
            values=[list(row) for row in values],
            valueInputOption="RAW" if raw else "USER_ENTERED",
            insertDataOption="INSERT_ROWS" if insert else "OVERWRITE",
        )
    updates = done.get("updates", {})
    after = f" after the table {done['tableRange']}" if done.get("tableRange") else ""
    return f"Added {updates.get('updatedRows', 0)} rows at {updates.get('updatedRange', '')}{after}."


async def edit(access: Access, id: str, requests: Sequence[Mapping[str, Any]], *, dry_run: bool) -> Any:
    """Carry out several requests of a batch: all of them, or none.

    Raises:
        BadArguments: one is unknown, or does not fit; with its place.
    """
    checked = [_checked(place, request) for place, request in enumerate(requests)]
    if dry_run:
        return f"{len(checked)} requests fit. Nothing was sent."
    request = ApiRequest(
        method="POST",
        path=f"v4/spreadsheets{path_of(id)}:batchUpdate",
        body={"requests": checked},
        group="sheets writes",
    )
    one = operation("sheets_addSheet")
    async with telling_sheets(access, id):
        reply = await access.send(one, request, {"spreadsheetId": id})
    replies = [reply for reply in reply.data.get("replies", []) if reply]
    return {"done": len(checked), **({"replies": replies} if replies else {})}


def _checked(place: int, request: Mapping[str, Any]) -> dict[str, Any]:
    known = {name.removeprefix("sheets_"): entry for name, entry in entries().items() if _is_request(name)}
    kinds = [kind for kind in request if kind in known]
    if len(request) != 1 or not kinds:
        given = next(iter(request), "")
        hint = did_you_mean(nearest(given, known), quote="'")
        message = f"Invalid requests[{place}]: expected one key, the kind of request, such as addSheet.{hint}"
        raise BadArguments([Problem(f"requests[{place}]", message, given)])
    [kind] = kinds
    if not isinstance(request[kind], Mapping):
        message = f"Invalid requests[{place}].{kind}: expected an object."
        raise BadArguments([Problem(f"requests[{place}].{kind}", message, request[kind])])
    try:
        inner = OperationArguments(known[kind]).check({**request[kind], "spreadsheetId": "x"})
    except BadArguments as error:
        where = f"requests[{place}].{kind}"
        found = [
            Problem(f"{where}.{one.field}", f"{where}: {one.message}", one.given) for one in error.problems
        ]
        raise BadArguments(found) from error
    return {kind: {name: value for name, value in inner.items() if name != "spreadsheetId"}}


def _is_request(name: str) -> bool:
    return name.startswith("sheets_") and bool(operation(name).kind)
