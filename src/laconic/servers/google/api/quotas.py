"""Quotas: what Google allows one person per minute, kept by all processes of the user together."""

from __future__ import annotations

from typing import Final

from laconic.servers.google.catalogue.operations import Operation
from laconic.upstream import Quota

QUOTAS: Final = {
    "docs reads": Quota(300),
    "docs writes": Quota(60),
    "sheets reads": Quota(60),
    "sheets writes": Quota(60),
    "slides reads": Quota(600),
    "slides pictures": Quota(60),
    "slides writes": Quota(60),
    "drive": Quota(325_000),  # units, see below
}
DOWNLOAD_COST: Final = 200  # units of Drive
_LIST, _CHANGE, _OTHER = 100, 50, 5


def group_of(operation: Operation) -> str:
    """Return the quota that an operation counts for."""
    api = operation.entry.api
    if api == "drive":
        return api
    if operation.entry.name == "slides_pages_getThumbnail":
        return "slides pictures"
    return f"{api} {'reads' if operation.entry.effect == 'read' else 'writes'}"


def cost_of(operation: Operation) -> int:
    """Return how much of its quota an operation costs."""
    if operation.entry.api != "drive":
        return 1
    own = operation.entry.name.rpartition("_")[2]
    if own.startswith("list"):
        return _LIST
    if own in ("export", "download"):
        return DOWNLOAD_COST
    return _OTHER if operation.entry.effect == "read" else _CHANGE
