"""Running a classic tool: its operation is carried out, and the answer says what the caller does not know."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from laconic.servers.google.api.access import Access
from laconic.servers.google.api.batches import send_batch
from laconic.servers.google.catalogue.operations import Operation, operation
from laconic.servers.google.classic.building import built
from laconic.servers.google.classic.composing import COMPOSED
from laconic.servers.google.classic.files import OWN
from laconic.servers.google.classic.named import check_name
from laconic.servers.google.classic.tools import ClassicTool, classic_tools
from laconic.servers.google.reading.documents import read_document
from laconic.servers.google.running import run_operation
from laconic.servers.google.sheets.structure import grid_of
from laconic.servers.google.slides.deck import POINT
from laconic.servers.google.slides.telling import telling_slides


async def run_tool(name: str, access: Access, arguments: Mapping[str, Any]) -> Any:
    """Carry out a classic tool."""
    tool = classic_tools()[name]
    if name == "docs_get" and not _is_raw(arguments):
        return await _document(access, arguments)
    if name in COMPOSED:
        return await _composed(name, access, arguments)
    if name in OWN:
        return answer_of(await OWN[name](access, built(tool, arguments)), arguments)
    await check_name(access, name, arguments)
    body = await _with_cells(access, tool, built(tool, arguments))
    done = await run_operation(access, tool.entry.name, body)
    return answer_of({**done, **_not_taken(name, done, arguments)}, arguments, operation(tool.entry.name))


def _is_raw(arguments: Mapping[str, Any]) -> bool:
    """True if all of a document is wanted as the API has it."""
    return arguments.get("returnMode") == "full" and arguments.get("response_format") == "json"


async def _document(access: Access, arguments: Mapping[str, Any]) -> Any:
    """Read a document as docs_getDocument does."""
    found = await read_document(access, arguments["documentId"], arguments.get("returnMode", "summary"), None)
    if arguments.get("response_format") != "json":
        return found
    read = found[0] if isinstance(found, tuple) else found  # the address is in the data, too
    return read.model_dump(mode="json", by_alias=True, exclude_none=True)


async def _composed(name: str, access: Access, arguments: Mapping[str, Any]) -> Any:
    requests = COMPOSED[name](arguments)
    api, id = name.partition("_")[0], arguments["presentationId"]
    control = arguments.get("writeControl") or {}
    async with telling_slides(access, id, requests, str(control.get("requiredRevisionId", ""))):
        await send_batch(access, api, id, requests, control)
    made = requests[0].get("createShape")
    return {"objectId": made["objectId"]} if made else "Done."


async def _with_cells(access: Access, tool: ClassicTool, body: dict[str, Any]) -> dict[str, Any]:
    """Put the cells in the place of ranges in A1 notation."""
    for argument in tool.arguments:
        if argument.way in ("cells", "cells_list"):
            *parents, last = argument.path
            place = body
            for name in parents:
                place = place[name]
            cells = await grid_of(access, body["spreadsheetId"], place[last])
            place[last] = [cells] if argument.way == "cells_list" else cells
    return body


def _not_taken(name: str, done: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, str]:
    """Say so if a presentation has another size than was asked for: Google passes over it in silence."""
    wanted = given.get("pageSize") if name == "slides_createPresentation" else None
    if not wanted or _in_points(wanted) == _in_points(done.get("pageSize", {})):
        return {}
    return {"remark": "Google made it with its usual pageSize."}


def _in_points(size: Mapping[str, Any]) -> list[float]:
    sides = [size.get("width", {}), size.get("height", {})]
    return [one.get("magnitude", 0) / (1 if one.get("unit") == "PT" else POINT) for one in sides]


def answer_of(done: Mapping[str, Any], given: Mapping[str, Any], one: Operation | None = None) -> Any:
    """Return what an operation answered: of a request only its reply, and no id that the caller sent."""
    if one is not None and one.kind:
        [reply] = done.get("replies") or [{}]
        done = reply.get(one.kind) or {}
        if _counts(one) and not any(done.values()):
            return "Nothing matched, so nothing was changed."
    known = [value for name, value in given.items() if name.endswith("Id")]
    return _without(done, known) or "Done."


def _counts(one: Operation) -> bool:
    """True if a request is answered with numbers alone; Google leaves out those that are 0."""
    types = one.api.types
    reply = types.get("Response", {}).get("properties", {}).get(one.kind)
    numbers = types[reply["$ref"]].get("properties", {}) if reply else {}
    return bool(numbers) and all(node.get("type") == "integer" for node in numbers.values())


def _without(value: Any, known: Collection[Any]) -> Any:
    if isinstance(value, list):
        return [_without(one, known) for one in value]
    if not isinstance(value, Mapping):
        return value
    return {
        name: _without(one, known)
        for name, one in value.items()
        if name != "kind" and not (name.endswith("Id") and one in known)
    }
