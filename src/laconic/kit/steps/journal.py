"""One record in the journal for each call: who, where, what it changed, the outcome, time and tokens."""

from __future__ import annotations

from functools import cache
from string import Formatter
from time import perf_counter, time
from typing import Any, Final

from laconic.kit.answers.content import Text
from laconic.kit.journal.calls import CallJournal, CallRecord
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for

_LETTERS: Final = 4  # of a token, on average: counting exactly would take longer than many a call
_DEEPEST: Final = 3  # further levels of arguments that are counted


def journal(calls: CallJournal) -> Step:
    """Record every call with its outcome; what is relayed has a record of its own."""

    @only_for(lambda spec: not spec.relays and (spec.writes or calls.reads))
    async def step(call: Call, inner: Inner) -> Answer:
        at, began = time(), perf_counter()
        outcome, given = "cancelled", 0
        try:
            answer = await inner(call)
            outcome = answer.failure.code if answer.failure else "success"
            for block in answer.blocks:
                if type(block) is Text:
                    given += len(block.text)
            return answer
        except (AskLater, NotSupported) as end:
            outcome = end.outcome
            raise
        finally:
            spec, peer, changes = call.spec, call.peer, call.effects.changes
            calls.add(
                CallRecord(
                    at,
                    spec.name,
                    spec.effect.value,
                    outcome,
                    (perf_counter() - began) * 1000,
                    _letters(call.arguments) // _LETTERS,
                    given // _LETTERS,
                    peer.client,
                    "" if peer.caller.name == "local" else peer.caller.name,
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


def _letters(arguments: dict[str, Any]) -> int:
    """Return about how many letters arguments have."""
    found = 0
    for name, value in arguments.items():
        found += len(name) + 4 + (len(value) if type(value) is str else _length(value))
    return found


def _length(value: Any, deepest: int = _DEEPEST) -> int:
    """Return about how many letters a value has."""
    if isinstance(value, str):
        return len(value)
    if not deepest:
        return 0
    if isinstance(value, dict):
        return sum([len(name) + 4 + _length(one, deepest - 1) for name, one in value.items()])
    if isinstance(value, list):
        return sum([1 + _length(one, deepest - 1) for one in value])
    return 4
