"""The answer of a call that failed: text for the model, the whole record for programs, the rest kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from laconic.kit.answers.answer import note_lines
from laconic.kit.answers.cells import one_line
from laconic.kit.answers.content import Text
from laconic.kit.answers.envelope import Envelope, with_notes
from laconic.kit.compact import compact
from laconic.kit.errors import Failure, NotFound
from laconic.kit.errors.notices import Way, label, sentences, unbroken
from laconic.kit.pipeline import Answer, Call
from laconic.kit.plain import jsonable
from laconic.kit.redaction import distinct, redacted_data, strings_in

__all__ = ["Keep", "failed", "failed_line"]

Keep = Callable[[Call, str], Awaitable[Way | None]]
"""Keeps a text, and returns how to read it from a line on; None if it could not be kept."""

_MOST_DATA: Final = 20_000  # characters of a failure as data


async def failed(call: Call, failure: Failure, envelope: Envelope, keep: Keep) -> Answer:
    """Return the answer of a call that failed, with the notes about the call."""
    sent, safe = strings_in(call.arguments), failure.safe

    @cache  # most words are in the text and in the data
    def redact(words: str) -> str:
        return call.redactor.for_model(words, sent, safe=safe)

    notice = failure.notice(
        trace=call.trace[:8], wrote=call.spec.writes, redact=redact, notes=note_lines(call.notes)
    )
    record = redacted_data(failure.record(trace=call.trace, wrote=call.spec.writes), redact)
    is_large = len(compact(record)) > _MOST_DATA
    way = await keep(call, notice.whole) if is_large or not notice.is_short else None
    if is_large:
        record = _shortened(record, way)
    answer = Answer([Text(notice.text(way))], failure=failure, meta={"laconic/error": record})
    if call.output != "text":
        about = call.redactor.data_for_model(jsonable(call.about), sent, safe=safe)
        inside = envelope.extended(envelope.failure(record), about)
        answer.structured = with_notes(inside, call.notes)
    return answer


def _shortened(record: dict[str, Any], way: Way | None) -> dict[str, Any]:
    """Return a record that fits, with the way to read what was left out of it."""
    rest = {"rest": f"Not everything is shown. The whole: {way(1)}." if way else "Not everything is shown."}
    largest = len(compact(record))
    while largest > _MOST_DATA:
        record = {name: _halved(inner, largest // 8) for name, inner in record.items()}
        size = len(compact(record))
        if size == largest:
            break
        largest = size
    return record | rest


def _halved(value: Any, most: int) -> Any:
    """Return data with every text, list and map that is longer than this cut in half, the innermost first."""
    if not isinstance(value, str | list | dict) or len(compact(value)) <= most:
        return value
    if isinstance(value, str):
        return f"{value[: len(value) // 2]}…"
    if isinstance(value, list):
        return [_halved(inner, most) for inner in value[: max(len(value) // 2, 1)]]
    shorter = {_halved(name, most): _halved(inner, most) for name, inner in value.items()}
    if shorter != value:
        return shorter
    return dict(list(value.items())[: max(len(value) // 2, 1)])


def failed_line(name: str, words: str) -> str:
    """Return the line about one thing of a batch that failed."""
    return f"Failed: {one_line(name)}: {words}"


class BatchFailures:
    """Why some things of a batch failed, in words and as data; advice that all share is said once."""

    def __init__(self, call: Call, failures: Mapping[str, str | Failure]) -> None:
        self._call = call
        self._sent = strings_in(call.arguments)
        self._failures = failures
        known = [one for one in failures.values() if isinstance(one, Failure)]
        advice = {self._advice(one) for one in known}
        self._shared = advice.pop() if len(known) > 1 and len(advice) == 1 else ""

    def lines(self) -> list[str]:
        """Return one line for each, and one for the advice that all share."""
        lines = [failed_line(self._name(name), self._words(one)) for name, one in self._failures.items()]
        return [*lines, *([unbroken(self._redacted(self._shared, safe=False))] if self._shared else [])]

    def records(self) -> dict[str, Any]:
        """Return each as data: its reason, or the record of its failure."""
        return distinct((self._name(name), self._record(one)) for name, one in self._failures.items())

    def _name(self, name: str) -> str:
        return self._redacted(str(name), safe=False)

    def _words(self, failure: str | Failure) -> str:
        if isinstance(failure, str):
            return one_line(self._redacted(failure, safe=False))
        advice = "" if self._shared else self._advice(failure)
        words = sentences(f"[{failure.code}] {failure.message}", *self._more(failure), advice)
        return self._redacted(words, safe=failure.safe)

    def _more(self, failure: Failure) -> list[str]:
        """Return the other problems, the details and when to retry."""
        listed = [
            text
            for one in failure.listed()
            for text in replace(one, noun=label(self._redacted(one.noun, safe=failure.safe))).text(
                len(one.items)
            )
        ]
        return [*listed, failure.retry]

    def _record(self, failure: str | Failure) -> Any:
        if isinstance(failure, str):
            return self._redacted(failure, safe=False)
        record = failure.record() | ({"next": self._advice(failure)} if self._advice(failure) else {})
        return self._call.redactor.data_for_model(record, self._sent, safe=failure.safe)

    def _advice(self, failure: Failure) -> str:
        """Return what to do next; for what was not found, the tool's hint."""
        is_lost = isinstance(failure, NotFound) and not failure.advice
        return self._call.spec.advice if is_lost else failure.advice

    def _redacted(self, words: str, *, safe: bool) -> str:
        return self._call.redactor.for_model(words, self._sent, safe=safe)
