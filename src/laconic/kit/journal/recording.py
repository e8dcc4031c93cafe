"""One record in the journal for each call: who, where, what it changed, the outcome, time and tokens."""

from __future__ import annotations

from functools import cache
from string import Formatter
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.answers.content import Text
from laconic.kit.journal.calls import CallJournal, CallRecord
from laconic.kit.pipeline import Answer, Call, Ended

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laconic.effects import Change
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.peer import Peer

_LETTERS: Final = 4  # of a token, on average: counting exactly would take longer than many a call
_DEEPEST: Final = 3  # further levels of arguments that are counted


def recording(calls: CallJournal) -> Ended:
    """Record every call when it ends; what is relayed has a record of its own."""

    def ended(call: Call, answer: Answer | None, began: float, outcome: str = "success") -> None:
        spec = call.spec
        if spec.relays or not (calls.reads or spec.writes):
            return
        given = 0
        if answer is not None:
            for block in answer.blocks:
                if type(block) is Text:
                    given += len(block.text)
            if answer.failure is not None:
                outcome = answer.failure.code
        # As little of a call as possible waits for the write: what is freed at once is used again at once.
        effects, checked = call.effects if spec.writes else None, call.checked
        changes = None if effects is None else effects.changes
        sent: Any = checked.size if checked is not None and checked.size else call.arguments
        named = None if changes or checked is None or spec.subject is None else checked.wire
        seen = (_record, spec, sent, named, call.peer, changes, outcome, given, began, perf_counter())
        calls.add(seen, soon=call.started and effects is not None)

    return ended


def _record(
    spec: Spec,
    sent: int | dict[str, Any],
    named: Mapping[str, Any] | None,
    peer: Peer,
    changes: Mapping[str, Mapping[str, Change]] | None,
    outcome: str,
    given: int,
    began: float,
    ended: float,
) -> CallRecord:
    """Return the record of a call; it is made when it is written, since no answer should wait for it."""
    taken = sent if isinstance(sent, int) else _letters(sent)
    caller = peer.caller.name
    ids = () if named is None or spec.subject is None else _ids(spec.subject, named)
    return (
        began,
        spec,
        outcome,
        (ended - began) * 1000,
        taken // _LETTERS,
        given // _LETTERS,
        peer.client,
        "" if caller == "local" else caller,
        ids,
        changes,
    )


def _ids(subject: str, given: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the arguments that `subject=` mentions."""
    return tuple([given[name] for name in _named(subject) if given.get(name) is not None])


@cache
def _named(subject: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(subject) if name]


def _letters(arguments: dict[str, Any]) -> int:
    """Return about how many letters arguments have."""
    letters = 0
    for name, value in arguments.items():
        letters += len(name) + 4 + (len(value) if type(value) is str else _length(value))
    return letters


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
