"""Describing: what the document says besides what FastAPI finds in the routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from laconic.web.described.examples import EXAMPLES
from laconic.web.described.responses import said_once
from laconic.web.operations import JSON, Operation

__all__ = ["described"]

_DONE: Final[Mapping[int, str]] = {
    200: "Done.",
    201: "Kept.",
    204: "Done; there is nothing to say.",
}
_TOKEN: Final = "token"
_SCHEME: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A configured, signed or personal token; none on a server of this machine without tokens.",
}
_HEADERS: Final[Mapping[str, str]] = {
    "ETag": "Changes with every byte; that of an item begins with its version. Send it as If-None-Match.",
    "X-Ignored-Fields": "The fields and parameters that are not known, with those that were probably meant.",
    "X-RateLimit-Limit": "How many requests are allowed; this and the next two only where there is a limit.",
    "X-RateLimit-Remaining": "How many are left.",
    "X-RateLimit-Reset": "When counting begins again, in seconds since 1970.",
    "Retry-After": "How many seconds to wait.",
}
_LIMITS: Final = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def described(document: dict[str, Any], operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the document, completed; what is repeated is said once."""
    for operation in operations:
        if operation.is_documented:
            _describe(document["paths"][operation.path][operation.method.lower()], operation)
    said_once(document)
    parts = document["components"]
    parts["responses"]["Status429"]["headers"] = _named(["Retry-After", *_LIMITS])
    parts["headers"] = {
        name: {"description": said, "schema": {"type": "string"}} for name, said in _HEADERS.items()
    }
    parts["securitySchemes"] = {_TOKEN: _SCHEME}
    return document


def _describe(node: dict[str, Any], operation: Operation) -> None:
    node["security"] = [] if operation.is_open else [{_TOKEN: []}, {}]
    success = node["responses"][str(operation.status)]
    success["description"] = _DONE[operation.status]
    tagged = ["ETag"] if operation.has_etag else []
    counted = _LIMITS if operation.counted else ()
    success["headers"] = _named([*tagged, "X-Ignored-Fields", *counted])
    if operation.media != (JSON,):
        success["content"] = {media: {"schema": {"type": "string"}} for media in operation.media}
    if operation.body is not None:
        node["requestBody"]["content"][JSON]["example"] = EXAMPLES[operation.body.__name__]


def _named(names: Iterable[str]) -> dict[str, dict[str, str]]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
