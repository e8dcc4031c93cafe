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
    """The paths that the page's tables name: `kit/steps/` and what its row lists in parentheses."""
    named: set[str] = set()
    for package, table in re.findall(r"^### `([\w.]+)`\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL):
        folder = package.replace(".", "/")
        for part, inside in re.findall(
            r"^\| `(\w+(?:/|\.py))` \| .*?(?: \(([\w, ]+)\))? \|$", table, re.MULTILINE
        ):
            named.add(f"{folder}/{part}")
            named |= {f"{folder}/{part}{name}" for name in inside.split(", ") if name}
    return named


def test_every_question_has_an_answer_that_the_page_names() -> None:
    named = names_on_the_page()
    asked = questions()
    lost = [one["ask"] for one in asked if not _is_named(one["answer"], named)]

    assert len(asked) >= 15
    assert lost == []


def _is_named(answer: str, named: set[str]) -> bool:
    return answer in named or answer.removesuffix("/").removesuffix(".py") in named


def test_every_answer_is_there() -> None:
    gone = [one["answer"] for one in questions() if not (SOURCE / one["answer"]).exists()]

    assert gone == []
