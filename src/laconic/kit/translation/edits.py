"""Refused edits and line ranges as failures, with the names of the arguments that the caller passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from laconic.kit.errors import NOT_GIVEN, BadArguments, Problem
from laconic.kit.errors.failure import filled
from laconic.kit.errors.words import show
from laconic.text import NearLines, NoLines, NoMatch, NotReplaced, Overlap, SeveralMatches

__all__ = ["no_lines", "not_replaced"]

Given = Mapping[str, Any]

_OLD: Final = ("old", "find", "search", "before")
_FIRST: Final = ("line", "start", "first", "from")
_LAST: Final = ("line", "end", "last", "to")
_MOST_LINES: Final = 6  # named in the message
_MOST_PLACES: Final = 1_000  # told with what is around them, of all edits
_LEAST_PLACES: Final = 10  # of each edit
_NEAREST: Final = 3
_SEARCHED: Final = 2_000_000  # characters in which something near is looked for, of all edits
_TO_REPLACE: Final = "the text to replace"


def no_lines(error: NoLines, given: Given) -> BadArguments:
    """Return the failure for lines that a text does not have."""
    first = _argument(given, error.first, _FIRST)
    if error.problem == "reversed" and (last := _argument(given, error.last, _LAST)):
        least = f"{first}, {error.first}" if first else str(error.first)
        return _invalid(last, error.last, f"at least {least}")
    if error.first < 1 or error.first > error.total:
        name, number = first, error.first
    else:
        name, number = _argument(given, error.last, _LAST), error.last
    if name:
        return _invalid(name, number, f"from 1 to {error.total:,}")
    wrong = f"{error.first}-{error.last}"
    written = next((name for name, value in given.items() if _without_blanks(value) == wrong), "lines")
    return BadArguments(
        f"Invalid {written} {wrong}. Expected: a range from 1 to {error.total:,}.",
        field=written if written in given else None,
    )


def _invalid(name: str, number: int, expected: str) -> BadArguments:
    return BadArguments([Problem(name, f"Invalid {name} {number}. Expected: {expected}.", number)])


def _without_blanks(value: Any) -> str:
    return "".join(value.split()) if isinstance(value, str) else ""


def not_replaced(error: NotReplaced, given: Given) -> BadArguments:
    """Return the failure for edits that were not made: each with its argument, and where its text is."""
    several = sum(isinstance(problem, SeveralMatches) for problem in error.problems)
    most = max(_LEAST_PLACES, _MOST_PLACES // max(several, 1))
    near = _Nearest()
    edits = [_Edit(one, given, near(one), most, is_one_of=error.edits > 1) for one in error.problems]
    details = {
        "places": [place for edit in edits for place in edit.places()],
        "nearest": [near for edit in edits for near in edit.nearest()],
    }
    problems = [Problem(edit.field, edit.message(given), edit.given) for edit in edits]
    return BadArguments(problems, field=problems[0].field or None, details=filled(**details))


class _Nearest:
    """Finds what is near to what does not occur, for the first edits only if the text is long."""

    def __init__(self) -> None:
        self._searched = 0

    def __call__(self, problem: Any) -> list[NearLines] | None:
        """Return what is near; None if it was not looked for."""
        if not isinstance(problem, NoMatch) or self._searched >= _SEARCHED:
            return None
        self._searched += len(problem.text)
        return problem.nearest(most=_NEAREST)


class _Edit:
    """One edit that was not made, and the argument that brought it."""

    def __init__(
        self, problem: Any, given: Given, near: list[NearLines] | None, most: int, *, is_one_of: bool
    ) -> None:
        self._problem = problem
        self._is_one_of = is_one_of
        self._old: str | None = getattr(problem, "old", None)
        self.given = NOT_GIVEN if self._old is None else self._old
        self._near = near
        self._places = [*problem.places[:most]] if isinstance(problem, SeveralMatches) else []
        is_overlap = isinstance(problem, Overlap)
        self.field = _edited(given, problem.edit) if is_overlap else self._named(given, self._old or "")

    def _named(self, given: Given, old: str) -> str:
        number = self._problem.edit - 1
        in_place = _argument(given, old, _OLD, f"[{number}]") if self._is_one_of else ""
        return in_place or _argument(given, old, _OLD)

    def message(self, given: Given) -> str:
        """Return why it was not made."""
        problem, what = self._problem, self._what()
        match problem:
            case NoMatch():
                unlike = ", nor anything like it: read the text again" if self._near == [] else ""
                return f"{what} does not occur{unlike}."
            case SeveralMatches():
                return f"{what} occurs {_times(problem)}, in {self._lines()}. Expected: once."
            case Overlap():
                mine = self.field or f"Edit {problem.edit}"
                other = _edited(given, problem.other) or f"edit {problem.other}"
                return f"{mine} and {other} overlap in line {problem.line}."
        return f"{what} is empty. Expected: {_TO_REPLACE}." if self.field else f"{what} is empty."

    def _what(self) -> str:
        """Return the argument and its value, or what is known of them."""
        value = show(self._old) if self._old else ""
        if self.field:
            return f"{self.field} {value}".rstrip()
        what = value or _TO_REPLACE
        return f"Edit {self._problem.edit}: {what}" if self._is_one_of else f"{what[0].upper()}{what[1:]}"

    def _lines(self) -> str:
        """Return the lines of the matches, each once; of many, the first."""
        places = self._problem.places
        lines = list(dict.fromkeys(place.line for place in [*self._places, places[-1]]))
        if len(lines) == 1 and places.complete:
            return f"line {lines[0]}"
        shown = ", ".join(map(str, lines[:_MOST_LINES]))
        is_all = len(lines) <= _MOST_LINES and len(self._places) == len(places) and places.complete
        return f"lines {shown}{'' if is_all else ' and more'}"

    def places(self) -> Iterator[dict[str, Any]]:
        """Return where its text occurs, if it does so several times."""
        if isinstance(self._problem, SeveralMatches):
            for place in self._places:
                yield self._of() | {"line": place.line, "context": place.context}
            if more := len(self._problem.places) - len(self._places):
                yield self._of() | {"not_listed": more}

    def nearest(self) -> Iterator[dict[str, Any]]:
        """Return what is most like its text, if that does not occur."""
        for near in self._near or ():
            differs = list(dict.fromkeys(one.reason for one in near.differences))
            yield self._of() | {"line": near.first, "text": near.text, "differs": differs}

    def _of(self) -> dict[str, Any]:
        if not self._is_one_of:
            return {}
        return {"field": self.field} if self.field else {"edit": self._problem.edit}


def _times(problem: SeveralMatches) -> str:
    return f"{'' if problem.places.complete else 'more than '}{len(problem.places):,} times"


def _argument(given: Given, value: Any, likely: tuple[str, ...], within: str = "") -> str:
    """Return the path of the argument that has a value: the one with the likeliest name, else the first.

    `within` is a part of the path, such as `[2]` for the third of a list.
    """
    found = [path for path in islice(_paths(given, value), _MOST_PLACES) if within in path]
    return min(found, key=lambda path: -sum(word in _last_name(path) for word in likely), default="")


def _last_name(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _paths(given: Any, value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of each argument that has a value."""
    if isinstance(given, Mapping):
        for name, inner in given.items():
            yield from _paths(inner, value, f"{path}.{name}" if path else str(name))
    elif isinstance(given, list | tuple):
        for place, inner in enumerate(given):
            yield from _paths(inner, value, f"{path}[{place}]")
    elif type(given) is type(value) and given == value:
        yield path


def _edited(given: Given, edit: int) -> str:
    """Return the path of an edit among several: an item of the only list that has so many."""
    lists = [name for name, value in given.items() if isinstance(value, list) and len(value) >= edit > 0]
    return f"{lists[0]}[{edit - 1}]" if len(lists) == 1 else ""
