"""The properties of documents for minutes: scripts/test with the mark `soak`."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.google.docs import (
    test_edits,
    test_flow,
    test_markdown,
    test_paper,
    test_sections,
    test_suggesting,
)
from tests.unit.google.docs.random_blocks import BLOCKS

TIMES = 3_000
STYLED = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30), test_paper.STYLES), max_size=6)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("property", "given_by"),
    [
        pytest.param(test_markdown.test_blocks_are_read_back_from_their_markdown, (BLOCKS,), id="markdown"),
        pytest.param(test_paper.test_a_document_becomes_another_one, (BLOCKS, BLOCKS), id="writing"),
        pytest.param(
            test_paper.test_a_document_that_is_written_as_it_reads_is_not_touched,
            (BLOCKS, STYLED),
            id="untouched",
        ),
        pytest.param(
            test_suggesting.test_what_was_suggested_is_there_when_it_is_accepted,
            (BLOCKS, BLOCKS),
            id="suggestions",
        ),
        pytest.param(
            test_flow.test_text_inserted_at_an_index_is_at_its_offset, (BLOCKS, st.data()), id="indices"
        ),
        pytest.param(
            test_sections.test_every_section_that_is_read_is_written_back_without_a_change,
            (BLOCKS,),
            id="sections",
        ),
        pytest.param(
            test_edits.test_edits_in_any_order_are_the_same_as_one_by_one, (BLOCKS, st.data()), id="edits"
        ),
    ],
)
def test_it_holds_for_minutes(property: Callable[..., Any], given_by: tuple[Any, ...]) -> None:
    inner: Any = property.hypothesis.inner_test  # type: ignore[attr-defined]  # hypothesis adds it
    often: Any = settings(max_examples=TIMES, deadline=None, suppress_health_check=list(HealthCheck))
    drawn: Any = given(*given_by)
    often(drawn(inner))()
