"""What the caller asked for: which view of the records, how many of them, and whether as JSON."""

from __future__ import annotations

from laconic.kit.answers.records import Record, options_of
from laconic.kit.answers.views import View
from laconic.kit.pipeline import Call
from laconic.kit.plain import shown_fields

__all__ = ["is_json", "key_of", "limit_of", "view_of"]


def view_of(call: Call, record: type[Record]) -> View:
    """Return the view that the caller asked for."""
    checked = call.checked
    options = options_of(record)
    form = (checked.format if checked else None) or call.spec.format
    if form is None and call.spec.writes and options.formats:
        form = next(iter(options.formats))  # the caller wrote it and knows it: the leanest is enough
    form = form or options.default_format
    if checked is None or checked.fields is None:
        return View.known(record, form, call.spec.case)
    return View(record, form=form, fields=checked.fields, case=call.spec.case)


def limit_of(call: Call) -> int:
    """Return how many items a page of this call may have."""
    checked, window = call.checked, call.spec.signature.window
    if window is None:
        return 0
    limit, form = (checked.limit, checked.format) if checked else (None, None)
    return window[1].at(position=None, limit=limit, start=0, form=form).count


def key_of(record: type[Record]) -> str | None:
    """Return the field by which such records are known, if they have it."""
    key = options_of(record).key
    return key if key in shown_fields(record) else None


def is_json(call: Call) -> bool:
    """True if the caller wants data as JSON in the text."""
    return call.checked is not None and call.checked.json == "json"
