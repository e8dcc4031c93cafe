"""A column of a list says what its cells say, each written alone."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.kit.answers.cells import cell, shape_of
from laconic.kit.answers.columns import column

_TEXTS = st.one_of(
    st.sampled_from(["open", "in progress", "front-end", "é", "12"]),
    st.text(st.sampled_from('ab ,"[]\t\n\u2028\xa0é\x85'), max_size=4),
)
_VALUES = {
    str: _TEXTS,
    list[str]: st.lists(_TEXTS, max_size=3),
    int: st.one_of(st.integers(), st.booleans()),
    date: st.one_of(st.dates(), st.datetimes()),
    Any: st.one_of(_TEXTS, st.integers(), st.dates(), st.datetimes(), st.lists(_TEXTS, max_size=2)),
}


@given(st.data(), st.sampled_from(list(_VALUES)), st.booleans())
def test_a_column_is_its_cells(data: st.DataObject, annotation: Any, days: bool) -> None:
    kind = _VALUES[annotation]
    values = data.draw(st.lists(st.one_of(kind, kind, st.none()), max_size=5))
    assert_is_its_cells(values, annotation, days)


@pytest.mark.parametrize(
    "odd", ["", " ", " a", "a ", '"a', 'a"', "a,b", "[]", "a\nb", "a\tb", "\u2028", "\xa0"]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_odd_text_among_plain_ones_is_quoted_as_if_alone(odd: str, place: int) -> None:
    texts = ["open", "in progress"]
    texts.insert(place, odd)
    assert_is_its_cells(texts, str)
    assert_is_its_cells([texts, [], None], list[str])
    assert_is_its_cells([["open"], texts[:2], texts[2:]], list[str])


@pytest.mark.parametrize("others", [[None], [True], ["1"], [1.5], [datetime(2026, 5, 1, 10)], [[1]]])
@pytest.mark.parametrize("annotation", [str, int, date, bool, list[str], Any])
def test_values_of_another_type_among_the_others_change_nothing(others: list[Any], annotation: Any) -> None:
    for values in (["open"], [7, -(10**20)], [date(2026, 5, 1)], [["a", "b"]], []):
        for days in (False, True):
            assert_is_its_cells([*values, *others], annotation, days)


def assert_is_its_cells(values: list[Any], annotation: Any, days: bool = False) -> None:
    """Compare a column with its cells."""
    shape = shape_of(annotation)
    assert column(values, shape, days=days) == [cell(value, shape, days=days) for value in values]
