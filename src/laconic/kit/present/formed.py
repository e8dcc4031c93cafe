"""An answer in the forms that are wanted: text, structured content, or both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from laconic.kit.answers.cells import json_line
from laconic.kit.answers.content import Block, Text
from laconic.kit.answers.envelope import Envelope, with_notes
from laconic.kit.answers.facts import Facts
from laconic.kit.pipeline import Answer, Call
from laconic.kit.plain import jsonable
from laconic.kit.present.asked import is_json

__all__ = ["formed"]


def formed(
    call: Call,
    envelope: Envelope,
    text: Callable[[], str],
    facts: Callable[[], Facts],
    value: Any,
    bodies: Callable[[], Iterable[str]] = tuple,
    remark: str = "",
) -> Answer:
    """Return an answer with only the forms that are wanted; `bodies` are the whole texts in its text.

    `text` has the remark, and data does not yet.
    """
    if call.output == "text" and not is_json(call):
        return Answer([_block(call, text(), bodies)], value=value)
    known = replace(facts(), about=jsonable(call.about)) if call.about else facts()
    data = known.inside(envelope)
    data = with_notes(data, [remark]) if remark else data
    written = json_line(_given(data)) if is_json(call) else text() if call.output != "structured" else ""
    blocks: list[Block] = [_block(call, written, bodies)] if call.output != "structured" else []
    return Answer(blocks, None if call.output == "text" else data, facts=known, value=value)


def _given(data: Any) -> Any:
    """Return data without members that say nothing."""
    if isinstance(data, dict):
        return {name: _given(value) for name, value in data.items() if value is not None}
    return [_given(one) for one in data] if isinstance(data, list) else data


def _block(call: Call, text: str, bodies: Callable[[], Iterable[str]]) -> Text:
    is_long = 0 < call.budget < len(text)  # else nobody asks where its bodies are
    return Text.around(text, bodies()) if is_long else Text(text)
