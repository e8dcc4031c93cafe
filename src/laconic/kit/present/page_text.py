"""The text of a page: its heading, its items, and the way to the next one; or that nothing was found."""

from __future__ import annotations

from typing import Any, Final

from laconic.kit.answers.cells import in_json, one_line
from laconic.kit.answers.lists import listed
from laconic.kit.answers.pages import Page
from laconic.kit.answers.records import Record, nouns
from laconic.kit.answers.views import View
from laconic.kit.arguments.known import arguments_of
from laconic.kit.errors.notices import clipped
from laconic.kit.pipeline import Call
from laconic.text.secrets import HIDDEN

__all__ = ["next_page", "page_text"]

_FILTER: Final = 100  # bytes of what the caller has just sent, where it found nothing


def page_text(call: Call, page: Page[Any], view: View, cursor: str | None) -> tuple[str, str]:
    """Return the text of a page, and its last line, which leads to the next page."""
    record = view.record
    remark = [one_line(page.remark)] if page.remark else []
    if not page.items and cursor is None:
        return "\n".join([_nothing(call, record, page.total), *remark]), ""
    about = {"about": one_line(page.about)} if page.about else {}
    start = page.start or 0
    if page.items:
        head = record.write_heading(len(page.items), page.total, start=start, is_last=not cursor, **about)
        body = listed(view, page.items)
        lines = [body.under(head), *remark, body.text]
    else:  # another service may give a page without items, and go on
        lines = [f"No {nouns(record)[1]} on this page.", *remark]
    tail = ""
    if cursor:
        tail = next_page(page.rest, cursor, _offset(call, page))
        lines += ["", tail]
    return "\n".join(lines), tail


def _offset(call: Call, page: Page[Any]) -> int | None:
    """Return the offset of the next page, if the tool lists that parameter and its list can skip items."""
    window = call.spec.signature.window
    is_listed = window is not None and window[1].offset == "listed"
    return page.start + len(page.items) if is_listed and page.start is not None else None


def next_page(rest: int | None, cursor: str, offset: int | None = None) -> str:
    """Return the line that leads to the next page."""
    way = f"cursor '{cursor}'" if offset is None else f"offset {offset}"
    count = "More" if rest is None else f"{rest:,} more"
    unit = "item matches" if rest == 1 else "items match"
    return f"{count} {unit}. Pass {way} to see next page."


def _nothing(call: Call, record: type[Record], total: int | None) -> str:
    many = nouns(record)[1]
    if total:
        return f"No {many} here: the list of {total:,} ends before this page."
    if call.position is not None or call.within is not None:
        return f"No more {many}."
    filters = call.query
    if not filters:
        return f"There are no {many}."
    secret = arguments_of(call.spec).secret
    shown = {
        name: HIDDEN if name in secret else clipped(in_json(value), _FILTER)
        for name, value in filters.items()
    }
    filtered = ", ".join(f"{name}={value}" for name, value in shown.items())
    can_go = len(filters) > 1 and not filters.keys() <= _needed(call)
    advice = " Leave a filter out to see more." if can_go else ""
    return f"No {many} match {filtered}.{advice}"


def _needed(call: Call) -> set[str]:
    """Return the arguments that no caller can leave out: required ones, and what every call is made for."""
    signature = call.spec.signature
    own = {one.wire for one in signature.parameters if one.is_required}
    return own.union(*({one.wire for one in each.signature.parameters} for each in signature.each))
