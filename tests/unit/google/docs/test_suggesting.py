"""Suggestions of whole blocks: accepted, the document has them; rejected, it is as it was."""

import pytest
from hypothesis import given, settings

from laconic.kit import BadArguments
from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.writing import key_of
from laconic.servers.google.docs.reading.blocks import Block
from tests.unit.google.docs.paper import Paper
from tests.unit.google.docs.random_blocks import BLOCKS

VERDICTS = ("rejectSuggestion", "acceptSuggestion")
PAIRS = {
    "a text of pairs of units by rules": ("😀", "---\n\n---"),
    "a table by a text": ("| a |\n| --- |\n| b |", "c"),
    "a table and a text by a nested list": ("| a |\n| --- |\n\nb", "- c\n  - d\n    1. e"),
    "a text between tables": (
        "| a |\n| --- |\n\nb\n\n| c |\n| --- |",
        "| a |\n| --- |\n\nd\n\n| c |\n| --- |",
    ),
    "a text by a list that has another one inside": ("a", "- b\n  - c\n  1. d\n  - e\n\n1. f"),
    "two texts by code and a note": ("a\n\nb", "```\nc\n```\n\nd[^1]\n\n[^1]: e"),
    "a table after code of two lines": ("```\na\nb\n```", "```\na\nb\n```\n\n| c |\n| --- |"),
    "everything by nothing": ("# a\n\n- b", ""),
}


def keys(blocks: list[Block]) -> list[str]:
    """What markdown says of blocks; the language of code cannot be suggested."""
    return [key_of(one._replace(mark="") if one.kind == "code" else one) for one in blocks]


def holds(first: list[Block], second: list[Block]) -> None:
    """Suggest the second in place of the first, and decide both ways."""
    for verdict, expected in zip(VERDICTS, (first, second), strict=True):
        paper = Paper()
        paper.write(first)
        paper.suggest(second)
        assert keys(paper.blocks()) == keys(first), "until somebody decides, it is as it was"
        paper.decide(verdict)
        assert keys(paper.blocks()) == keys(expected), verdict


@settings(max_examples=25, deadline=None)
@given(BLOCKS, BLOCKS)
def test_what_was_suggested_is_there_when_it_is_accepted(first: list[Block], second: list[Block]) -> None:
    holds(first, second)


@pytest.mark.parametrize("pair", PAIRS)
def test_blocks_of_other_kinds_are_suggested(pair: str) -> None:
    first, second = map(parse_markdown, PAIRS[pair])
    holds(first, second)


def test_a_part_with_suggestions_is_not_replaced_by_another_suggestion() -> None:
    paper = Paper()
    paper.write(parse_markdown("a\n\nb\n\nc"))
    paper.suggest(parse_markdown("a\n\nx\n\nc"))
    with pytest.raises(BadArguments, match="has suggestions already: suggest"):
        paper.suggest(parse_markdown("a\n\ny\n\nc"))
    paper.suggest(parse_markdown("a\n\nb\n\nz"))
    paper.decide("acceptSuggestion")
    assert paper.markdown() == "a\n\nx\n\nz"


def test_a_suggested_newline_or_table_parts_no_paragraph_yet() -> None:
    paper = Paper()
    paper.write(parse_markdown("abcd\n\n| e |\n| --- |"))
    paper.send([{"insertText": {"location": {"index": 3}, "text": "x\ny"}}], suggest=True)
    assert paper.markdown() == "abcd\n\n| e |\n| --- |"
    paper.decide("rejectSuggestion")
    paper.send([{"insertTable": {"location": {"index": 3}, "rows": 1, "columns": 1}}], suggest=True)
    assert paper.markdown() == "abcd\n\n| e |\n| --- |"
    paper.decide("acceptSuggestion")
    assert paper.markdown() == "ab\n\n|  |\n| --- |\n\ncd\n\n| e |\n| --- |"
