"""Forms: short ways to ask for changes, and the checks of what callers give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.kit import BadArguments
from laconic.text import did_you_mean, nearest

Given = Mapping[str, Any]
FORMS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {  # what each needs, and may have
    "replaceText": (("find", "replace"), ("matchCase", "slides")),
    "setText": (("object", "text"), ("row", "column")),
    "setNotes": (("slide", "text"), ()),
    "fillTable": (("table", "rows"), ("row", "column")),
    "moveSlides": (("slides", "to"), ()),
    "duplicateSlide": (("slide",), ("to",)),
    "addSlides": (("markdown",), ("at",)),
}


def check_form(given: Any, needed: Sequence[str], others: Sequence[str]) -> None:
    """Refuse names that a form does not have, or lacks.

    Raises:
        BadArguments: with what there is instead.
    """
    if not isinstance(given, Mapping):
        raise BadArguments(f"expected an object with {', '.join(needed)}.")
    for name in given:
        if name not in (*needed, *others):
            known = [*needed, *others]
            hint = did_you_mean(nearest(name, known), quote="'", otherwise=f"Arguments: {', '.join(known)}.")
            raise BadArguments(f"Unknown argument '{name}'.{hint}")
    for name in needed:
        if name not in given:
            raise BadArguments(f"{name} is missing.")


def text_in(given: Given, name: str, *, or_empty: bool = False) -> str:
    """Return a text that a form has.

    Raises:
        BadArguments: it is none.
    """
    if not isinstance(given[name], str) or not (given[name] or or_empty):
        raise BadArguments(f"{name} must be a text.")
    return str(given[name])


def number_in(given: Given, name: str, first: int, last: int | None = None, absent: int | None = None) -> int:
    """Return a whole number that a form has.

    Raises:
        BadArguments: it is none, or not between the first and the last.
    """
    number = given.get(name, absent)
    if type(number) is not int or number < first or (last is not None and number > last):
        raise BadArguments(f"{name} must be a number from {first} {'on' if last is None else f'to {last}'}.")
    return number


def slides_in(given: Given) -> list[str | int]:
    """Return the slides that a form names; one alone needs no list.

    Raises:
        BadArguments: there is none, or something else.
    """
    wanted = given["slides"] if isinstance(given["slides"], list) else [given["slides"]]
    if not wanted or not all(type(one) in (str, int) for one in wanted):
        raise BadArguments("slides must be numbers or object ids of slides.")
    return wanted
