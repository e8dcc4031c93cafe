"""Every operation of the catalogue as a tool."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.arguments import OperationArguments
from laconic.servers.google.catalogue.index import Entry, entries
from laconic.servers.google.drive.reading import exported_text
from laconic.servers.google.running import run_operation
from laconic.servers.google.tools.ids import subject_of
from laconic.servers.google.tools.toolset import OPERATION, google

_EXPORT: Final = "drive_files_export"


async def run(name: str, access: Access, arguments: Mapping[str, Any]) -> dict[str, Any] | str:
    """Carry out an operation."""
    if name == _EXPORT:  # the only one that answers with bytes
        return await exported_text(access, arguments["fileId"], arguments["mimeType"])
    return await run_operation(access, name, arguments)


def _declare(entry: Entry) -> None:
    options: dict[str, Any] = {"tags": [OPERATION]}
    if entry.instead:
        options["behind"] = entry.instead
    if entry.again:
        options |= {"idempotent": False, "because": entry.again}
    file = subject_of(entry.takes)
    options |= {"subject": file} if file else {}
    unlisted = {"fields", "writeControl"} - set(entry.required)
    options["unlisted"] = sorted(unlisted.intersection(entry.takes))
    google.add(
        entry.effect,
        entry.name,
        entry.summary,
        OperationArguments(entry),
        partial(run, entry.name),
        **options,
    )


for _entry in entries().values():
    _declare(_entry)
