"""Running: one operation of the API; a refusal of an index in a document tells what is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.operations import operation
from laconic.servers.google.docs.writing.sending import telling_places


async def run_operation(access: Access, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out an operation of the catalogue.

    Raises:
        Failure: Google refused it, or cannot be reached.
    """
    one = operation(name)
    if one.entry.api != "docs" or not one.kind:
        return await access.run(name, arguments)
    async with telling_places(access, arguments["documentId"], [{one.kind: dict(arguments)}]):
        return await access.run(name, arguments)
