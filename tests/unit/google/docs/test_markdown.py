"""Markdown and blocks: each says the same as the other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.servers.google.docs.markdown.normal import normal
from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.writing import markdown_of
from laconic.servers.google.docs.reading.blocks import BULLET, Block, Losses, Span
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


@pytest.mark.parametrize(
    ("given", "told", "read"),
    [
        ("> - a\n> - b\n>   - c", {"blocks inside a quote": 1}, "- a\n- b\n  - c"),
        ("a\n\n[^n]: Unused", {"footnotes that nothing refers to": 1}, "a"),
        ('[a](http://x.y "T")', {"titles of links": 1}, "[a](http://x.y)"),
        ('![](http://x.y "T")', {"descriptions of images": 1}, "![](http://x.y)"),
        (
            "a[^n]\n\n[^n]: One\n  line\n\n    two\n\n\n    three\n\nb",
            {"paragraphs in one footnote": 2},
            "a[^1]\n\nb\n\n[^1]: One line<br>two<br>three",
        ),
        ("a[^n]\n\n[^n]: One\n\n  b", {}, "a[^1]\n\nb\n\n[^1]: One"),
    ],
)
def test_what_a_document_cannot_have_is_named(given: str, told: dict[str, int], read: str) -> None:
    losses = Losses()
    assert markdown_of(parse_markdown(given, losses)) == read
    assert losses == told


def test_a_list_below_the_ninth_level_is_named() -> None:
    losses = Losses()
    parse_markdown("\n".join(f"{'  ' * level}- {level}" for level in range(11)), losses)
    assert losses == {"levels of lists below the ninth": 2}
