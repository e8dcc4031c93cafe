"""Tools are found by plain words."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from laconic.kit.finder import Finder

HERE = Path(__file__).parent
TOOLS: list[dict[str, Any]] = json.loads((HERE / "google_tools.json").read_text(encoding="utf-8"))
QUESTIONS: list[dict[str, Any]] = json.loads((HERE / "questions.json").read_text(encoding="utf-8"))


def _finder() -> Finder:
    return Finder(
        SimpleNamespace(name=tool["name"], description=tool["description"], words=tool["parameters"])
        for tool in TOOLS
    )


def recall(at: int) -> float:
    finder = _finder()
    found = sum(any(name in one["answers"] for name in finder.find(one["question"], at)) for one in QUESTIONS)
    return found / len(QUESTIONS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("duplicate a file", "drive_copyFile"),
        ("who can see this file", "drive_listPermissions"),
    ],
)
def test_everyday_words_find_the_tool(question: str, answer: str) -> None:
    assert answer in _finder().find(question, 5)


def test_nothing_in_common_finds_nothing() -> None:
    assert _finder().find("xyzzy", 5) == []
