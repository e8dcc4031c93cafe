"""Replacing: an edit that was refused, under the keys that clients of `str-replace` read."""

from __future__ import annotations

from typing import Any, Final

from laconic.kit import BadArguments, Failure
from laconic.text import NotReplaced

__all__ = ["RefusedEdit", "refused_edit"]

_LONGER: Final = "Send more of the text around it, so that it occurs once."
_READ: Final = "Read the content again: it must be given as it is written, with its indentation."
_SET: Final = "Set the content first."


class RefusedEdit(BadArguments):
    """An edit that was not made; `legacy` is what older clients read."""

    def __init__(self, failure: Failure, legacy: dict[str, Any]) -> None:
        known = getattr(failure, "problems", ()) or failure.message
        super().__init__(known, field=failure.field, details=failure.details, advice=failure.advice)
        self.legacy = {**legacy, "message": failure.message}

    @classmethod
    def of_empty(cls) -> RefusedEdit:
        """Return the failure for an item without content."""
        empty = BadArguments("This item has no content yet.", field="old_str", advice=_SET)
        return cls(empty, {"error": "content_empty", "suggestion": _SET})


def refused_edit(failure: Failure, error: Exception) -> Failure:
    """Add what older clients read to the failure of an edit; other failures stay as they are."""
    if not isinstance(error, NotReplaced):
        return failure
    places = failure.details.get("places")
    if not places:
        return RefusedEdit(failure, {"error": "no_match", "suggestion": _READ})
    listed = [one for one in places if "line" in one]
    total = len(listed) + sum(one.get("not_listed", 0) for one in places)
    matches = [{"field": "content", "line": one["line"], "context": one["context"]} for one in listed]
    found = {"error": "multiple_matches", "total_matches": total, "matches": matches}
    return RefusedEdit(failure, {**found, "suggestion": _LONGER})
