"""One record in the journal for each call: who, where, what it changed, the outcome, time and tokens."""

from __future__ import annotations

from functools import cache, partial
from string import Formatter
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.answers.content import Text
from laconic.kit.journal.calls import CallJournal, CallRecord
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for

if TYPE_CHECKING:
    from laconic.kit.errors import Failure

_LETTERS: Final = 4  # of a token, on average: counting exactly would take longer than many a call
_DEEPEST: Final = 3  # further levels of arguments that are counted


def journal(calls: CallJournal) -> Step:
    """Record every call with its outcome; what is relayed has a record of its own."""

    @only_for(lambda spec: not spec.relays and (spec.writes or calls.reads))
    async def step(call: Call, inner: Inner) -> Answer:
        began, given, failure, outcome = perf_counter(), 0, None, "cancelled"
        try:
            answer = await inner(call)
            failure, outcome = answer.failure, "success"
            for block in answer.blocks:
                if type(block) is Text:
                    given += len(block.text)
            return answer
        except (AskLater, NotSupported) as end:
            outcome = end.outcome
            raise
        finally:
            soon = call.started and call.spec.writes
            calls.add(partial(_record, call, failure, outcome, given, began, perf_counter()), soon=soon)

    return step


def _record(
    call: Call, failure: Failure | None, outcome: str, given: int, began: float, ended: float
) -> CallRecord:
    """Return the record of a call; it is made when it is written, since no answer should wait for it."""
    spec, peer = call.spec, call.peer
    changes = call.effects.changes if spec.writes else None
    return CallRecord(
        time() - (perf_counter() - began),
        spec.name,
        spec.effect.value,
        failure.code if failure else outcome,
        (ended - began) * 1000,
        _letters(call.arguments) // _LETTERS,
        given // _LETTERS,
        peer.client,
        "" if peer.caller.name == "local" else peer.caller.name,
        () if changes or spec.subject is None else _ids(call),
        changes,
    )


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
    return sum([len(name) + 4 + _length(value) for name, value in arguments.items()])


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
