"""Markdown and blocks: each says the same as the other."""

from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.servers.google.docs.markdown.normal import normal
from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.writing import markdown_of
from laconic.servers.google.docs.reading.blocks import BULLET, Block, Span
from tests.unit.google.docs.random_blocks import BLOCKS, SIGNS


@settings(max_examples=80, deadline=None)
@given(BLOCKS)
def test_blocks_are_read_back_from_their_markdown(blocks: list[Block]) -> None:
    assert parse_markdown(markdown_of(blocks)) == blocks


@settings(max_examples=80, deadline=None)
@given(st.text(SIGNS + "ab1\n \t", max_size=80))
def test_the_normal_form_of_anything_is_its_own_normal_form(text: str) -> None:
    assert normal(normal(text)) == normal(text)


def test_a_footnote_before_a_colon_is_not_read_as_the_text_of_one() -> None:
    note = Span("", note=(Span("0"),))
    blocks = [Block(kind, (note, Span(": a"))) for kind in ("paragraph", "quote", "heading")]
    blocks = [*blocks[:2], blocks[2]._replace(level=1), Block("item", (note, Span(":")), 0, BULLET)]
    assert markdown_of(blocks[:1]) == "[^1]\\: a\n\n[^1]: 0"
    assert parse_markdown(markdown_of(blocks)) == blocks
