"""Responses in the document: what every failure looks like is said once, and referred to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.web.models.errors import ErrorBody
from laconic.web.operations import Operation

__all__ = ["responses_of", "said_once"]

_STATUSES: Final[Mapping[int, str]] = {
    304: "What you have is current.",
    400: "The request cannot be carried out as it is.",
    401: "A token is needed, or the one sent is not valid.",
    403: "The token does not allow it, or another site sent the request.",
    404: "There is no such thing.",
    409: "Another item has the name, or somebody else changed the item.",
    412: "The item is not what If-Match names.",
    413: "The request is too long.",
    421: "This server has another name.",
    422: "The request does not fit its schema.",
    429: "Too many requests.",
    500: "A bug; the trace finds it in the log.",
    502: "The library cannot be reached.",
    503: "The server is stopping, or not ready.",
    504: "It took too long.",
}
_ALWAYS: Final = (401, 403, 413, 421, 422, 429, 500, 502, 503, 504)


def responses_of(operation: Operation) -> dict[int | str, dict[str, Any]]:
    """Return what an operation may be answered with besides its success."""
    failed: dict[int | str, dict[str, Any]] = {
        status: {"model": ErrorBody, "description": _STATUSES[status]}
        for status in sorted({*operation.fails, *_ALWAYS})
    }
    for status, model in operation.also.items():
        failed[status] = {"model": model | ErrorBody, "description": _STATUSES[status]}
    return failed | ({304: {"description": _STATUSES[304]}} if operation.has_etag else {})


def said_once(document: dict[str, Any]) -> dict[str, Any]:
    """Replace what is repeated for every operation by a reference."""
    shared = document["components"].setdefault("responses", {})
    for path in document["paths"].values():
        for operation in path.values():
            answers = operation["responses"]
            for status in [one for one in answers if int(one) in _STATUSES]:
                name = f"Status{status}"
                if shared.setdefault(name, answers[status]) == answers[status]:
                    answers[status] = {"$ref": f"#/components/responses/{name}"}
    return document
