"""References: `$.output.calls[0].tool` names a value of the data that it is looked up in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["BadReference", "resolved", "value_at"]

_STEP: Final = re.compile(r"\.([A-Za-z_][\w-]*)|\[(-?\d+|\*)\]")


class BadReference(LookupError):
    """The reference leads nowhere."""


def value_at(reference: str, data: Any) -> Any:
    """Return the value that a reference names; `[*]` is the list of what follows for each item.

    Raises:
        BadReference: it is not a reference, or nothing is there.
    """
    steps = _steps(reference)
    return _walked(steps, data, reference)


def resolved(value: Any, data: Any) -> Any:
    """Return a value with every reference inside it replaced.

    Raises:
        BadReference: one leads nowhere.
    """
    if isinstance(value, str):
        return value_at(value, data) if value.startswith("$.") else value
    if isinstance(value, Mapping):
        return {key: resolved(one, data) for key, one in value.items()}
    if isinstance(value, list):
        return [resolved(one, data) for one in value]
    return value


def _steps(reference: str) -> list[str | int]:
    rest, steps = reference.removeprefix("$"), list[str | int]()
    while rest:
        found = _STEP.match(rest)
        if found is None:
            raise BadReference(f"'{reference}' is not a reference. Expected: $.name[0].name.")
        name, index = found.groups()
        steps.append(name if name is not None else index if index == "*" else int(index))
        rest = rest[found.end() :]
    return steps


def _walked(steps: list[str | int], data: Any, reference: str) -> Any:
    for place, step in enumerate(steps):
        if step == "*" and isinstance(data, list):
            return [_walked(steps[place + 1 :], one, reference) for one in data]
        try:
            data = data[step] if isinstance(data, Mapping) == isinstance(step, str) else data[None]
        except (LookupError, TypeError):
            raise BadReference(f"{reference}: there is no {step!r}.") from None
    return data
