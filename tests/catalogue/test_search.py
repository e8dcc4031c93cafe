"""Tool search is judged on lists of real products, beside BM25 with stems."""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.catalogue.bm25 import bm25
from tests.catalogue.counting import Hits, counted, finder_of
from tests.catalogue.judged import NAMES, judged

HERE = Path(__file__).parent
FLOORS = tomllib.loads((HERE / "floors.toml").read_text(encoding="utf-8"))  # counts of hits, by list
KINDS = ("keywords", "wishes")

Rank = Callable[[str], list[str]]


@cache
def ranks(name: str) -> tuple[Rank, Rank]:
    """Return BM25 and the finder over a list."""
    one = judged(name)
    return cache(bm25(one.tools)), cache(finder_of(one))


def hits(name: str, kind: str) -> tuple[Hits, Hits]:
    baseline, ours = ranks(name)
    queries = getattr(judged(name), kind)
    return counted(baseline, queries), counted(ours, queries)


@pytest.mark.parametrize("name", NAMES)
def test_a_list_has_enough_queries_and_names_its_own_tools(name: str) -> None:
    one = judged(name)
    right = [tool for kind in (one.keywords, one.wishes) for tools in kind.values() for tool in tools]
    assert set(right) <= {tool.name for tool in one.tools}
    assert len(one.keywords) + len(one.wishes) >= 60
    assert len(one.wishes) >= 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_no_list_loses_a_query_that_was_found(name: str, kind: str) -> None:
    _, ours = hits(name, kind)
    at_1, at_5 = FLOORS[name][kind]
    assert ours.at_1 >= at_1
    assert ours.at_5 >= at_5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_the_search_is_never_worse_than_the_baseline(name: str, kind: str) -> None:
    baseline, ours = hits(name, kind)
    assert ours.at_1 >= baseline.at_1
    assert ours.at_5 >= baseline.at_5


def test_the_docs_say_what_is_measured() -> None:
    page = (HERE.parents[1] / "docs" / "long-lists.md").read_text(encoding="utf-8")
    for name in NAMES:
        figures = [figure for kind in KINDS for figure in _shares(hits(name, kind)[1])]
        assert f"| {name} | {len(judged(name).tools)} | {' | '.join(figures)} |" in page


def _shares(found: Hits) -> list[str]:
    return [f"{count / found.queries:.0%}".replace("%", " %") for count in (found.at_1, found.at_5)]
