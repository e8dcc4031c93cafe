"""Failure: what every kind of failure knows, in words for a model and as data for programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Final

from laconic.data import dataclass
from laconic.kit.errors.notices import Listed, Notice, cell, label, sentences, unbroken
from laconic.kit.errors.words import show

__all__ = ["NOT_GIVEN", "Failure", "Problem", "filled"]

NOT_GIVEN: Final = object()
_NOT_SAID: Final[Any] = object()


@dataclass(frozen=True)
class Problem:
    """One thing wrong with one argument."""

    field: str
    message: str
    given: Any = NOT_GIVEN
    allowed: tuple[str, ...] = ()
    near: str | None = None

    def record(self) -> dict[str, Any]:
        """Return the problem as data, for programs."""
        given = None if self.given is NOT_GIVEN else show(self.given)
        return filled(field=self.field, message=self.message, given=given, allowed=list(self.allowed))


class Failure(Exception):
    """A failure the model can read: what is wrong, and what to do next."""

    code: str = "TOOL_EXECUTION_ERROR"
    category: str = "unknown"
    advice: str = ""
    callers: bool = True  # the caller can fix it, so a trace id is of no use
    repeatable: bool = False  # its own advice is to try again
    harmless: bool = False  # found before an effect: unless `changed=` says otherwise, nothing was changed

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        given: Any = NOT_GIVEN,
        allowed: Iterable[str] = (),
        advice: str | None = None,
        retry_after: float | None = None,
        code: str | None = None,
        category: str | None = None,
        changed: bool | None = _NOT_SAID,
        details: Mapping[str, Any] | None = None,
        about: Mapping[str, Any] | None = None,
        safe: bool = False,
    ) -> None:
        """Take what is wrong, and what is known about it.

        Args:
            message: what is wrong, in one sentence.
            field: the argument that is wrong.
            given: the value of that argument.
            allowed: the values it may have.
            advice: what to do next.
            retry_after: seconds after which another try makes sense.
            code: the code on the wire, if another than the class's.
            category: the category, if another than the class's.
            changed: whether anything was changed, if you know it; None: not known.
            details: further facts by name; a text or a list that is too long is kept for `read_on`.
            about: further fields of the record, for programs only, such as `httpStatus`.
            safe: its words contain nothing secret, so nothing in them that looks like a secret or an absolute
                path is hidden.
        """
        super().__init__(message)
        self.message = message
        self.field = field
        self.given = given
        self.allowed = tuple(allowed)
        self.retry_after = retry_after
        self.says_changed = changed is not _NOT_SAID  # the author asserted it
        default = False if self.harmless else None
        self.changed = changed if self.says_changed else default  # None: not known
        self.details = dict(details or {})
        self.about = dict(about or {})
        self.safe = safe
        if advice is not None:
            self.advice = advice
        if code is not None:
            self.code = code
        if category is not None:
            self.category = category

    @property
    def words(self) -> str:
        """The message, when to retry, and the advice, as sentences."""
        return sentences(self.message, self.retry, self.advice)

    @property
    def retry(self) -> str:
        """When to retry, as a sentence; may be empty."""
        return "" if self.retry_after is None else f"Retry after {_rounded_up(self.retry_after):g} s."

    def listed(self) -> list[Listed]:
        """Return what is told after the message: details that it does not name already."""
        return [_detail(name, value, self.message) for name, value in _plain(self.details).items()]

    def notice(
        self,
        *,
        trace: str = "",
        wrote: bool = False,
        redact: Callable[[str], str] = str,
        notes: Sequence[str] = (),
    ) -> Notice:
        """Return the failure in words for a model, redacted; `notes` are lines about the call."""
        return Notice(
            redact(unbroken(f"Error [{self.code}]: {self.message}")),
            redact(sentences(self.retry, self._next(wrote))),
            (
                *(
                    replace(
                        one,
                        noun=label(redact(one.noun)),
                        items=tuple(redact(unbroken(item)) for item in one.items),
                    )
                    for one in self.listed()
                    if one.items
                ),
                *([Listed("notes", tuple(notes), are_sentences=True, are_notes=True)] if notes else []),
            ),
            " ".join(self._end(trace, wrote)),
        )

    def _next(self, wrote: bool) -> str:
        """Return the advice, unless its kind's is to try again and what was changed must be checked first."""
        is_of_kind = self.repeatable and "advice" not in vars(self)
        return "" if wrote and self.changed is None and is_of_kind else self.advice

    def _end(self, trace: str, wrote: bool) -> list[str]:
        end: list[str] = []
        if self.changed:
            end.append("Part of it was done before it failed.")
        elif self.changed is None and wrote:
            end.append("It is not known whether anything was changed: check before you try again.")
        elif wrote and not self.callers:
            end.append("This call changed nothing.")
        if trace and not self.callers:
            end.append(f"Trace {trace}.")
        return end

    def text(self, *, trace: str = "", wrote: bool = False) -> str:
        """Return the failure as text for a model: at most 600 bytes."""
        return self.notice(trace=trace, wrote=wrote).text()

    def record(self, *, trace: str = "", wrote: bool = False) -> dict[str, Any]:
        """Return the whole failure as data, for programs."""
        known = filled(
            code=self.code,
            category=self.category,
            message=self.message,
            field=self.field,
            given=None if self.given is NOT_GIVEN else show(self.given),
            allowed=list(self.allowed),
            next=self._next(wrote),
            retryAfterMs=None if self.retry_after is None else round(self.retry_after * 1000),
            changed=self.changed,
            trace=trace,
            details=_plain(self.details),
        )
        return {**known, **_plain(self.about), **known}  # the fields of the kit come first, and stay


def _rounded_up(seconds: float) -> float:
    """Return a time to wait with one digit that counts: 0.3, 2.5, 99."""
    return ceil(seconds) if seconds >= 10 else ceil(seconds * 10) / 10


def _detail(name: str, value: Any, message: str) -> Listed:
    if not isinstance(value, list):
        return Listed(name, (cell(value),), is_one=True)
    items = [cell(one) for one in value]
    others = [item for item in items if not _names(message, item)]
    return Listed(name, tuple(others), named=len(items) - len(others))


def _plain(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return details as JSON."""
    from laconic.kit.plain import jsonable

    return {str(name): jsonable(value) for name, value in details.items()}


def _names(message: str, item: str) -> bool:
    """True if a message has an item as whole words; a bare number in a message may count something else."""
    if item.isdecimal() or item not in message:  # most are not: a pattern for each would take long
        return False
    return re.search(rf"(?<![\w./-]){re.escape(item)}(?![\w/-]|\.\w)", message) is not None


def filled(**values: Any) -> dict[str, Any]:
    """Return the values that are neither None nor empty."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}
