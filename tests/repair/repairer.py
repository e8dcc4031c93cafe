"""A client that repairs a refused call by rules, from the words of the error alone.

It knows what it made up (the wrong call) and what it wanted (values by argument, as a person knows the title
of the thing to be made); it asks for the latter only where the error names the argument.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

Wanted = Callable[[str], Any]

_DAYS = (
    *("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%Y%m%d", "%d-%m-%Y"),
    *("%b %d %Y", "%b %d, %Y", "%B %d, %Y", "%B %d %Y", "%d %B %Y", "%d %b %Y"),
    *("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"),
)


def repair(tool: str, arguments: dict[str, Any], error: str, wanted: Wanted) -> tuple[str, dict[str, Any]]:
    """Make the second try."""
    repaired = copy.deepcopy(arguments)
    if found := re.search(r"Unknown tool '.*?'\. Did you mean (\w+)\?", error):
        return found[1], repaired
    for line in re.sub(r"^Error \[\w+\]: ", "", error).splitlines():
        for pattern, rule in _RULES:
            if found := re.search(pattern, line):
                rule(repaired, found, wanted)
                break
    return tool, repaired


def _steps(path: str) -> list[str | int]:
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", path)
    return [int(number) if number else name for name, number in parts]


def _parent(arguments: Any, path: str) -> tuple[Any, str | int]:
    *above, last = _steps(path)
    for step in above:
        if isinstance(step, int) and not isinstance(arguments, list):
            continue  # one value was sent for a list of one
        arguments = arguments[step]
    return arguments, last


def get(arguments: Any, path: str) -> Any:
    """Read the value at a path; None when there is none."""
    try:
        for step in _steps(path):
            arguments = arguments[step]
    except (KeyError, IndexError, TypeError):
        return None
    return arguments


def _set(arguments: dict[str, Any], path: str, value: Any) -> None:
    parent, last = _parent(arguments, path)
    parent[last] = value


def _rename(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    parent, last = _parent(arguments, found[1])
    value = parent.pop(last)
    parent.setdefault(found[2], value)


def _drop(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    parent, last = _parent(arguments, found[1])
    del parent[last]


def _choose(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    known = found[2].split(", ")
    meant = wanted(found[1])
    _set(arguments, found[1], found[3] or (meant if meant in known else known[0]))


def _fill(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    alternatives = re.findall(r"\w+", found[2].partition("one of ")[2]) if "one of" in found[2] else []
    for path in [found[1], *(alternatives if "pass" in found[2] else [])]:
        value = wanted(path)
        if value is not None:
            _set(arguments, path, value)
            return
    _set(arguments, found[1], alternatives[0] if alternatives else "x")


def _fit(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    path, expected = found[1], found[2]
    value = get(arguments, path)
    meant = wanted(path)
    _set(arguments, path, _fitted(value, expected, meant))


def _fitted(value: Any, expected: str, meant: Any) -> Any:
    if expected.startswith("date"):
        return _day(value, with_time="time" in expected) or meant
    if expected.startswith(("integer", "number")):
        return _number(value, expected, meant)
    if expected.startswith("list"):
        most = re.search(r"(?:to|most) (\d+) items", expected)
        if isinstance(value, list) and most and len(value) > int(most[1]):
            return value[: int(most[1])]
        return meant if meant is not None else [value]
    if expected.startswith("string"):
        most = re.search(r"(?:to|most) ([\d,]+) characters", expected)
        if isinstance(value, str) and value.strip() and most:
            return value[: int(most[1].replace(",", ""))].strip()
        if isinstance(value, list) and value and meant is None:
            return value[0]
    return meant


def _number(value: Any, expected: str, meant: Any) -> Any:
    bounds = [int(number.replace(",", "")) for number in re.findall(r"-?\d[\d,]*", expected)]
    if not isinstance(value, int | float) or isinstance(value, bool):
        return meant if meant is not None else bounds[0]
    value = round(value) if expected.startswith("integer") else value
    if "from" in expected:
        return min(max(value, bounds[0]), bounds[1])
    return max(value, bounds[0]) if "at least" in expected else min(value, bounds[0])


def _day(value: Any, *, with_time: bool) -> str | None:
    for form in _DAYS:
        try:
            moment = datetime.strptime(str(value), form).replace(tzinfo=UTC)
        except ValueError:
            continue
        return moment.isoformat().replace("+00:00", "Z") if with_time else moment.date().isoformat()
    return None


def _swap(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    later, earlier = found[1], found[2]
    arguments[later], arguments[earlier] = arguments[earlier], arguments[later]
    if arguments[later] == arguments[earlier]:
        arguments[later] = wanted(later)


def _escape(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    _set(arguments, found[1], re.escape(str(get(arguments, found[1]))))


def _replace(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    for name, value in arguments.items():
        if isinstance(value, str) and value.strip().upper() == found[1].upper():
            arguments[name] = found[2]


def _confirm(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    arguments["confirm"] = True


def _restart(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    arguments.pop("cursor", None)


def _repeat(arguments: dict[str, Any], found: re.Match[str], wanted: Wanted) -> None:
    value = found[2]
    arguments[found[1]] = int(value) if value.isdigit() else value


_RULES: list[tuple[str, Callable[[dict[str, Any], re.Match[str], Wanted], None]]] = [
    (r"Unknown argument '(.+?)'\. Did you mean '(\w+)'\?", _rename),
    (r"Unknown argument '(.+?)'\.", _drop),
    (r"Invalid (\S+) .*Valid values: (.+?)\.(?: Did you mean '(.+?)'\?)?$", _choose),
    (r"Invalid (\S+) .*Expected: after (\w+)", _swap),
    (r"Invalid (\S+) .*Invalid regex", _escape),
    (r"Invalid (\S+) .*Expected: (.+)\.$", _fit),
    (r"Missing (\S+?): (.+)\.$", _fill),
    (r"Pass only one of .*: drop (\w+)", _drop),
    (r"Call again without cursor", _restart),
    (r"repeat with (\w+) (\S+) if", _repeat),
    (r"Pass confirm: true", _confirm),
    (r"(\S+) not found\. Did you mean (\S+?)\?", _replace),
]
