"""The pictures show a real run: drawn again, they are the same."""

import re
import shutil

import pytest

from laconic.kit.testing import count_tokens
from scripts.pictures import FOLDER, answers, pictures
from tests.docs.pages import ROOT, pages

_IMAGE = re.compile(r"!\[[^\]]+\]\(([^)\s]+)\)")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_pictures_are_current() -> None:
    drawn = pictures()
    stale = [name for name in drawn if (ROOT / FOLDER / name).read_text(encoding="utf-8") != drawn[name]]

    assert stale == [], "run scripts/pictures"


async def test_the_counts_in_the_picture_are_those_of_the_answers() -> None:
    ours, theirs = await answers()
    drawn = (ROOT / FOLDER / "answers.svg").read_text(encoding="utf-8")

    assert f">laconic: {count_tokens(ours):,} tokens<" in drawn
    assert f">a thin wrapper: {count_tokens(theirs):,} tokens<" in drawn
    assert all(f">{cell}<" in drawn for line in ours.splitlines()[2:-2] for cell in line.split("\t"))


def test_every_picture_of_a_page_exists() -> None:
    missing = [
        (page.name, target)
        for page in pages()
        for target in _IMAGE.findall(page.text)
        if not (page.path.parent / target).is_file()
    ]

    assert missing == []
