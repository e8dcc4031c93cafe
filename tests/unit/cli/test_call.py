"""Arguments as a person types them."""

import pytest

from laconic.cli.call import parse
from laconic.kit.errors import BadConfiguration


def test_values_stay_words_and_a_second_one_makes_a_list() -> None:
    words = ["limit=5", "tag=a=b", "tags=x", "tags=y", "body="]

    assert parse(words) == {"limit": "5", "tag": "a=b", "tags": ["x", "y"], "body": ""}


def test_json_values_are_parsed() -> None:
    assert parse(["tags:=[1, 2]", "flag:=true"], '{"name": "plan", "flag": false}') == {
        "name": "plan",
        "tags": [1, 2],
        "flag": True,
    }


@pytest.mark.parametrize(
    ("words", "raw", "said"),
    [
        (["limit"], None, "'limit' is not an argument. Expected: key=value."),
        (["=5"], None, "'=5' is not an argument."),
        (["tags:=[1"], None, "'tags:=[1' is not JSON after :="),
        ([], "[1]", "--json must be an object"),
        ([], "{", "--json is not JSON"),
    ],
)
def test_other_words_are_refused(words: list[str], raw: str | None, said: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        parse(words, raw)

    assert said in caught.value.message
