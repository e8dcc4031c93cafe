"""Checks: what must be true of a case in the end."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.evals.references import BadReference, resolved, value_at
from laconic.evals.suite import Case, CheckSpec

__all__ = ["Checked", "check", "mistake_in"]

_LONGEST: Final = 160  # of a value in a report
_REFERENCE: Final = re.compile(r"\$\.(output\.(calls|answer|final)|test_case)\b.*", re.DOTALL)


@dataclass(frozen=True)
class Checked:
    """The result of one check."""

    name: str
    passed: bool
    words: str = ""  # why it failed


def check(spec: CheckSpec, case: Case, output: Mapping[str, Any]) -> Checked | None:
    """Check a case; None if the case expects nothing of that kind."""
    data = {"output": output, "test_case": case.model_dump(mode="json")}
    try:
        if any(_is_absent(value, data) for value in spec.arguments.values()):
            return None
        words = _CHECKS[spec.type](**resolved(spec.arguments, data))
    except BadReference as error:
        words = str(error)
    return Checked(spec.name, not words, words)


def mistake_in(spec: CheckSpec, cases: Sequence[Case]) -> str:
    """Return what is wrong with a check whatever a model does; empty if nothing is."""
    known = inspect.signature(_CHECKS[spec.type]).parameters
    odd = [name for name in spec.arguments if name not in known]
    missing = [name for name, one in known.items() if one.default is one.empty and name not in spec.arguments]
    if odd or missing:
        given = ", ".join(odd or missing)
        return f"{'has no argument' if odd else 'needs the argument'} {given}. Arguments: {', '.join(known)}."
    for value in spec.arguments.values():
        if not (isinstance(value, str) and value.startswith("$.")):
            continue
        if not _REFERENCE.fullmatch(value):
            return f"{value} leads nowhere. Expected: $.output.calls, .answer or .final, or $.test_case."
        if all(_is_absent(value, {"test_case": case.model_dump(mode="json")}) for case in cases):
            return f"no case has {value}."
    return ""


def _is_absent(value: Any, data: Mapping[str, Any]) -> bool:
    """True for an expectation that this case does not have; what is missing in the output is a failure."""
    if not (isinstance(value, str) and value.startswith("$.test_case.")):
        return False
    try:
        value_at(value, data)
    except BadReference:
        return True
    return False


def _exact_match(*, actual: Any, expected: Any, case_sensitive: bool = True) -> str:
    """Two texts are the same, white space at both ends aside."""
    one, other = str(actual).strip(), str(expected).strip()
    if not case_sensitive:
        one, other = one.casefold(), other.casefold()
    return "" if one == other else f"is {_shown(actual)}, expected {_shown(expected)}"


def _contains(*, text: Any, phrases: Any, negate: bool = False, case_sensitive: bool = True) -> str:
    """A text, or one of several, has every phrase; negated, none of them."""
    whole = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    wanted = [str(one) for one in (phrases if isinstance(phrases, list) else [phrases])]
    look: Callable[[str], str] = str if case_sensitive else str.casefold
    wrong = [one for one in wanted if (look(one) in look(whole)) is negate]
    if not wrong:
        return ""
    return f"{'contains' if negate else 'lacks'} {', '.join(map(_shown, wrong))}: {_shown(whole)}"


def _equals(*, actual: Any, expected: Any, ordered: bool = True) -> str:
    """Two values are equal; lists in any order if that is said."""
    one, other = actual, expected
    if not ordered and isinstance(one, list) and isinstance(other, list):
        one, other = sorted(map(_canonical, one)), sorted(map(_canonical, other))
    return "" if _canonical(one) == _canonical(other) else f"is {_shown(actual)}, expected {_shown(expected)}"


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_CHECKS: Final[Mapping[str, Callable[..., str]]] = {
    "exact_match": _exact_match,
    "contains": _contains,
    "equals": _equals,
}
