"""Batches: several requests to one document, spreadsheet or presentation, done together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from laconic.servers.google.api.access import Access
from laconic.servers.google.api.requests import request_of
from laconic.servers.google.catalogue.batches import kinds_of
from laconic.servers.google.catalogue.operations import operation


async def send_batch(
    access: Access,
    api: str,
    id: str,
    requests: Sequence[Mapping[str, Any]],
    control: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Send requests, each `{kind: fields}`, in one batch; return the API's answer.

    Raises:
        Failure: Google refused one of them, and so did none.
    """
    one = operation(kinds_of(api)[next(iter(requests[0]))].name)
    [place] = one.parameters  # of the id
    body = {"requests": list(requests), **({"writeControl": control} if control else {})}
    request = replace(request_of(one, {place: id}, resending="once"), body=body)
    reply = await access.send(one, request, {place: id})
    return reply.data if isinstance(reply.data, dict) else {}
