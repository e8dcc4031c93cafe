"""Forms of an answer: what a tool returned, as text, as structured content, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from laconic.kit.answers.cells import json_line, line_start
from laconic.kit.answers.content import Beside, Block, Text, Verbatim, block_data
from laconic.kit.answers.envelope import Envelope
from laconic.kit.answers.facts import Facts
from laconic.kit.answers.pages import Batch, Page
from laconic.kit.answers.records import Record
from laconic.kit.answers.views import View
from laconic.kit.pipeline import Answer, Call
from laconic.kit.plain import jsonable
from laconic.kit.present.asked import view_of
from laconic.kit.present.formed import formed
from laconic.kit.present.pages import batch_answer, key_name, page_answer, remarked
from laconic.kit.present.schemas import output_schema, wraps_texts

__all__ = ["present"]


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
        words, own = value.block.text, [value.text]
        return formed(call, envelope, lambda: words, lambda: facts, value, lambda: own, value.remark)
    if isinstance(value, list | tuple) and value and all(isinstance(one, Block | Verbatim) for one in value):
        return _blocks(call, value, value, envelope)
    if _is_with_blocks(value):
        answer = present(call, value[0], envelope)
        return replace(answer, blocks=[*answer.blocks, *value[1:]], value=value)
    if isinstance(value, Page):
        return page_answer(call, value, envelope, cursor)
    if isinstance(value, Batch):
        return batch_answer(call, value, envelope)
    if isinstance(value, Record):
        view = view_of(call, type(value))
        bodies = partial(view.texts_apart, [value])
        answer = formed(call, envelope, lambda: view.one(value), lambda: _one(view, value), value, bodies)
        return remarked(answer, view, [value], is_list=False)
    if isinstance(value, str):
        if not wraps_texts(call.spec, envelope):
            return Answer([Text(value)], value=value)
        return formed(call, envelope, lambda: value, lambda: Facts(value), value)
    if call.output != "text" and output_schema(call.spec, envelope) is None:
        return Answer([Text(_words(value))], value=value)  # data that no schema describes is not sent
    return formed(call, envelope, lambda: _words(value), lambda: Facts(jsonable(value)), value)


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


def _one(view: View, record: Record) -> Facts:
    return Facts(view.values(record), key=key_name(view))


def _words(value: Any) -> str:
    if value is None:
        return "Done."
    if isinstance(value, bool):
        return "yes" if value else "no"
    found = jsonable(value)
    return line_start(found) if isinstance(found, str) else json_line(found)
