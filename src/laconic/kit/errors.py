"""Failures, in words a model can act on.

Failure
├── BadArguments        the call does not fit the tool; every problem is named
│   ├── BadCursor       a cursor that is forged, foreign, expired, or made for other filters
│   └── Unknown         no tool, resource or prompt of that name
├── NotFound            the thing named does not exist
├── Conflict            it exists already, or another change prevents it
│   └── Moved           it changed since the version the caller expected
├── Refused             not allowed here, with any arguments
│   ├── NeedsConfirm    allowed once it is confirmed
│   ├── Declined        a person was asked and said no
│   └── OutsideWorkspace  a path that leaves the workspace
├── TooLarge            more than a limit allows
├── RateLimited         too many calls; tells when to retry
├── TimedOut            the deadline passed
├── UpstreamDown        another system could not be reached or failed
├── Unavailable         this server cannot take the call now, or is stopping
├── BadConfiguration    the server is set up wrongly; a person must fix it
└── Bug                 our mistake; the trace id finds it in the log
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from laconic.kit.notices import Listed, Notice, cell, label, sentences, unbroken
from laconic.text import did_you_mean

_MOST_VALUES: Final = 14
NOT_GIVEN: Final = object()
_NOT_SAID: Final[Any] = object()


def show(value: Any) -> str:
    """Return a value the caller gave, quoted and short enough to repeat."""
    if isinstance(value, str):
        return (
            f"'{clean(value)}'" if len(value) <= 60 else f"'{clean(value[:40])}…' ({len(value):,} characters)"
        )
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else type(value).__name__


def clean(text: str) -> str:
    """Return text from a caller in a form that is safe to repeat on one line."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def safe_name(name: str) -> str:
    """Return a name to suggest: as it is, or quoted and on one line if it has control characters."""
    return name if name.isprintable() else f"'{clean(name[:80])}'"


def listing(values: Sequence[str]) -> str:
    """Join allowed values; if not all fit, add how many there are."""
    if len(values) <= _MOST_VALUES:
        return ", ".join(values)
    return ", ".join(values[: _MOST_VALUES - 2]) + f", … ({len(values)} in all)"


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
        return _some(field=self.field, message=self.message, given=given, allowed=list(self.allowed))


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
        safe: bool = False,
    ) -> None:
        """Say what is wrong.

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
        return "" if self.retry_after is None else f"Retry after {self.retry_after:g} s."

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
            redact(sentences(self.retry, "" if wrote and self._contradicts else self.advice)),
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

    @property
    def _contradicts(self) -> bool:
        """True if the advice of its kind is to try again, and what was changed must be checked first."""
        return self.changed is None and self.repeatable and "advice" not in vars(self)

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

    def record(self, *, trace: str = "") -> dict[str, Any]:
        """Return the whole failure as data, for programs."""
        return _some(
            code=self.code,
            category=self.category,
            message=self.message,
            field=self.field,
            given=None if self.given is NOT_GIVEN else show(self.given),
            allowed=list(self.allowed),
            next=self.advice,
            retryAfterMs=None if self.retry_after is None else round(self.retry_after * 1000),
            changed=self.changed,
            trace=trace,
            details=_plain(self.details),
        )


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
    if item.isdecimal():
        return False
    return re.search(rf"(?<![\w./-]){re.escape(item)}(?![\w/-]|\.\w)", message) is not None


def _some(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


class BadArguments(Failure):
    """The arguments do not fit; each problem is one line."""

    code = "VALIDATION_ERROR"
    category = "validation"
    harmless = True

    def __init__(self, problems: str | Iterable[Problem], **more: Any) -> None:
        self.problems = () if isinstance(problems, str) else tuple(problems)
        if self.problems:
            first = self.problems[0]
            more.setdefault("field", first.field)
            more.setdefault("given", first.given)
            more.setdefault("allowed", first.allowed)
        super().__init__(self.problems[0].message if self.problems else str(problems), **more)

    def listed(self) -> list[Listed]:
        """Return the other problems, and what is told after any failure."""
        others = tuple(problem.message for problem in self.problems[1:])
        return [Listed("problems", others, are_sentences=True, named=1), *super().listed()]

    def record(self, *, trace: str = "") -> dict[str, Any]:
        """Return the whole failure as data, with every problem if there are several."""
        whole = super().record(trace=trace)
        if len(self.problems) > 1:
            whole["problems"] = [problem.record() for problem in self.problems]
        return whole


class BadCursor(BadArguments):
    """The cursor cannot be used; start over without one."""

    code = "INVALID_ARGUMENTS"
    advice = "Call again without cursor to start over."

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message, field="cursor", **more)


class Unknown(BadArguments):
    """There is no tool, resource or prompt of that name."""

    code = "TOOL_NOT_FOUND"
    category = "not_found"


class NotFound(Failure):
    """The thing named does not exist; the tool's hint tells where to look."""

    code = "RESOURCE_NOT_FOUND"
    category = "not_found"
    harmless = True

    def __init__(self, what: str, name: Any, *, near: Sequence[str] = (), **more: Any) -> None:
        self.near = tuple(near)
        message = f"{what} {clean(str(name)[:80])} not found.{did_you_mean(map(safe_name, self.near))}"
        super().__init__(message, given=name, **more)


class Conflict(Failure):
    """Something of that name exists, or another change prevents this one."""

    code = "RESOURCE_ALREADY_EXISTS"
    category = "conflict"
    harmless = True


class Moved(Conflict):
    """The thing changed since the version the caller expected."""

    code = "RESOURCE_LOCKED"

    def __init__(
        self,
        what: str,
        *,
        expected: Any,
        current: Any,
        field: str = "version",
        message: str = "",
        mine: Any = None,
        theirs: Any = None,
        details: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Say which version the thing is at; `mine` and `theirs` are what the caller and others wrote."""
        more.setdefault(
            "advice", f"Read it again, then repeat with {field} {current} if the change still fits."
        )
        super().__init__(
            message or f"{what} is at {field} {current}, not {expected}.",
            field=field,
            given=expected,
            details={**_some(mine=mine, theirs=theirs), **(details or {})},
            **more,
        )


class Refused(Failure):
    """Not allowed here, with any arguments."""

    code = "PERMISSION_DENIED"
    category = "auth"
    harmless = True


class NeedsConfirm(Refused):
    """Allowed once it is confirmed: pass confirm: true."""

    category = "validation"


class Declined(Refused):
    """A person was asked and said no, perhaps after a part of the work was done."""

    advice = "Do not try again unless the user asks for it."
    harmless = False

    def __init__(self, message: str = "The user said no.", **more: Any) -> None:
        super().__init__(message, **more)


class OutsideWorkspace(Refused):
    """A path or name that leaves the workspace."""

    code = "PATH_TRAVERSAL_DENIED"
    category = "validation"
    advice = "Use a path inside the workspace."


class TooLarge(Failure):
    """More than a limit allows."""

    code = "FILE_TOO_LARGE"
    category = "validation"
    harmless = True


class RateLimited(Failure):
    """Too many calls at once or in a minute."""

    code = "RATE_LIMIT_EXCEEDED"
    category = "rate_limit"
    harmless = True


class TimedOut(Failure):
    """The deadline passed before there was an answer."""

    code = "TIMEOUT"
    category = "server"
    advice = "Ask for less at once, or try again."
    repeatable = True
    callers = False


class UpstreamDown(Failure):
    """Another system could not be reached or failed."""

    code = "UNAVAILABLE"
    category = "network"
    advice = "Try again later."
    repeatable = True
    callers = False


class Unavailable(Failure):
    """This server cannot take the call now, or is stopping."""

    code = "UNAVAILABLE"
    category = "server"
    advice = "Try again later."
    repeatable = True
    callers = False


class BadConfiguration(Failure):
    """The server is set up wrongly."""

    code = "CONFIGURATION_ERROR"
    category = "server"
    advice = "A person must fix the server's configuration: run 'laconic doctor'."
    callers = False


class Bug(Failure):
    """Our mistake."""

    code = "INTERNAL_ERROR"
    category = "server"
    advice = "This is a bug in the server, not in your call; the trace id finds it in the log."
    callers = False


def failure_kinds() -> list[type[Failure]]:
    """Return every kind of failure in the kit, each before its subclasses: the table in the docs."""
    kinds: list[type[Failure]] = []
    waiting: list[type[Failure]] = [Failure]
    while waiting:
        kind = waiting.pop(0)
        kinds.append(kind)
        waiting[:0] = [sub for sub in kind.__subclasses__() if sub.__module__ == __name__]
    return kinds
