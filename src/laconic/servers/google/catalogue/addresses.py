"""Addresses of pages: each has the id of a file in it, which does in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

INTO: Final = "destinationSpreadsheetId"  # the other spreadsheet is only read
FILES: Final = ("documentId", "spreadsheetId", "presentationId", "fileId", INTO)
"""Arguments that are the id of a file."""
_PLACES: Final = re.compile(r"/(?:d|folders|drives)/([\w-]{10,})|[?&]id=([\w-]{10,})")


def id_of(given: str) -> str:
    """Return the id in the address of a page; an id stays as it is."""
    found = _PLACES.search(given) if "://" in given else None
    return (found[1] or found[2]) if found else given.strip()


def with_ids(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with ids in place of addresses of pages."""
    return {
        name: id_of(value) if name in FILES and isinstance(value, str) else value
        for name, value in arguments.items()
    }
