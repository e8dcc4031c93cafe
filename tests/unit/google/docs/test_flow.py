"""The index map: characters of a text and Google's indices, whatever the text is made of."""

from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.servers.google.docs.reading.blocks import Block
from laconic.servers.google.docs.reading.flow import OBJECT, Flow, units
from laconic.text.graphemes import next_boundary
from tests.unit.google.docs.paper import Paper
from tests.unit.google.docs.random_blocks import BLOCKS


@settings(max_examples=40, deadline=None)
@given(BLOCKS, st.data())
def test_text_inserted_at_an_index_is_at_its_offset(blocks: list[Block], data: st.DataObject) -> None:
    paper = Paper()
    paper.write(blocks)
    segment = paper.read().tabs[0].body
    offset = data.draw(st.integers(0, len(segment.flow.text) - 1))
    index = segment.flow.index(offset)
    assert segment.flow.offset(index) == offset
    paper.send([{"insertText": {"location": segment.location(index), "text": "\U0001f680"}}])
    at = next_boundary(segment.flow.text.replace(OBJECT, "\n"), offset)  # never inside of a grapheme
    expected = segment.flow.text[:at] + "\U0001f680" + segment.flow.text[at:]
    assert paper.read().tabs[0].body.flow.text == expected


@settings(max_examples=40, deadline=None)
@given(BLOCKS, st.data())
def test_a_part_without_borders_is_deleted_by_its_indices(blocks: list[Block], data: st.DataObject) -> None:
    paper = Paper()
    paper.write(blocks)
    segment = paper.read().tabs[0].body
    text = segment.flow.text
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, text.index("\n", start)))
    if end > start:
        first, last = segment.flow.range(start, end)
        assert segment.flow.is_whole(start, end) and last - first == units(text[start:end])
        paper.send([{"deleteContentRange": {"range": segment.range(first, last)}}])
        assert paper.read().tabs[0].body.flow.text == text[:start] + text[end:]


def test_an_index_inside_of_a_pair_belongs_to_its_character() -> None:
    run = {"startIndex": 1, "endIndex": 6, "textRun": {"content": "a\U0001f600b\n"}}
    flow = Flow([{"endIndex": 1}, {"startIndex": 1, "endIndex": 6, "paragraph": {"elements": [run]}}])
    assert [flow.index(offset) for offset in range(4)] == [1, 2, 4, 5]
    assert [flow.offset(index) for index in range(1, 7)] == [0, 1, 1, 2, 3, 4]
    assert flow.range(1, 2) == (2, 4) and flow.end == 6
