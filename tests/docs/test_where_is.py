"""Questions a newcomer asks (where_is.toml), each answered by docs/architecture.md.

The questions were written by someone who had not seen the page.
"""

import re
import tomllib
from pathlib import Path

from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SOURCE = ROOT / "src" / "laconic"


def questions() -> list[dict[str, str]]:
    text = (Path(__file__).parent / "where_is.toml").read_text(encoding="utf-8")
    found: list[dict[str, str]] = tomllib.loads(text)["question"]
    return found


def names_on_the_page() -> set[str]:
    """The paths that the page's tables name, below src/laconic."""
    named: set[str] = set()
    for package, table in re.findall(r"^### `([\w.]+)`\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL):
        folder = package.replace(".", "/")
        named |= {
            f"{folder}/{part}" for part in re.findall(r"^\| \**`([\w/]+(?:/|\.py))`", table, re.MULTILINE)
        }
    return named


def test_every_question_has_an_answer_that_the_page_names() -> None:
    named = names_on_the_page()
    asked = questions()
    lost = [one["ask"] for one in asked if one["answer"] not in named]

    assert len(asked) >= 15
    assert lost == []


def test_every_answer_is_there() -> None:
    gone = [one["answer"] for one in questions() if not (SOURCE / one["answer"]).exists()]

    assert gone == []
