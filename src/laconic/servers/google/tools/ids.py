"""Arguments that several tools have: ids, also in the address of a page, and what excludes each other."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from laconic.kit import Problem

_IDS: Final = ("documentId", "spreadsheetId", "presentationId", "fileId")
_PLACES: Final = re.compile(r"/(?:d|folders|drives)/([\w-]{10,})|[?&]id=([\w-]{10,})")


def id_of(given: str) -> str:
    """Return the id in the address of a page; an id stays as it is."""
    found = _PLACES.search(given) if "://" in given else None
    return (found[1] or found[2]) if found else given.strip()


def with_ids(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with ids in place of addresses of pages."""
    return {name: id_of(value) if name in _IDS else value for name, value in arguments.items()}


def subject_of(names: Collection[str]) -> str | None:
    """Return what a tool with these arguments is about, so that a write drops what was kept of it."""
    id = next((name for name in _IDS if name in names), None)
    return f"file:{{{id}}}" if id else None


FileId = Annotated[str, Field(min_length=1), AfterValidator(id_of)]
FolderId = Annotated[str, AfterValidator(id_of)]


def not_both(one: str, other: str) -> Callable[[Mapping[str, Any]], Problem | None]:
    """Refuse two arguments that exclude each other."""

    def rule(arguments: Mapping[str, Any]) -> Problem | None:
        is_both = arguments.get(one) is not None and arguments.get(other) is not None
        return Problem(other, f"Pass {one} or {other}, not both.") if is_both else None

    return rule
