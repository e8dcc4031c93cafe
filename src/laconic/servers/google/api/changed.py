"""Changed: the ids of the files and drives that a request made or changed, for the journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from laconic.servers.google.catalogue.addresses import FILES, INTO

_MADE: Final = {  # operations whose answer is what they made, with the name of its id there
    "docs_create": "documentId",
    "sheets_create": "spreadsheetId",
    "slides_create": "presentationId",
    "drive_files_create": "id",
    "drive_files_copy": "id",
    "drive_drives_create": "id",
}


def ids_changed(name: str, arguments: Mapping[str, Any], answer: Any) -> Iterator[str]:
    """Yield what an operation made or changed, as far as its arguments and its answer tell."""
    if name in _MADE:
        made = answer.get(_MADE[name]) if isinstance(answer, Mapping) else None
        yield from [str(made)] if made else []
    elif INTO in arguments:
        yield str(arguments[INTO])
    else:
        yield from (str(arguments[key]) for key in (*FILES, "driveId") if arguments.get(key))
