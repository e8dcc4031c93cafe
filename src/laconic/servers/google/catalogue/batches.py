"""Batches: requests that callers write themselves, checked before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from laconic.kit import BadArguments, Problem
from laconic.servers.google.catalogue.arguments import OperationArguments
from laconic.servers.google.catalogue.index import Entry, entries
from laconic.servers.google.catalogue.operations import operation
from laconic.text import did_you_mean, nearest


def checked_requests(
    api: str, file: str, requests: Sequence[Mapping[str, Any]], such_as: str
) -> list[dict[str, Any]]:
    """Return the requests of a batch; `file` is the argument that all operations of the API have.

    Raises:
        BadArguments: one is unknown, or does not fit; with its place.
    """
    return [checked_request(api, file, place, one, such_as) for place, one in enumerate(requests)]


@cache
def kinds_of(api: str) -> Mapping[str, Entry]:
    """Return the kinds of requests that a batch of an API takes, with the operation of each."""
    found = {operation(name).kind: entry for name, entry in entries().items() if entry.api == api}
    return {kind: entry for kind, entry in found.items() if kind}


def checked_request(
    api: str, file: str, place: int, request: Mapping[str, Any], such_as: str
) -> dict[str, Any]:
    """Return one request of a batch.

    Raises:
        BadArguments: its kind is unknown, or it does not fit; with its place.
    """
    known = kinds_of(api)
    kinds = [kind for kind in request if kind in known]
    if len(request) != 1 or not kinds:
        given = next(iter(request), "")
        hint = did_you_mean(nearest(given, known), quote="'")
        message = (
            f"Invalid requests[{place}]: expected one key, the kind of request, such as {such_as}.{hint}"
        )
        raise BadArguments([Problem(f"requests[{place}]", message, given)])
    [kind] = kinds
    if not isinstance(request[kind], Mapping):
        message = f"Invalid requests[{place}].{kind}: expected an object."
        raise BadArguments([Problem(f"requests[{place}].{kind}", message, request[kind])])
    try:
        inner = OperationArguments(known[kind]).check({**request[kind], file: "x"})
    except BadArguments as error:
        where = f"requests[{place}].{kind}"
        found = [
            Problem(f"{where}.{one.field}", f"{where}: {one.message}", one.given) for one in error.problems
        ]
        raise BadArguments(found) from error
    return {kind: {name: value for name, value in inner.items() if name != file}}
