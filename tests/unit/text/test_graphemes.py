"""Graphemes: no cut inside what a reader sees as one character."""

import pytest

from laconic.text import boundary
from laconic.text.graphemes import next_boundary

ONE_CHARACTER = {
    "a letter with a combining accent": "e\u0301",
    "a letter under many accents": "z" + "\u0301\u0308\u0331" * 20,
    "a family joined by ZWJ": "👨\u200d👩\u200d👧\u200d👦",
    "a heart with a variation selector": "❤\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "a thumb with a skin tone": "👍🏽",
    "a flag": "🇩🇪",
    "the flag of Wales, made of tags": "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "a Hangul syllable of jamo": "\u1112\u1161\u11ab",
    "a syllable with a trailing letter": "\uac00\u11a8",
    "an Indic conjunct": "\u0915\u094d\u0937\u093f",
    "a conjunct made with ZWJ": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Thai with a vowel": "\u0e01\u0e33",
    "an Arabic number sign and its digit": "\u0600\u0661",
    "a line break of two characters": "\r\n",
    "a surrogate pair in two halves": "\ud83d\ude00",
}


@pytest.mark.parametrize("cluster", ONE_CHARACTER.values(), ids=ONE_CHARACTER.keys())
@pytest.mark.parametrize("around", ["ab", "  ", "日本", "\n\n"])
def test_one_character_is_not_cut(cluster: str, around: str) -> None:
    text = around[0] + cluster + around[1]

    for index in range(1, len(cluster) + 1):
        assert boundary(text, index) == 1
        assert next_boundary(text, index + 1) == len(cluster) + 1
    assert boundary(text, len(cluster) + 1) == len(cluster) + 1


def test_every_second_flag_half_is_a_place_to_cut() -> None:
    text = "🇩🇪" * 5

    assert [boundary(text, index) for index in range(11)] == [0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10]


def test_a_mark_at_the_start_of_a_line_does_not_reach_over_the_break() -> None:
    assert boundary("a\n\u0301b", 2) == 2


def test_lone_surrogates_are_characters() -> None:
    assert [boundary("\ude00\ud83d.", index) for index in range(4)] == [0, 1, 2, 3]


def test_an_index_outside_the_text_is_moved_into_it() -> None:
    assert (boundary("abc", -5), boundary("abc", 99), boundary("", 3)) == (0, 3, 0)


def test_what_no_reader_sees_as_one_character_is_cut_in_the_end() -> None:
    marks = "a" + "\u0301" * 5_000

    assert boundary(marks, 200) == 0
    assert boundary(marks, 4_000) == 4_000
    assert next_boundary(marks, 200) == 200
    assert next_boundary(marks, 4_900) == 5_001
