"""The protocol as data: revisions, codes, keys, and the parameters of each method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

__all__ = ["METHODS", "Method", "ProtocolError", "checked"]

LEGACY: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # start with `initialize`
MODERN: Final = ("2026-07-28",)  # every request has all that is needed to answer it
BATCHED: Final = "2025-03-26"  # the one revision in which several messages may share a line

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_REVISION: Final = -32022

_OURS: Final = "io.modelcontextprotocol/"
REVISION_KEY: Final = f"{_OURS}protocolVersion"
CAPABILITIES_KEY: Final = f"{_OURS}clientCapabilities"
CLIENT_KEY: Final = f"{_OURS}clientInfo"
LEVEL_KEY: Final = f"{_OURS}logLevel"
SERVER_KEY: Final = f"{_OURS}serverInfo"
SUBSCRIPTION_KEY: Final = f"{_OURS}subscriptionId"

LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class ProtocolError(Exception):
    """An error of the protocol: it answers the request itself, instead of a result."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def wire(self) -> dict[str, Any]:
        """Return the error as it is sent."""
        error = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


def client_name(about: Any) -> str:
    """Return the name in what a client tells about itself; empty if there is none."""
    name = about.get("name") if isinstance(about, dict) else None
    return name if isinstance(name, str) else ""


class Shape(NamedTuple):
    """What a parameter may be."""

    words: str
    fits: Callable[[Any], bool]


TEXT: Final = Shape("a string", lambda given: isinstance(given, str))
OBJECT: Final = Shape("an object", lambda given: isinstance(given, dict))
TOKEN: Final = Shape("a string or a whole number", lambda given: is_id(given))
LEVEL: Final = Shape(f"one of {', '.join(LEVELS)}", lambda given: given in LEVELS)
CLIENT: Final = Shape("an object with name and version", lambda given: _has(given, name=TEXT, version=TEXT))
OBJECTS: Final = Shape(
    "an object of objects",
    lambda given: isinstance(given, dict) and all(isinstance(one, dict) for one in given.values()),
)
ARGUMENT: Final = Shape("an object with name and value", lambda given: _has(given, name=TEXT, value=TEXT))
REFERENCE: Final = Shape(
    "an object with type ref/prompt and name, or type ref/resource and uri",
    lambda given: (
        isinstance(given, dict)
        and (
            (given.get("type") == "ref/prompt" and _has(given, name=TEXT))
            or (given.get("type") == "ref/resource" and _has(given, uri=TEXT))
        )
    ),
)
WISHES: Final = Shape(
    "an object of flags, with resourceSubscriptions a list", lambda given: _are_wishes(given)
)


class Method(NamedTuple):
    """One request a client may send: its parameters (a name with `?` may be missing) and its era."""

    parameters: Mapping[str, Shape] = {}
    in_legacy: bool = True
    in_modern: bool = True


_PAGED: Final = {"cursor?": TEXT}
_ROUNDS: Final = {"inputResponses?": OBJECTS, "requestState?": TEXT}

METHODS: Final[Mapping[str, Method]] = {
    "initialize": Method(
        {"protocolVersion": TEXT, "capabilities": OBJECT, "clientInfo": CLIENT}, in_modern=False
    ),
    "ping": Method(in_modern=False),
    "logging/setLevel": Method({"level": LEVEL}, in_modern=False),
    "server/discover": Method(in_legacy=False),
    "subscriptions/listen": Method({"notifications": WISHES}, in_legacy=False),
    "tools/list": Method(_PAGED),
    "tools/call": Method({"name": TEXT, "arguments?": OBJECT, **_ROUNDS}),
    "resources/list": Method(_PAGED),
    "resources/templates/list": Method(_PAGED),
    "resources/read": Method({"uri": TEXT, **_ROUNDS}),
    "resources/subscribe": Method({"uri": TEXT}, in_modern=False),
    "resources/unsubscribe": Method({"uri": TEXT}, in_modern=False),
    "prompts/list": Method(_PAGED),
    "prompts/get": Method({"name": TEXT, "arguments?": OBJECT, **_ROUNDS}),
    "completion/complete": Method({"ref": REFERENCE, "argument": ARGUMENT}),
}

_META: Final = {"progressToken?": TOKEN}


def checked(method: str, params: Mapping[str, Any]) -> None:
    """Check parameters against their description.

    Raises:
        ProtocolError: a parameter is missing or has the wrong type.
    """
    _check(method, METHODS[method].parameters, params)
    meta = params.get("_meta")
    if meta is not None:
        _check(method, {"_meta": OBJECT}, params)
        _check(f"{method}: _meta", _META, meta)


def _check(where: str, shapes: Mapping[str, Shape], given: Mapping[str, Any]) -> None:
    for name, shape in shapes.items():
        key = name.removesuffix("?")
        value = given.get(key)
        if value is None and (name.endswith("?") or shape.fits(None)):
            continue
        if not shape.fits(value):
            fault = "is not" if key in given else "is missing; expected"
            raise ProtocolError(INVALID_PARAMS, f"{where}: {key} {fault} {shape.words}.")


def is_id(given: Any) -> bool:
    """True if this can be the id of a request."""
    return isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool))


def _has(given: Any, **shapes: Shape) -> bool:
    return isinstance(given, dict) and all(shape.fits(given.get(name)) for name, shape in shapes.items())


def _are_wishes(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    addresses = given.get("resourceSubscriptions") or []
    return isinstance(addresses, list) and all(isinstance(one, str) for one in addresses)
