"""Failing: the status and the body of a failure, in the kit's words and under the keys of older clients."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from laconic.kit import BadArguments, Envelope, Failure, Moved, Problem, TooLarge, status_of
from laconic.kit.pipeline import Answer
from laconic.web.advising import advice_for_ids, advice_for_routes
from laconic.web.reading import UNREADABLE

__all__ = ["ENVELOPE", "InvalidRequest", "PlainRefusal", "RestEnvelope"]
__all__ += ["StaleUpdate", "failed_answer", "invalid", "refused_by_web"]

_MISSING: Final = "missing"
_READ_AGAIN: Final = "Read it again, and repeat with its ETag as If-Match if the change still fits."
_EXPECTED: Final = "expected_updated_at"
_STATE: Final = (
    "detail.server_state is the item as it is now: "
    "repeat with its updated_at as expected_updated_at if the change still fits."
)
_MOST: Final = 100  # problems of one request that are told
_NO_JSON: Final = "json_invalid"
_NO_ID: Final = ("uuid_parsing", "uuid_type")
_SOME_ID: Final = "0190aaaa-0000-7000-8000-000000000000"
_NO_PATTERN: Final = "string_pattern_mismatch"
_PATTERNS: Final = {  # in words, by the field that has one
    "link": "the ids of two items, joined by a dot",
    "name": "the name of a file, such as code-review.md",
}
_NO_OBJECT: Final = ("model_attributes_type", "model_type", "dict_type", "missing")


class RestEnvelope(Envelope):
    """`{error, detail, error_code}`: the record, and what clients of other servers read."""

    def __init__(self, detail: Any = None) -> None:
        self._detail = detail

    def failure(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return a failure in its envelope."""
        detail = self._detail if self._detail is not None else _detail(record)
        return {"error": dict(record), "detail": detail, "error_code": _code(record) or record["code"]}


ENVELOPE: Final = RestEnvelope()


class InvalidRequest(BadArguments):
    """The request does not fit its schema: 422, with every problem, and which names were meant."""

    def __init__(self, errors: Sequence[Mapping[str, Any]], meant: Sequence[Problem] = ()) -> None:
        told = errors[:_MOST]
        super().__init__([*map(_problem, told), *meant, *_others(errors[_MOST:])])
        self.legacy = [{name: error[name] for name in ("type", "loc", "msg")} for error in told]


class StaleUpdate(Moved):
    """Somebody changed the item after the time that the caller expects; with the item as it is now."""

    def __init__(self, moved: Moved, state: Any) -> None:
        super().__init__("", expected=moved.given, current="", message=moved.message, field=_EXPECTED)
        self.advice = _STATE
        now = state.model_dump(mode="json")
        self.legacy = {"error": "conflict", "message": moved.message, "server_state": now}


class PlainRefusal(Failure):
    """A request that the web framework refuses, with its own status: no such path, or another method."""

    harmless = True

    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message, **more)
        self.status = status


def refused_by_web(error: HTTPException) -> PlainRefusal:
    """Return what the web framework refuses as a failure."""
    if error.status_code == 404:
        more = {"code": "RESOURCE_NOT_FOUND", "category": "not_found"}
        return PlainRefusal(404, "There is nothing at this address.", advice="See /api/openapi.json.", **more)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "").split(", ")
        message = "This address takes other methods."
        return PlainRefusal(405, message, allowed=allowed, code="VALIDATION_ERROR", category="validation")
    said = f"{error.detail}".rstrip(".")
    return PlainRefusal(error.status_code, f"{said}.", code="VALIDATION_ERROR", category="validation")


def invalid(error: RequestValidationError, unknown: Sequence[Problem], path: str) -> InvalidRequest:
    """Return a request that does not fit its schema as a failure, with unknown fields near to known ones."""
    found = InvalidRequest(error.errors(), [one for one in unknown if one.near])
    found.advice = advice_for_ids(path) if found.field == "id" else found.advice
    return found


def failed_answer(answer: Answer, tools: Collection[str]) -> JSONResponse:
    """Return the answer to a request that failed; its record was redacted by the steps."""
    failure = answer.failure
    assert failure is not None
    record = _for_routes(answer.meta["laconic/error"], failure, tools)
    envelope = RestEnvelope(getattr(failure, "legacy", None))
    waits = {} if failure.retry_after is None else {"retry-after": str(max(1, ceil(failure.retry_after)))}
    return JSONResponse(envelope.failure(record), _status(failure), waits)


def _for_routes(record: Mapping[str, Any], failure: Failure, tools: Collection[str]) -> dict[str, Any]:
    """Return a record whose advice is for somebody who has routes and no tools."""
    if "next" not in record:
        return dict(record)
    advice = _READ_AGAIN if _is_etag(failure) else advice_for_routes(record["next"], tools)
    return {name: value for name, value in {**record, "next": advice}.items() if name != "next" or value}


def _is_etag(failure: Failure) -> bool:
    return isinstance(failure, Moved) and failure.field == "version"  # only If-Match names a version


def _status(failure: Failure) -> int:
    if isinstance(failure, PlainRefusal):
        return failure.status
    if isinstance(failure, InvalidRequest):
        return 422
    if _is_etag(failure):
        return 412
    if isinstance(failure, TooLarge):
        return 400  # of a field; a request that is too long does not come here
    return status_of(failure)


def _detail(record: Mapping[str, Any]) -> Any:
    """Return what older clients read: the message, or an object where the failure has a code of its own."""
    code, details = _code(record), record.get("details", {})
    if code is None:
        others = [problem["message"] for problem in record.get("problems", ())[1:]]
        return " ".join([record["message"], *others])
    more = {"existing_bookmark_id": details["existing"]["id"]} if code == "ARCHIVED_URL_EXISTS" else {}
    return {"message": record["message"], **details, **more, "error_code": code}


def _code(record: Mapping[str, Any]) -> str | None:
    """Return the code that older clients read."""
    details = record.get("details", {})
    if "error_code" in details:
        return str(details["error_code"])
    is_name = record["code"] == "RESOURCE_ALREADY_EXISTS" and "state" in details.get("existing", {})
    return "NAME_CONFLICT" if is_name else None


def _others(errors: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return how much else is wrong, if anything is."""
    if not errors:
        return []
    field = ".".join(map(str, errors[0]["loc"][1:2])) or str(errors[0]["loc"][0])
    return [Problem(field, f"And {len(errors):,} more problems.")]


def _problem(error: Mapping[str, Any]) -> Problem:
    place, *path = error["loc"]
    if error["type"] == _NO_JSON:
        why = error["ctx"]["error"]
        said = f"The body is not valid JSON, at character {path[0] if path else 0}."
        return Problem("body", why if why in UNREADABLE else said)
    if (place, path) == ("body", []) and error["type"] in _NO_OBJECT:
        return Problem("body", "Expected: a JSON object, sent with Content-Type: application/json.")
    field = ".".join(map(str, path)) or str(place)
    if error["type"] == _MISSING:
        return Problem(field, f"{field} is missing.")
    if error["type"] in _NO_ID:
        return Problem(field, f"Invalid {field}. Expected: an id such as {_SOME_ID}.")
    if error["type"] == _NO_PATTERN and path[-1] in _PATTERNS:
        return Problem(field, f"Invalid {field}. Expected: {_PATTERNS[path[-1]]}.")
    said = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    return Problem(field, f"Invalid {field}. {said}.")
