"""Documents and blocks: what is written is read back, and only what differs is touched."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.writing import key_of
from laconic.servers.google.docs.reading.blocks import Block
from laconic.servers.google.docs.writing.replacing import replace_part
from tests.unit.google.docs.paper import Paper
from tests.unit.google.docs.random_blocks import BLOCKS


@settings(max_examples=40, deadline=None)
@given(BLOCKS)
def test_a_document_has_the_blocks_that_were_written(blocks: list[Block]) -> None:
    paper = Paper()
    paper.write(blocks)
    assert paper.blocks() == blocks


@settings(max_examples=40, deadline=None)
@given(BLOCKS, BLOCKS)
def test_a_document_becomes_another_one(first: list[Block], second: list[Block]) -> None:
    paper = Paper()
    paper.write(first)
    paper.write(second)
    assert [*map(key_of, paper.blocks())] == [*map(key_of, second)]


STYLES = st.sampled_from(
    [
        {"foregroundColor": {"color": {"rgbColor": {"red": 1}}}},
        {"bold": True},
        {"italic": True},
        {"underline": True},
        {"strikethrough": True, "fontSize": {"magnitude": 9, "unit": "PT"}},
        {"weightedFontFamily": {"fontFamily": "Lobster"}},
        {"weightedFontFamily": {"fontFamily": "Consolas"}},
        {"link": {"url": "https://x.example/a_b"}},
    ]
)


@settings(max_examples=40, deadline=None)
@given(BLOCKS, st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30), STYLES), max_size=6))
def test_a_document_that_is_written_as_it_reads_is_not_touched(
    blocks: list[Block], styles: list[tuple[int, int, dict[str, Any]]]
) -> None:
    paper = Paper()
    paper.write(blocks)
    body = paper.read().tabs[0].body
    for start, length, style in styles:
        first = start % len(body.flow.text)
        where = body.range(*body.flow.range(first, min(len(body.flow.text), first + length)))
        paper.send([{"updateTextStyle": {"range": where, "textStyle": style, "fields": ",".join(style)}}])
    tab = paper.read().tabs[0]
    markdown = paper.markdown()
    done = replace_part(tab, tab.body, 1, tab.body.end, parse_markdown(markdown))
    assert done.insertion.requests == [], markdown
    other = Paper()
    other.write(parse_markdown(markdown))
    assert other.markdown() == markdown


def test_a_deep_item_is_changed_without_a_word_of_levels() -> None:
    paper = Paper()
    paper.write(parse_markdown("- a\n  - b\n    - c\n    - d"))
    tab = paper.read().tabs[0]
    for deep in ("- a\n  - b\n    - C\n    - d", "- a\n  - b\n    - c\n    - D"):
        done = replace_part(tab, tab.body, 1, tab.body.end, parse_markdown(deep))
        assert done.losses == {} and done.changed == 1
