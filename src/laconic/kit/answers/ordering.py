"""Ordering: keys by which a list is sorted, so that a page can begin after any item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import eq
from typing import Any, TypeVar

from laconic.kit.answers.typed import are_exact, check_values
from laconic.kit.errors import BadCursor, Bug

__all__ = ["Key", "Position", "first_after", "order_of", "refuse_odd", "refuse_twins"]

Item = TypeVar("Item")
Position = tuple[Any, ...]
"""Where a page ended: the last item's sort key and id, or another API's page token as `(token,)`.

Its values are text, numbers, booleans, None, dates, times, time spans, decimals, UUIDs, bytes or paths.
"""
Key = Callable[[Item], tuple[Any, ...]]


def order_of(tool: str, keys: Sequence[tuple[Any, ...]], reverse: bool) -> list[int]:
    """Return the places of keys in their order, None before everything."""
    try:
        return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
    except TypeError:  # None does not compare
        pass
    try:
        return sorted(range(len(keys)), key=lambda place: _ranked(keys[place]), reverse=reverse)
    except TypeError as error:
        raise Bug(
            f"{tool or 'This list'} cannot be paged: in its keys, {error}.",
            advice="The author must use values of one type at each place of the key of its window.cut.",
        ) from error


def first_after(ordered: Sequence[Item], key: Key[Item], position: Position, reverse: bool) -> int:
    """Return the index of the first item that comes after a position."""
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        here = key(ordered[middle])
        try:
            is_after = _is_less(here, position) if reverse else _is_less(position, here)
        except TypeError:  # made when the list was sorted by something else
            raise BadCursor("This cursor no longer fits the list.") from None
        if is_after:
            high = middle
        else:
            low = middle + 1
    return low


def _is_less(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    try:
        return one < other
    except TypeError:
        return _ranked(one) < _ranked(other)


def _ranked(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a key in which None comes first; the others keep their order."""
    return tuple((value is not None, value) for value in key)


def refuse_odd(tool: str, keys: Sequence[Any]) -> None:
    """Refuse keys that no cursor can hold, or that cannot be sorted."""
    if {tuple}.issuperset(map(type, keys)) and are_exact(chain.from_iterable(keys)):
        return  # most keys
    _refuse_odd_types(tool, keys)
    _refuse_odd_numbers(tool, keys)


def _refuse_odd_types(tool: str, keys: Sequence[Any]) -> None:
    """Refuse a key that no cursor can hold, also if there is no second page yet."""
    for odd in (type(key).__name__ for key in keys if not isinstance(key, tuple)):
        raise Bug(
            f"{tool or 'This list'} cannot be paged: its key is a value of type {odd}.",
            advice="The author must return a tuple from the key of its window.cut, such as (name, id).",
        )
    try:
        check_values(keys)
    except TypeError as error:
        raise Bug(
            f"{tool or 'This list'} cannot be paged: {error}.",
            advice="The author must use text, numbers, dates, times or other plain values in the key of its "
            "window.cut.",
        ) from error


def _refuse_odd_numbers(tool: str, keys: Sequence[tuple[Any, ...]]) -> None:
    """Refuse a key with a number that is not equal to itself: nothing comes before or after it."""
    for key in keys:
        if any(value != value for value in key):
            raise Bug(
                f"{tool or 'This list'} cannot be paged: the key {key} has a number that cannot be sorted.",
                advice="The author must replace NaN in the key of its window.cut.",
            )


def refuse_twins(tool: str, items: Sequence[Any], keys: Sequence[tuple[Any, ...]]) -> None:
    """Refuse a key that two neighbours share: a page that ends between them would lose the second."""
    if not any(map(eq, keys, keys[1:])):
        return  # most lists
    for place in range(1, len(keys)):
        if keys[place] == keys[place - 1]:
            one, other = (str(item)[:80] for item in items[place - 1 : place + 1])
            raise Bug(
                f"{tool or 'This list'} cannot be paged: ({one}) and ({other}) share the key {keys[place]}.",
                advice="The author must end the key of its window.cut in something unique, such as an id.",
            )
