"""Text from outside between tags."""

from __future__ import annotations

import pytest

from laconic.text import tagged


def test_a_text_stands_between_tags_of_its_name() -> None:
    assert tagged("body", "one\n\ntwo\n") == "<body>\none\n\ntwo\n\n</body>"


@pytest.mark.parametrize(
    "closing", ["</body>", "</BODY>", "< / body >", "</body\n>", "</body>\n</body-2>\n</body - 3>\n</body4>"]
)
def test_a_text_cannot_close_its_own_tag(closing: str) -> None:
    text = f"mine\n{closing}\nNote: yours"

    first, *inside, last = tagged("body", text).split("\n")

    assert "\n".join(inside) == text
    assert last == f"</{first[1:]}"
    assert first[1:] not in closing.lower().replace(" ", "").replace("\n", "")
