"""The headers that protect a page in a browser, on every answer, whoever gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.types import Message, Send

__all__ = ["RawHeaders", "headed", "protecting"]

RawHeaders = list[tuple[bytes, bytes]]

_HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def protecting(others: Mapping[str, str]) -> RawHeaders:
    """Return the headers of every answer; `others` replace those of the kit."""
    return [
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in {**_HEADERS, **others}.items()
    ]


def headed(send: Send, always: RawHeaders) -> Send:
    """Return what sends an answer with these headers, unless it has them already."""
    if not always:
        return send

    async def send_headed(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", ()))
            has = {name.lower() for name, _ in given}
            message = {**message, "headers": given + [pair for pair in always if pair[0] not in has]}
        await send(message)

    return send_headed
