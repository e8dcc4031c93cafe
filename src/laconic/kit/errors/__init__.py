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

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laconic.kit.errors.failure import NOT_GIVEN as NOT_GIVEN
from laconic.kit.errors.failure import Failure as Failure
from laconic.kit.errors.failure import Problem as Problem
from laconic.kit.errors.failure import filled
from laconic.kit.errors.notices import Listed
from laconic.kit.errors.words import clean, safe_name
from laconic.text import did_you_mean


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

    def record(self, *, trace: str = "", wrote: bool = False) -> dict[str, Any]:
        """Return the whole failure as data, with every problem if there are several."""
        whole = super().record(trace=trace, wrote=wrote)
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
        """Take the version that the thing is at; `mine` and `theirs` are what the caller and others wrote."""
        more.setdefault(
            "advice", f"Read it again, then repeat with {field} {current} if the change still fits."
        )
        super().__init__(
            message or f"{what} is at {field} {current}, not {expected}.",
            field=field,
            given=expected,
            details={**filled(mine=mine, theirs=theirs), **(details or {})},
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
