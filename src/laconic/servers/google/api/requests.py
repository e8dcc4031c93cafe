"""Requests: what is sent for an operation with its arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from laconic.servers.google.api.quotas import cost_of, group_of
from laconic.servers.google.catalogue.operations import ALWAYS_SENT, Operation
from laconic.upstream import ApiRequest, path_of
from laconic.upstream.messages import Resending

_VARIABLE: Final = re.compile(r"\{(\w+)\}")
_MORE: Final = ("nextPageToken", "newStartPageToken", "incompleteSearch")  # what says whether a list is whole


def request_of(operation: Operation, arguments: Mapping[str, Any], **more: Any) -> ApiRequest:
    """Return the request for an operation; `more` is what an ApiRequest takes besides."""
    given = {name: value for name, value in arguments.items() if value is not None}
    places = {name: node["in"] for name, node in operation.parameters.items()}
    query = {name: value for name, value in given.items() if places.get(name) == "query"}
    query |= {name: True for name in ALWAYS_SENT if name in places}
    fields = given.get("fields") if "fields" not in operation.body else None
    usual = "" if given.get("includeGridData") else operation.entry.fields  # which are without cells
    if given.get("includeDeleted"):
        usual = re.sub(r"\bid,content\b", "id,deleted,content", usual)
    if not operation.kind and (fields or usual):
        query["fields"] = _with_more(fields, operation) if fields else usual
    return ApiRequest(
        method=operation.facts["method"],
        path=_filled(operation.facts["path"], given),
        query=query,
        body=_body(operation, given, set(places)),
        group=group_of(operation),
        cost=cost_of(operation),
        **{"resending": resending_of(operation), **more},
    )


def _with_more(fields: str, operation: Operation) -> str:
    """Ask for what says that there is more, too: a list without it looks whole."""
    if "pageToken" not in operation.parameters or "*" in re.split(r"[\s,]+", fields):
        return fields
    answer = operation.api.types.get(operation.facts.get("response", ""), {}).get("properties", {})
    own = [name for name in _MORE if name in answer and not re.search(rf"\b{name}\b", fields)]
    return ",".join([fields, *own])


def _filled(template: str, given: Mapping[str, Any]) -> str:
    return _VARIABLE.sub(lambda found: path_of(str(given[found[1]]))[1:], template)


def _body(operation: Operation, given: Mapping[str, Any], elsewhere: set[str]) -> Any:
    if "request" not in operation.facts:
        return None
    own = {name: value for name, value in given.items() if name in operation.body and name not in elsewhere}
    if not operation.kind:
        return own
    control = {"writeControl": given["writeControl"]} if given.get("writeControl") else {}
    return {"requests": [{operation.kind: own}], **control}


def resending_of(operation: Operation) -> Resending:
    """Return whether sending an operation twice has the effect of sending it once."""
    effect, entry = operation.entry.effect, operation.entry
    if effect == "read":
        return "read"
    if operation.facts["method"] == "DELETE" or "requestId" in operation.required:  # by which Google knows it
        return "repeatable"
    return "repeatable" if effect == "update" and not entry.again else "once"
