"""The order of insertions that meet at one place."""

import pytest

from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.writing.planning import planned
from laconic.servers.google.models.docs import DocEdit
from tests.unit.google.docs.paper import Paper


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_what_follows_a_text_comes_before_what_precedes_the_next(order: tuple[int, ...]) -> None:
    edits = [
        DocEdit(find="left", after="1"),
        DocEdit(find="right", before="2"),
        DocEdit(find="right", replace="R"),
        DocEdit(find="left", replace="L"),
    ]
    paper = Paper()
    paper.write(parse_markdown("leftright"))
    document = paper.read()
    tab = document.tabs[0]
    paper.send(planned(document, [edits[at] for at in order], [(tab, tab.body)]).requests)
    assert paper.markdown() == "L12R"
