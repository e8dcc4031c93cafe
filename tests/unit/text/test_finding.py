"""Searching within a text."""

import json
import time

import pytest

from laconic.text import BadExpression, count_hits, search

TEXT = "# One\n\nFirst word.\n\n## Two\n\nA second\r\nWORD, and a third word.\n"


def test_a_hit_has_its_line_its_section_and_its_surroundings() -> None:
    first, second, third = search(TEXT, "word")

    assert (first.line, first.section, first.excerpt) == (3, "One", "First word.")
    assert (second.line, second.section, TEXT[second.start : second.end]) == (8, "One/Two", "WORD")
    assert third.excerpt == "WORD, and a third word."


def test_white_space_and_the_form_of_accents_do_not_matter() -> None:
    assert [hit.line for hit in search(TEXT, "second word")] == [7]
    assert len(search("cafe\u0301 CAF\u00c9", "caf\u00e9")) == 2


def test_a_hit_in_json_knows_its_item() -> None:
    text = json.dumps({"total": 3, "rows": [{"t": "a"}, {"t": "needle"}, {"t": "b"}]})

    assert [(hit.item, hit.section) for hit in search(text, "needle")] == [(2, "")]
    assert [hit.item for hit in search(text, "total")] == [None]


def test_a_hit_in_a_table_knows_its_row() -> None:
    assert [hit.item for hit in search("id\tname\n1\tone\n2\ttwo\n", "two")] == [2]


def test_a_long_line_is_shown_around_the_hit_only() -> None:
    (hit,) = search("x" * 500 + "needle" + "y👍🏽" * 200, "needle", 10)

    assert hit.excerpt == "…" + "x" * 10 + "needle" + "y👍🏽" * 3 + "y…"


def test_a_letter_with_a_longer_small_form_moves_nothing() -> None:
    (hit,) = search("İİİ needle", "NEEDLE")

    assert (hit.start, hit.end) == (4, 10)


def test_an_expression_is_given_between_slashes() -> None:
    assert [(hit.line, hit.excerpt) for hit in search(TEXT, r"/^[A-Z]\w+ word/")] == [(3, "First word.")]
    assert len(search(TEXT, "/word/")) == 2
    assert len(search(TEXT, "/word/i")) == 3
    assert len(search(TEXT, "/.*word.*/i")) == 3
    assert search(TEXT, "/x*/") == []


def test_an_expression_sees_all_of_a_long_line() -> None:
    text = "".join(f'"id": {n}, ' for n in range(5_000))

    assert count_hits(text, r'/"id": \d+,/') == 5_000


def test_a_match_across_two_windows_of_a_long_line_is_found_whole() -> None:
    assert [hit.end - hit.start for hit in search("x" * 2_300 + "1" * 400, r"/\d+/")] == [400]


def test_slashes_inside_words_are_words() -> None:
    assert len(search("a/b and /etc", "/etc")) == 1


@pytest.mark.parametrize("query", ["", "   ", "absent", "/absent/"])
def test_nothing_is_found_without(query: str) -> None:
    assert search(TEXT, query) == search("", query) == []
    assert count_hits(TEXT, query) == 0


def test_as_many_hits_as_asked_for() -> None:
    text = "word " * 1_000

    assert len(search(text, "word", most=3)) == 3
    assert count_hits(text, "word") == 1_000


@pytest.mark.parametrize(
    "query",
    [
        "/(/",
        "/(a+)+$/",
        "/((a*))*b/",
        "/(a|aa)+$/",
        r"/(\w|\d\d)*x/",
        "/(?:a{1,20}){10,}/",
        "/" + "a" * 301 + "/",
    ],
)
def test_an_expression_that_could_run_forever_is_refused(query: str) -> None:
    with pytest.raises(BadExpression):
        search("a" * 50, query)


@pytest.mark.parametrize(
    "query", [r"/(foo|bar)+\d*/", r"/v\d+\.\d+(\.\d+)?/", r"/(?:ab)*c/", "/a++b/", r"/\bid\b.*=/"]
)
def test_a_safe_expression_is_allowed(query: str) -> None:
    started = time.perf_counter()
    search("a" * 20_000, query)

    assert time.perf_counter() - started < 30  # a runaway expression would take far longer
