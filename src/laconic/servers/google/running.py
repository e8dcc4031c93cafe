"""Running: one operation of the API; a refusal tells what is there: text, sheets, or objects of slides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.operations import operation
from laconic.servers.google.docs.writing.sending import telling_places
from laconic.servers.google.sheets.structure import telling_sheets
from laconic.servers.google.slides.telling import telling_slides


async def run_operation(access: Access, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out an operation of the catalogue.

    Raises:
        Failure: Google refused it, or cannot be reached.
    """
    one = operation(name)
    requests = [{one.kind: dict(arguments)}]
    if one.entry.api == "docs" and one.kind:
        async with telling_places(access, arguments["documentId"], requests):
            return await access.run(name, arguments)
    if one.entry.api == "slides" and one.kind:
        revision = str((arguments.get("writeControl") or {}).get("requiredRevisionId", ""))
        async with telling_slides(access, arguments["presentationId"], requests, revision):
            return await access.run(name, arguments)
    if one.entry.api == "sheets" and "spreadsheetId" in arguments:
        async with telling_sheets(access, arguments["spreadsheetId"]):
            return await access.run(name, arguments)
    return await access.run(name, arguments)
