"""Each fact that is known of Docs holds in the practice Docs, and the docs list what nobody verified."""

from pathlib import Path

import pytest

from tests.google_server import GoogleServer
from tests.unit.sandbox.docs.facts import ELSEWHERE, FACTS, Fact
from tests.unit.sandbox.docs.paper import Paper

PAGE = Path(__file__).parents[4] / "docs" / "google-sandbox.md"


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.says)
def test_a_fact_of_docs_holds(site: GoogleServer, fact: Fact) -> None:
    paper = Paper(site, text=fact.begin)
    if fact.refused:
        before = paper.read()
        assert fact.refused in paper.refused(*fact.requests)
        assert paper.read() == before
    else:
        paper.do(*fact.requests)
        assert paper.lines() == fact.after


def test_the_docs_list_what_nobody_verified() -> None:
    listed = PAGE.read_text(encoding="utf-8").partition("## Not verified")[2].splitlines()
    unverified = [fact.says for fact in FACTS if fact.unverified]
    assert [line[2:] for line in listed if line.startswith("* ")] == [*unverified, *ELSEWHERE]
