"""One record in the journal for each call: who, where, what it changed, the outcome, time and tokens."""

from __future__ import annotations

import time
from functools import cache
from string import Formatter
from typing import Any, Final

from laconic.kit.answers.content import Text
from laconic.kit.journal.calls import CallJournal, CallRecord
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Inner, Step

_LETTERS: Final = 4  # of a token, on average: counting exactly would take longer than many a call
_DEEPEST: Final = 4  # levels of arguments that are counted


def journal(calls: CallJournal) -> Step:
    """Record every call with its outcome."""

    async def step(call: Call, inner: Inner) -> Answer:
        spec = call.spec
        if spec.relays or not (spec.writes or calls.reads):  # what is relayed has a record of its own
            return await inner(call)
        at, began = time.time(), time.perf_counter()
        outcome, given = "cancelled", 0
        try:
            answer = await inner(call)
            outcome = answer.failure.code if answer.failure else "success"
            given = sum([len(block.text) for block in answer.blocks if isinstance(block, Text)])
            return answer
        except (AskLater, NotSupported) as end:
            outcome = end.outcome
            raise
        finally:
            changes = call.effects.changes
            took, caller = (time.perf_counter() - began) * 1000, call.peer.caller.name
            calls.add(
                CallRecord(
                    at,
                    spec.name,
                    spec.effect.value,
                    outcome,
                    took,
                    _length(call.arguments) // _LETTERS,
                    given // _LETTERS,
                    call.peer.client,
                    "" if caller == "local" else caller,
                    () if changes or spec.subject is None else _ids(call),
                    changes,
                ),
                soon=call.started and spec.writes,
            )

    return step


def _ids(call: Call) -> tuple[object, ...]:
    """Return the arguments that `subject=` mentions."""
    if call.checked is None or call.spec.subject is None:
        return ()
    given = call.checked.wire
    return tuple([given[name] for name in _named(call.spec.subject) if given.get(name) is not None])


@cache
def _named(subject: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(subject) if name]


def _length(value: Any, deepest: int = _DEEPEST) -> int:
    """Return about how many letters arguments have."""
    if isinstance(value, str):
        return len(value)
    if not deepest:
        return 0
    if isinstance(value, dict):
        return sum([len(name) + 4 + _length(one, deepest - 1) for name, one in value.items()])
    if isinstance(value, list):
        return sum([1 + _length(one, deepest - 1) for one in value])
    return 4
