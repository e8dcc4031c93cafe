"""Forms of an answer: what a tool returned, as text, as structured content, or both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from laconic.kit.answers.cells import in_json, json_line, line_start, one_line
from laconic.kit.answers.content import Beside, Block, Text, Verbatim, block_data
from laconic.kit.answers.envelope import Envelope, PageFacts, with_notes
from laconic.kit.answers.facts import Facts
from laconic.kit.answers.lists import listed
from laconic.kit.answers.pages import Batch, Page
from laconic.kit.answers.records import Record, count_of, nouns, options_of
from laconic.kit.answers.views import View
from laconic.kit.arguments.known import arguments_of
from laconic.kit.pipeline import Answer, Call
from laconic.kit.plain import jsonable, shown_fields
from laconic.kit.present.failing import BatchFailures
from laconic.kit.present.schemas import output_schema, wraps_texts
from laconic.text.secrets import HIDDEN

__all__ = ["key_of", "limit_of", "next_page", "present", "view_of"]


def present(call: Call, value: Any, envelope: Envelope, cursor: str | None = None) -> Answer:
    """Return the answer of a call that succeeded."""
    if type(value) is str and call.output == "text":  # the commonest, so it is looked for first
        return Answer([Text(value)], value=value)
    if isinstance(value, Answer):
        return replace(value, structured=None) if call.output == "text" else value
    if isinstance(value, Block):
        return _blocks(call, [value], value, envelope)
    if isinstance(value, Verbatim):
        facts = Facts({value.name: value.text})
        return _formed(call, envelope, lambda: value.block.text, lambda: facts, value, lambda: [value.text])
    if isinstance(value, list | tuple) and value and all(isinstance(one, Block | Verbatim) for one in value):
        return _blocks(call, value, value, envelope)
    if _is_with_blocks(value):
        answer = present(call, value[0], envelope)
        return replace(answer, blocks=[*answer.blocks, *value[1:]], value=value)
    if isinstance(value, Page):
        return _page(call, value, envelope, cursor)
    if isinstance(value, Batch):
        return _batch(call, value, envelope)
    if isinstance(value, Record):
        view = view_of(call, type(value))
        bodies = partial(view.texts_apart, [value])
        answer = _formed(call, envelope, lambda: view.one(value), lambda: _one(view, value), value, bodies)
        return _remarked(answer, view, [value], is_list=False)
    if isinstance(value, str):
        if not wraps_texts(call.spec, envelope):
            return Answer([Text(value)], value=value)
        return _formed(call, envelope, lambda: value, lambda: Facts(value), value)
    if call.output != "text" and output_schema(call.spec, envelope) is None:
        return Answer([Text(_words(value))], value=value)  # data that no schema describes is not sent
    return _formed(call, envelope, lambda: _words(value), lambda: Facts(jsonable(value)), value)


def _blocks(call: Call, parts: Sequence[Block | Verbatim], value: Any, envelope: Envelope) -> Answer:
    """Return an answer of blocks; an envelope around them has what programs can use of each."""
    answer = Answer([one.block if isinstance(one, Verbatim) else one for one in parts], value=value)
    if call.output == "text" or not wraps_texts(call.spec, envelope):
        return answer
    data = block_data(value) if isinstance(value, Block) else [block_data(one) for one in parts]
    facts = Facts(data, about=jsonable(call.about))
    return replace(answer, structured=facts.inside(envelope), facts=facts)


def _is_with_blocks(value: Any) -> bool:
    """True for a record and the blocks beside it."""
    if not isinstance(value, list | tuple) or len(value) < 2 or not isinstance(value[0], Record):
        return False
    return all(isinstance(one, Beside) for one in value[1:])


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


def _one(view: View, record: Record) -> Facts:
    return Facts(view.values(record), key=_key(view))


def _key(view: View) -> str | None:
    key = key_of(view.record)
    return None if key is None else view.wire(key)


def _page(call: Call, page: Page[Any], envelope: Envelope, cursor: str | None) -> Answer:
    record = call.spec.signature.record
    if record is None:
        raise TypeError(f"{call.spec.name} returns a Page of something that is not a Record")
    view = view_of(call, record)
    text, tail = _page_text(call, page, view, cursor) if call.output != "structured" else ("", "")

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
        return Facts(page=rows, key=_key(view))

    answer = _formed(call, envelope, lambda: text, facts, page, partial(view.texts_apart, page.items))
    answer.tail, answer.cursor = tail, cursor
    if answer.structured is not None and page.remark:  # the text has it
        answer.structured = with_notes(answer.structured, [page.remark])
    return _remarked(answer, view, page.items)


def _rows(view: View, items: Iterable[Record]) -> list[list[Any]]:
    return [list(view.values(item, days=view.days).values()) for item in items]


def _shared(view: View) -> list[str]:
    return [view.wire(name) for name in view.headings]


def _start(call: Call, page: Page[Any]) -> int | None:
    """Return how many items come before a page; the first page says where it starts, others may not know."""
    if page.start is not None or call.position is not None or call.within is not None:
        return page.start
    return call.checked.offset if call.checked else None


def _batch(call: Call, batch: Batch[Any], envelope: Envelope) -> Answer:
    record = call.spec.signature.record
    if record is None:
        raise TypeError(f"{call.spec.name} returns a Batch of something that is not a Record")
    view = view_of(call, record)
    failures = BatchFailures(call, batch.failures)
    same = [_name(one, number) for number, one in enumerate(batch.unchanged, 1)]
    unchanged = [f"Nothing to change: {', '.join(same)}."] if same else []
    failed = [*unchanged, *failures.lines()]

    def text() -> str:
        done = f"{batch.done} {len(batch.items):,} of {count_of(batch.total, record)}"
        if not batch.items:
            return "\n".join([f"{done}.", *failed])
        body = listed(view, batch.items)
        return "\n".join([body.under(f"{done}:"), body.text, *([""] if failed else []), *failed])

    def facts() -> Facts:
        columns = [view.wire(name) for name in view.columns]
        rows, shared = _rows(view, batch.items), _shared(view)
        page = PageFacts(columns, rows, batch.total, 0, batch.total, None, 0, shared)
        return Facts(page=page, failures=failures.records(), key=_key(view))

    answer = _formed(call, envelope, text, facts, batch, partial(view.texts_apart, batch.items))
    answer = _remarked(answer, view, batch.items)
    if answer.structured is not None:
        answer.structured = with_notes(answer.structured, unchanged)
    return answer


def _remarked(answer: Answer, view: View, records: Sequence[Record], *, is_list: bool = True) -> Answer:
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


def _page_text(call: Call, page: Page[Any], view: View, cursor: str | None) -> tuple[str, str]:
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
    shown = {name: HIDDEN if name in secret else in_json(value) for name, value in filters.items()}
    filtered = ", ".join(f"{name}={value}" for name, value in shown.items())
    can_go = len(filters) > 1 and not filters.keys() <= _needed(call)
    advice = " Leave a filter out to see more." if can_go else ""
    return f"No {many} match {filtered}.{advice}"


def _needed(call: Call) -> set[str]:
    """Return the arguments that no caller can leave out: required ones, and what every call is made for."""
    signature = call.spec.signature
    own = {one.wire for one in signature.parameters if one.is_required}
    return own.union(*({one.wire for one in each.signature.parameters} for each in signature.each))


def _words(value: Any) -> str:
    if value is None:
        return "Done."
    if isinstance(value, bool):
        return "yes" if value else "no"
    found = jsonable(value)
    return line_start(found) if isinstance(found, str) else json_line(found)


def _block(call: Call, text: str, bodies: Callable[[], Iterable[str]]) -> Text:
    is_long = 0 < call.budget < len(text)  # else nobody asks where its bodies are
    return Text.around(text, bodies()) if is_long else Text(text)


def _formed(
    call: Call,
    envelope: Envelope,
    text: Callable[[], str],
    facts: Callable[[], Facts],
    value: Any,
    bodies: Callable[[], Iterable[str]] = tuple,
) -> Answer:
    """Return an answer with only the forms that are wanted; `bodies` are the whole texts in its text."""
    blocks: list[Block] = [_block(call, text(), bodies)] if call.output != "structured" else []
    if call.output == "text":
        return Answer(blocks, value=value)
    known = replace(facts(), about=jsonable(call.about)) if call.about else facts()
    return Answer(blocks, known.inside(envelope), facts=known, value=value)
