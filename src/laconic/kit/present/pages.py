"""Lists of records as answers: a page of many, and a batch that was changed at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from laconic.kit.answers.cells import line_start
from laconic.kit.answers.envelope import Envelope, PageFacts, with_notes
from laconic.kit.answers.facts import Facts
from laconic.kit.answers.lists import listed
from laconic.kit.answers.pages import Batch, Page
from laconic.kit.answers.records import Record, count_of
from laconic.kit.answers.views import View
from laconic.kit.declaring.spec import Effect
from laconic.kit.pipeline import Answer, Call
from laconic.kit.present.asked import is_json, key_of, limit_of, view_of
from laconic.kit.present.failing import BatchFailures
from laconic.kit.present.formed import formed
from laconic.kit.present.page_text import page_text

__all__ = ["batch_answer", "key_name", "page_answer", "remarked"]

_DONE: Final = {
    Effect.READ: "Found",
    Effect.CREATE: "Created",
    Effect.UPDATE: "Changed",
    Effect.DELETE: "Deleted",
}


def key_name(view: View) -> str | None:
    """Return the name on the wire of the field by which records are known."""
    key = key_of(view.record)
    return None if key is None else view.wire(key)


def page_answer(call: Call, page: Page[Any], envelope: Envelope, cursor: str | None) -> Answer:
    """Return a page of records."""
    record = call.spec.signature.record
    if record is None:
        raise TypeError(f"{call.spec.name} returns a Page of something that is not a Record")
    view = view_of(call, record)
    is_text = call.output != "structured" and not is_json(call)
    text, tail = page_text(call, page, view, cursor) if is_text else ("", "")

    def facts() -> Facts:
        rows = PageFacts(
            columns=[view.wire(name) for name in view.columns],
            rows=_rows(view, page.items),
            shared=_shared(view),
            total=page.total,
            start=_start(call, page),
            limit=limit_of(call) or len(page.items),
            next=cursor,
            rest=page.rest,
        )
        return Facts(page=rows, key=key_name(view))

    bodies = partial(view.texts_apart, page.items)
    answer = formed(call, envelope, lambda: text, facts, page, bodies, page.remark)
    answer.tail, answer.cursor = tail, cursor
    return remarked(answer, view, page.items)


def _rows(view: View, items: Iterable[Record]) -> list[list[Any]]:
    return [list(view.values(item, days=view.days).values()) for item in items]


def _shared(view: View) -> list[str]:
    return [view.wire(name) for name in view.headings]


def _start(call: Call, page: Page[Any]) -> int | None:
    """Return how many items come before a page; the first page says where it starts, others may not know."""
    if page.start is not None or call.position is not None or call.within is not None:
        return page.start
    return call.checked.offset if call.checked else None


def batch_answer(call: Call, batch: Batch[Any], envelope: Envelope) -> Answer:
    """Return the records that were changed at once, and what failed."""
    record = call.spec.signature.record
    if record is None:
        raise TypeError(f"{call.spec.name} returns a Batch of something that is not a Record")
    view = view_of(call, record)
    failures = BatchFailures(call, batch.failures)
    same = [_name(one, number) for number, one in enumerate(batch.unchanged, 1)]
    unchanged = [f"Nothing to change: {', '.join(same)}."] if same else []
    failed = [*unchanged, *failures.lines()]

    def text() -> str:
        word = batch.done or _DONE[call.spec.effect]
        done = f"{word} {len(batch.items):,} of {count_of(batch.total, record)}"
        if not batch.items:
            return "\n".join([f"{done}.", *failed])
        body = listed(view, batch.items)
        return "\n".join([body.under(f"{done}:"), body.text, *([""] if failed else []), *failed])

    def facts() -> Facts:
        columns = [view.wire(name) for name in view.columns]
        rows, shared = _rows(view, batch.items), _shared(view)
        page = PageFacts(columns, rows, batch.total, 0, batch.total, None, 0, shared)
        return Facts(page=page, failures=failures.records(), key=key_name(view))

    answer = formed(call, envelope, text, facts, batch, partial(view.texts_apart, batch.items))
    answer = remarked(answer, view, batch.items)
    if answer.structured is not None:
        answer.structured = with_notes(answer.structured, unchanged)
    return answer


def remarked(answer: Answer, view: View, records: Sequence[Record], *, is_list: bool = True) -> Answer:
    """Add the records' remarks: to the data, and to the text unless their own texts have them."""
    kinds: set[type[Record]] = set(map(type, records))
    if all(kind.list_remarks is Record.list_remarks for kind in kinds):
        return answer  # none has any
    remarks = [
        (one, f"{_name(one, number)}: {words}" if is_list else words)
        for number, one in enumerate(records, 1)
        for words in one.list_remarks()
    ]
    unsaid = {id(one) for one in view.written_by_kit(records)} if remarks else set()
    if answer.structured is not None:
        said = [words for one, words in remarks if id(one) not in unsaid]
        answer.structured = with_notes(answer.structured, said)
    answer.note([words for one, words in remarks if id(one) in unsaid])
    return answer


def _name(record: Record, number: int) -> str:
    """Return the key of a record in a list, or its number."""
    key = key_of(type(record))
    value = None if key is None else getattr(record, key)
    return f"Item {number}" if value is None else line_start(str(value))
