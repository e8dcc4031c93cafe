"""A phrase that is nearly the query counts more than many phrases that share a word with it."""

from laconic.kit.longlist.finding.likeness import Likeness


def features(text: str) -> dict[str, float]:
    return dict.fromkeys(text.split(), 1.0)


def test_the_phrase_that_shares_most_is_nearest() -> None:
    said = [(1, features("water the roses")), (2, features("water")), (2, features("cut the roses short"))]
    alike = Likeness(said).of(features("water the roses"))
    assert alike[1] > alike[2] > 0


def test_words_that_nobody_says_are_like_nothing() -> None:
    assert Likeness([(1, features("water"))]).of(features("fly away")) == {}


def test_a_rare_word_says_more_than_a_common_one() -> None:
    common = [(3, features("the bed")), (3, features("the hose")), (3, features("the can"))]
    alike = Likeness([(1, features("the pump")), (2, features("roses pump")), *common]).of(
        features("the roses")
    )
    assert alike[2] > alike[1]


def test_several_alike_phrases_count_more_than_one() -> None:
    alike = Likeness([(1, features("water")), (2, features("water")), (2, features("water it"))]).of(
        features("water")
    )
    assert alike[2] > alike[1]
