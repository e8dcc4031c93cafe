"""Arguments that several tools have: ids, also in the address of a page, and what excludes each other."""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from laconic.kit import Problem
from laconic.servers.google.catalogue.addresses import FILES, id_of


def subject_of(names: Collection[str]) -> str | None:
    """Return what a tool with these arguments is about, so that a write drops what was kept of it."""
    id = next((name for name in FILES if name in names), None)
    return f"file:{{{id}}}" if id else None


FileId = Annotated[str, Field(min_length=1), AfterValidator(id_of)]
FolderId = Annotated[str, AfterValidator(id_of)]


def not_both(one: str, other: str) -> Callable[[Mapping[str, Any]], Problem | None]:
    """Refuse two arguments that exclude each other."""

    def rule(arguments: Mapping[str, Any]) -> Problem | None:
        is_both = arguments.get(one) is not None and arguments.get(other) is not None
        return Problem(other, f"Pass {one} or {other}, not both.") if is_both else None

    return rule
